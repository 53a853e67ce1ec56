import type { Right } from '../../contract/kernel/permissions.ts'
import { createStore, useStore } from '../lib/store.ts'

/** A message to the user. Its text is computed when it is shown, so that it follows the language. */
export interface Notice {
  id: number
  at: number
  kind: 'success' | 'info' | 'warning' | 'error'
  /** A whole localized sentence. */
  text: () => string
  /** Details to read or to copy for support, e.g. a request id. */
  detail?: string | undefined
  /** Action that the notice offers. */
  act?: { text: () => string; run: () => void } | undefined
  /** Key of a slot: replaces the notice shown there before; by default each notice has its own. */
  place?: string | undefined
  /** Calls `end` once the notice is obsolete. Returns the unsubscribe function. */
  endsBy?: ((end: () => void) => () => void) | undefined
  /** Whether the notice concerns background work, not a user's action: shown in the bell, not over the page. */
  background: boolean
  read: boolean
}

/** §9: duration of a toast, s. */
export const TOAST_SECONDS = 2
const MAX_NOTICES = 50
let lastId = 0

/** Background notices, newest first, as the bell shows them. */
export const bell = createStore<readonly Notice[]>([])
export const useBell = () => useStore(bell)

type Show = (notice: Notice) => void
let show: Show | undefined
let describeRefusal: (right: Right) => string = ({ feature, operation }) => `${feature} ${operation}`
/** Notices queued until the shell can show them. */
const pendingNotices = createStore<readonly Notice[]>([])
export const useWaitingNotices = () => useStore(pendingNotices)

/**
 * Sets the functions that show a notice over the page and describe a refusal; shows queued notices.
 *
 * returns  a function that unsets them: later notices are queued
 */
export function showNoticesWith(showNotice: Show, refusal: (right: Right) => string): () => void {
  show = showNotice
  describeRefusal = refusal
  const all = pendingNotices.get()
  pendingNotices.set([])
  for (const notice of all) showNotice(notice)
  return () => {
    if (show === showNotice) show = undefined
  }
}

function announce(
  notice: Pick<Notice, 'kind' | 'text' | 'detail' | 'background' | 'act' | 'place' | 'endsBy'>,
): void {
  const stored: Notice = { ...notice, id: ++lastId, at: Date.now(), read: false }
  if (stored.background) bell.set([stored, ...bell.get()].slice(0, MAX_NOTICES))
  else if (show) show(stored)
  else pendingNotices.set([...pendingNotices.get(), stored])
}

/** Successes close after 2 s; errors stay until closed and can be copied; background failures collect in the bell. */
export const notices = {
  success: (text: () => string) => announce({ kind: 'success', text, background: false }),
  info: (text: () => string) => announce({ kind: 'info', text, background: false }),
  error: (text: () => string, detail?: string) =>
    announce({ kind: 'error', text, detail, background: false }),
  /** Shows an error with an action; it stays over the page until it is closed or obsolete. */
  urgent: (text: () => string, options: Pick<Notice, 'detail' | 'act' | 'place' | 'endsBy'>) =>
    announce({ kind: 'error', text, background: false, ...options }),
  background: (text: () => string, detail?: string) =>
    announce({ kind: 'error', text, detail, background: true }),
  /** Shows that a call, page or command was refused, and which right is missing. */
  refused: (right: Right) =>
    announce({ kind: 'warning', text: () => describeRefusal(right), background: false }),
  readAll: () => bell.set(bell.get().map((notice) => (notice.read ? notice : { ...notice, read: true }))),
  clear: () => bell.set([]),
}
