import { Component, type ReactNode, useEffect } from 'react'
import { type Location, useLocation } from 'react-router'
import { messageOf } from '../lib/log-fault.ts'
import { CodeTimeout } from '../lib/with-timeout.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { MessagePage } from '../ui/page/message-page.tsx'
import { PlainButton } from '../ui/plain/plain-button.tsx'

/** Interval at which the gateway is probed, in ms. */
const CHECK_INTERVAL_MS = 3_000
/** Minimum interval between automatic reloads, in ms: the code itself may be faulty. */
const PAUSE_MS = 60_000
const LOADED_KEY = 'loadedAgainAt'
const LOAD_ERROR = /dynamically imported module|importing a module|Failed to fetch|preload CSS/i

/** Error boundary: shows an error page until the user navigates elsewhere. */
export const CatchCrash = ({ children }: { children: ReactNode }) => (
  <Catcher at={useLocation()}>{children}</Catcher>
)

interface Caught {
  at: Location
  /** Wrapped in an object, because any value can be thrown, even undefined. */
  crash?: { error: unknown } | undefined
}

class Catcher extends Component<{ at: Location; children: ReactNode }, Caught> {
  override state: Caught = { at: this.props.at }
  static getDerivedStateFromError = (error: unknown): Partial<Caught> => ({ crash: { error } })
  static getDerivedStateFromProps = ({ at }: { at: Location }, before: Caught): Caught | null =>
    at === before.at ? null : { at, crash: undefined }
  override render() {
    return this.state.crash ? <Crash error={this.state.crash.error} /> : this.props.children
  }
}

/**
 * Error page of a screen that failed to render, or whose code could not be fetched; the latter is retried once the gateway is reachable.
 */
function Crash({ error }: { error: unknown }) {
  const t = useT()
  const text = messageOf(error)
  const isSlow = error instanceof CodeTimeout
  const notFetched = isSlow || LOAD_ERROR.test(text)
  useReloadWhenBack(notFetched)
  return (
    <MessagePage
      title={t('shell:crash.title')}
      text={t(isSlow ? 'shell:crash.slow' : notFetched ? 'shell:crash.chunk' : 'shell:crash.text')}
      detail={notFetched ? undefined : text}
      actions={
        <PlainButton main onClick={() => location.reload()}>
          {t(notFetched ? 'shell:retry' : 'shell:crash.reload')}
        </PlainButton>
      }
    />
  )
}

/** Browsers cache a module that could not be fetched as failed, so the whole page is reloaded. */
function useReloadWhenBack(isEnabled: boolean): void {
  useEffect(() => {
    if (!isEnabled || Date.now() - Number(sessionStorage.getItem(LOADED_KEY)) < PAUSE_MS) return
    let isCancelled = false
    const checkConnection = async () => {
      const answer = await fetch('/health/live', { cache: 'no-store' }).catch(() => undefined)
      if (isCancelled || !answer?.ok) return
      sessionStorage.setItem(LOADED_KEY, String(Date.now()))
      location.reload()
    }
    const timer = setInterval(() => void checkConnection(), CHECK_INTERVAL_MS)
    const checkInBackground = () => void checkConnection()
    addEventListener('online', checkInBackground)
    return () => {
      isCancelled = true
      clearInterval(timer)
      removeEventListener('online', checkInBackground)
    }
  }, [isEnabled])
}
