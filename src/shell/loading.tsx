import { useT } from '../lib/i18n/i18n.ts'

/** Shown while it is not known yet what may be shown. */
export function ShellLoading() {
  const t = useT()
  return (
    <div className="opening" role="status">
      <span className="opening-bar" aria-hidden="true" />
      {t('shell:loading')}
    </div>
  )
}
