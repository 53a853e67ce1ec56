import { useEffect, useState } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import { connection } from '../live/channel.ts'
import { PlainButton } from '../ui/plain/plain-button.tsx'
import styles from './update-notice.module.css'

/** Page of the dashboard, which references the files of the served build. */
const PAGE = '/index.html'

/** Files of the build that this page runs, from its head; empty in development. */
const ownFiles = (): string[] =>
  [...document.querySelectorAll('script[type="module"][src^="/assets/"]')].flatMap(
    (script) => script.getAttribute('src') ?? [],
  )

/** Whether the gateway serves another build than this page's; false if it is unreachable. */
export async function hasNewerBuild(): Promise<boolean> {
  const files = ownFiles()
  if (files.length === 0) return false
  try {
    const response = await fetch(PAGE, { cache: 'no-cache' })
    const html = response.ok ? await response.text() : ''
    // An error page of a proxy is not a build.
    return html.includes('src="/assets/') && files.some((file) => !html.includes(`"${file}"`))
  } catch {
    return false
  }
}

/** Interval at which an open page checks for a newer version, in ms. */
const CHECK_INTERVAL_MS = 3_600_000

/**
 * Unobtrusive notice of a newer version; checks every hour, and after the live channel has reconnected, because the gateway may have been
 * replaced meanwhile. Never reloads by itself; unsaved edits are guarded by a confirmation.
 */
export default function UpdateNotice() {
  const t = useT()
  const [newer, setNewer] = useState(false)
  const [isPostponed, setIsPostponed] = useState(false)
  useEffect(() => {
    let isCancelled = false
    const checkVersion = async () => {
      const isNewer = await hasNewerBuild()
      if (!isCancelled && isNewer) setNewer(true)
    }
    let before = connection.state.get()
    const stop = connection.state.subscribe(() => {
      const now = connection.state.get()
      if (now === 'connected' && before !== 'connected' && before !== 'connecting') void checkVersion()
      before = now
    })
    const timer = setInterval(() => {
      setIsPostponed(false)
      void checkVersion()
    }, CHECK_INTERVAL_MS)
    return () => {
      isCancelled = true
      stop()
      clearInterval(timer)
    }
  }, [])
  return (
    <div role="status" className={styles.place}>
      {newer && !isPostponed && (
        <div className={styles.notice}>
          <span>{t('shell:update.text')}</span>
          <PlainButton small main onClick={() => location.reload()}>
            {t('shell:update.reload')}
          </PlainButton>
          <PlainButton small onClick={() => setIsPostponed(true)}>
            {t('shell:update.later')}
          </PlainButton>
        </div>
      )}
    </div>
  )
}
