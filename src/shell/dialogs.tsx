import { useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { useT } from '../lib/i18n/i18n.ts'
import { useStore } from '../lib/store.ts'
import { closeDialogs, dialogs } from '../ui/page/dialogs.ts'
import { lazyPart } from '../ui/page/lazy.tsx'
import styles from './dialogs.module.css'

const DialogHost = lazyPart(() => import('./dialog-host.tsx'), { isOverlay: true, fallback: <Fetching /> })

/** Confirmations and errors of the current page. Their renderer is fetched with the first one. */
export function Dialogs() {
  const { pathname } = useLocation()
  const hasDialog = useStore(dialogs).length > 0
  // Before the next page can open a dialog.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- on every navigation to another page
  useLayoutEffect(() => closeDialogs, [pathname])
  return (
    hasDialog && (
      <div className={styles.over}>
        <DialogHost />
      </div>
    )
  )
}

/** Feedback while the renderer of dialogs is being fetched. */
function Fetching() {
  const t = useT()
  return (
    <div role="status" className={styles.fetching}>
      {t('shell:loading')}
    </div>
  )
}
