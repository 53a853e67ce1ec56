import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

/** Notice that readings wait to be computed, so that sums are at least what is shown; nothing if none does. */
export function BeingComputed({ percent }: { percent: number | undefined }) {
  const t = useT()
  if (percent === undefined) return null
  return (
    <span role="status" className={page.warning}>
      {t('energy:computing', { percent })}
    </span>
  )
}
