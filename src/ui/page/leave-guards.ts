import { useContext, useEffect, useEffectEvent, useRef, useCallback, useState } from 'react'
import { type Location, useLocation } from 'react-router'
import { useT } from '../../lib/i18n/i18n.ts'
import { type Dialog, confirm } from './dialogs.ts'
import { PageHistory } from './page-history.tsx'

/** Texts of the confirmation before leaving. */
interface LeaveWords {
  title: string
  text: string
  leave: string
}

/** Asks for confirmation before edits are lost; Enter stays. */
const confirmLeave = (
  t: ReturnType<typeof useT>,
  leave: () => void,
  words: LeaveWords = {
    title: t('shell:unsaved.title'),
    text: t('shell:unsaved.text'),
    leave: t('shell:unsaved.leave'),
  },
): Dialog =>
  confirm({
    title: words.title,
    content: words.text,
    okText: words.leave,
    okButtonProps: { danger: true },
    cancelText: t('shell:unsaved.stay'),
    onOk: leave,
  })

const otherPath = (from: Location, to: Location) => from.pathname !== to.pathname

/**
 * Protects unsaved edits on links, Back and closing the page.
 *
 * dirty  whether there are unsaved edits
 * isStillDirty  the same at the time of leaving: a page that saves and leaves at once has not been rendered again
 * words  texts of the question if something other than edits would be lost; a browser that is closed shows its own
 * leaves whether a change of address leaves the page; by default, if the path changes
 */
export function useUnsavedGuard(
  dirty: boolean,
  isStillDirty: () => boolean = () => dirty,
  words?: LeaveWords,
  isLeaving: (from: Location, to: Location) => boolean = otherPath,
): void {
  const t = useT()
  const history = useContext(PageHistory)
  const { key } = useLocation()
  useEffect(() => {
    if (!dirty) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', preventUnload)
    return () => removeEventListener('beforeunload', preventUnload)
  }, [dirty])
  const question = useRef<{ dialog: Dialog; at: string }>(undefined)
  const isKept = useEffectEvent((from: Location, to: Location) => isStillDirty() && isLeaving(from, to))
  const ask = useEffectEvent((proceed: () => void) => {
    question.current?.dialog.destroy()
    question.current = { dialog: confirmLeave(t, proceed, words), at: key }
  })
  useEffect(() => {
    const release = history?.guard((from, to, proceed) => {
      if (!isKept(from, to)) return false
      ask(proceed)
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

/**
 * Protects unsaved text. Leaving the page (a link, Back, closing the window) asks by itself; closing a dialog or a drawer without leaving
 * the page must call `ask`.
 */
export function useLeaveGuard(): { setDirty: (dirty: boolean) => void; ask: (leave: () => void) => void } {
  const t = useT()
  const [dirty, draw] = useState(false)
  const now = useRef(false)
  useUnsavedGuard(dirty, () => now.current)
  const setDirty = useCallback((next: boolean) => {
    now.current = next
    draw(next)
  }, [])
  return {
    setDirty,
    ask: (leave) => {
      if (now.current) confirmLeave(t, leave)
      else leave()
    },
  }
}
