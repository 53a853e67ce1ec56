import type { Right } from '../../contract/kernel/permissions.ts'
import { createStore, useStore } from '../lib/store.ts'

/** Something the person should know. Its text is looked up when it is shown, so that a language switch reaches it. */
export interface Notice {
  id: number
  at: number
  kind: 'success' | 'info' | 'warning' | 'error'
  /** The words: a whole sentence, from the locales. */
  text: () => string
  /** More to read or to copy for support, e.g. a request id. */
  detail?: string | undefined
  /** What can be done about it. */
  act?: { text: () => string; run: () => void } | undefined
  /** Takes the place of what was shown there before; without one it has its own. */
  place?: string | undefined
  /** Calls what it is given once it is of no use any more. Returns how to stop. */
  endsBy?: ((end: () => void) => () => void) | undefined
  /** Happened without the person asking for it just now: goes to the bell, not over the page. */
  background: boolean
  read: boolean
}

/** §9: a toast lives 2 s. */
export const TOAST_SECONDS = 2
const KEEP = 50
let lastId = 0

/** What happened in the background, newest first: the bell. */
export const bell = createStore<readonly Notice[]>([])
export const useBell = () => useStore(bell)

type Show = (notice: Notice) => void
let show: Show | undefined
let describeRefusal: (right: Right) => string = ({ feature, operation }) => `${feature} ${operation}`
/** What nobody shows yet. */
const waiting = createStore<readonly Notice[]>([])
export const useWaitingNotices = () => useStore(waiting)

/**
 * The shell hands in how a notice is shown over the page and how a refusal is put into words.
 *
 * returns  ends it: notices wait then for who shows them next
 */
export function showNoticesWith(shown: Show, refusal: (right: Right) => string): () => void {
  show = shown
  describeRefusal = refusal
  const all = waiting.get()
  waiting.set([])
  for (const notice of all) shown(notice)
  return () => {
    if (show === shown) show = undefined
  }
}

function announce(
  notice: Pick<Notice, 'kind' | 'text' | 'detail' | 'background' | 'act' | 'place' | 'endsBy'>,
): void {
  const whole: Notice = { ...notice, id: ++lastId, at: Date.now(), read: false }
  if (whole.background) bell.set([whole, ...bell.get()].slice(0, KEEP))
  else if (show) show(whole)
  else waiting.set([...waiting.get(), whole])
}

/** Successes live 2 s; errors stay until closed and can be copied; background failures collect in the bell. */
export const notices = {
  success: (text: () => string) => announce({ kind: 'success', text, background: false }),
  info: (text: () => string) => announce({ kind: 'info', text, background: false }),
  error: (text: () => string, detail?: string) =>
    announce({ kind: 'error', text, detail, background: false }),
  /** Stays over the page until it is closed or of no use, with what can be done about it. */
  urgent: (text: () => string, more: Pick<Notice, 'detail' | 'act' | 'place' | 'endsBy'>) =>
    announce({ kind: 'error', text, background: false, ...more }),
  background: (text: () => string, detail?: string) =>
    announce({ kind: 'error', text, detail, background: true }),
  /** A call, page or command was refused: says which right is missing. */
  refused: (right: Right) =>
    announce({ kind: 'warning', text: () => describeRefusal(right), background: false }),
  readAll: () => bell.set(bell.get().map((notice) => (notice.read ? notice : { ...notice, read: true }))),
  clear: () => bell.set([]),
}
