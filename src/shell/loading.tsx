import { useT } from '../lib/i18n/i18n.ts'

/** Shown while permissions are still unknown. */
export function ShellLoading() {
  const t = useT()
  return (
    <div className="opening" role="status">
      <span className="opening-bar" aria-hidden="true" />
      {t('shell:loading')}
    </div>
  )
}
