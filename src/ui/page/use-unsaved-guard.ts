import { useEffect } from 'react'
import { useBlocker, type Location } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirm } from './dialogs.ts'

/** What somebody is asked who is about to leave. */
interface LeaveWords {
  title: string
  text: string
  leave: string
}

const otherPath = (from: Location, to: Location) => from.pathname !== to.pathname

/**
 * Guards edits that are not saved, on click, Back and closing the page alike.
 *
 * dirty  whether there are any
 * still  the same at the moment of leaving: a page that saves and leaves at once has not been drawn again since
 * words  the question where something else than edits would be lost; a browser that is closed asks in its own
 * leaves whether another address is another place; another path unless said
 */
export function useUnsavedGuard(
  dirty: boolean,
  still: () => boolean = () => dirty,
  words?: LeaveWords,
  leaves: (from: Location, to: Location) => boolean = otherPath,
): void {
  const t = useT()
  const title = words?.title ?? t('shell:unsaved.title')
  const text = words?.text ?? t('shell:unsaved.text')
  const leave = words?.leave ?? t('shell:unsaved.leave')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => still() && leaves(currentLocation, nextLocation),
  )
  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [dirty])
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    const dialog = confirm({
      title,
      content: text,
      okText: leave,
      okButtonProps: { danger: true },
      cancelText: t('shell:unsaved.stay'),
      autoFocusButton: 'cancel',
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    })
    return () => dialog.destroy()
  }, [blocker, t, title, text, leave])
}
