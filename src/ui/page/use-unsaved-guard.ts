import { useContext, useEffect, useEffectEvent, useRef } from 'react'
import { type Location, useLocation } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { confirmLeave, type LeaveWords } from './ask-to-leave.ts'
import type { Dialog } from './dialogs.ts'
import { PageHistory } from './page-history.tsx'

const otherPath = (from: Location, to: Location) => from.pathname !== to.pathname

/**
 * Protects unsaved edits on links, Back and closing the page.
 *
 * dirty  whether there are unsaved edits
 * still  the same at the time of leaving: a page that saves and leaves at once has not been rendered again
 * words  texts of the question if something other than edits would be lost; a browser that is closed shows its own
 * leaves whether a change of address leaves the page; by default, if the path changes
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
    // After navigation within the page, a pending question is obsolete.
    if (question.current && question.current.at !== key) question.current.dialog.destroy()
  }, [key])
}
