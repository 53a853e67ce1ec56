import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router'
import { useT } from '../lib/i18n/i18n.ts'
import { useStore } from '../lib/store.ts'
import { closeDialogs, dialogs } from '../ui/page/dialogs.ts'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import styles from './dialogs.module.css'

const DialogHost = lazyPart(() => import('./dialog-host.tsx'), { over: true, meanwhile: <Fetching /> })

/**
 * What is asked over the page, as long as that page is open. What draws it is fetched when the page is quiet, or when
 * something is asked before.
 */
export function Dialogs({ quiet }: { quiet: boolean }) {
  const { pathname } = useLocation()
  const isAsked = useStore(dialogs).length > 0
  useEffect(() => {
    if (quiet) DialogHost.ahead()
  }, [quiet])
  // At the next page, before that can ask.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- on every navigation to another page
  useLayoutEffect(() => closeDialogs, [pathname])
  return (
    isAsked && (
      <div className={styles.over}>
        <DialogHost />
      </div>
    )
  )
}

/** Answers at once whoever asked before there is what draws it. */
function Fetching() {
  const t = useT()
  return (
    <div role="status" className={styles.fetching}>
      {t('shell:loading')}
    </div>
  )
}
