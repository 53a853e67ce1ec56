import { Component, type ReactNode, useEffect } from 'react'
import { type Location, useLocation } from 'react-router'
import { CodeTimeout } from '../lib/with-timeout.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { MessagePage } from '../ui/page/message-page.tsx'
import { PlainButton } from '../ui/plain/plain-button.tsx'

/** How often it is looked whether the gateway is there again, in ms. */
const LOOK_EVERY_MS = 3_000
/** The page loads itself again no sooner than this after it did so last: what is wrong may be the code itself. In ms. */
const PAUSE_MS = 60_000
const LOADED_KEY = 'loadedAgainAt'
const NOT_FETCHED = /dynamically imported module|importing a module|Failed to fetch|preload CSS/i

/** What is below it, or what is said in its place where that failed, until somebody goes elsewhere. */
export const CatchCrash = ({ children }: { children: ReactNode }) => (
  <Catcher at={useLocation()}>{children}</Catcher>
)

interface Caught {
  at: Location
  /** In a field of its own: anything can be thrown. */
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

/** A screen that failed while drawing, or whose code could not be fetched, which is tried again once the gateway is there. */
function Crash({ error }: { error: unknown }) {
  const t = useT()
  const text = error instanceof Error ? error.message : String(error)
  const isSlow = error instanceof CodeTimeout
  const notFetched = isSlow || NOT_FETCHED.test(text)
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

/** A browser keeps a module that could not be fetched as failed, so the whole page is loaded again. */
function useReloadWhenBack(wanted: boolean): void {
  useEffect(() => {
    if (!wanted || Date.now() - Number(sessionStorage.getItem(LOADED_KEY)) < PAUSE_MS) return
    let gone = false
    const look = async () => {
      const answer = await fetch('/health/live', { cache: 'no-store' }).catch(() => undefined)
      if (gone || !answer?.ok) return
      sessionStorage.setItem(LOADED_KEY, String(Date.now()))
      location.reload()
    }
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    const soon = () => void look()
    addEventListener('online', soon)
    return () => {
      gone = true
      clearInterval(timer)
      removeEventListener('online', soon)
    }
  }, [wanted])
}
