import { useContext, useEffect, useEffectEvent, useRef } from 'react'
import { type Location, useLocation } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirmLeave, type LeaveWords } from './ask-to-leave.ts'
import type { Dialog } from './dialogs.ts'
import { PageHistory } from './page-history.tsx'

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
    question.current = { dialog: confirmLeave(t, goOn, words), at: key }
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
