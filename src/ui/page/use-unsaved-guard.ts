import { useContext, useEffect, useEffectEvent, useRef } from 'react'
import { type Location, useLocation } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirm, type Dialog } from './dialogs.ts'
import { PageHistory } from './page-history.tsx'

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
  const history = useContext(PageHistory)
  const { key } = useLocation()
  useEffect(() => {
    if (!dirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [dirty])
  const question = useRef<{ dialog: Dialog; at: string }>(undefined)
  const isKept = useEffectEvent((from: Location, to: Location) => still() && leaves(from, to))
  const ask = useEffectEvent((goOn: () => void) => {
    question.current?.dialog.destroy()
    const dialog = confirm({
      title: words?.title ?? t('shell:unsaved.title'),
      content: words?.text ?? t('shell:unsaved.text'),
      okText: words?.leave ?? t('shell:unsaved.leave'),
      okButtonProps: { danger: true },
      cancelText: t('shell:unsaved.stay'),
      autoFocusButton: 'cancel',
      onOk: goOn,
    })
    question.current = { dialog, at: key }
  })
  useEffect(() => {
    const release = history?.guard((from, to, goOn) => {
      if (!isKept(from, to)) return false
      ask(goOn)
      return true
    })
    return () => {
      release?.()
      question.current?.dialog.destroy()
    }
  }, [history])
  useEffect(() => {
    // Who has gone on within the page leaves it from another place: that is another question.
    if (question.current && question.current.at !== key) question.current.dialog.destroy()
  }, [key])
}
