import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  percent: number | undefined
  /** Whether the figures are sums, which can only grow; means and forecasts may change either way. */
  isSum?: boolean
}

/** Notice that readings are still being processed; renders nothing if none are. */
export function BeingComputed({ percent, isSum = true }: Props) {
  const t = useT()
  if (percent === undefined) return null
  return (
    <span role="status" className={page.warning}>
      {t(isSum ? 'energy:computing' : 'energy:computingChanges', { percent })}
    </span>
  )
}
