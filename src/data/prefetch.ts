import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { sendPrefetch, prefetched, type FirstCall, prefetchKey } from './prefetch-calls.ts'

interface Known {
  /** The home that will be shown; undefined if there is none. */
  home: HomeWithRooms | undefined
  /** Returns the answer to one of the first calls; undefined if it failed. */
  answerTo: (call: FirstCall) => Promise<unknown>
}
/** Calls of a screen that depend on answers of the first calls. */
export type FollowUpCalls = (known: Known) => readonly FirstCall[] | Promise<readonly FirstCall[]>

/** Sends the next calls of the opened screen; does nothing if the first calls were not prefetched. */
export async function prefetchFollowUps(asksNext: FollowUpCalls): Promise<void> {
  const ahead = prefetched()
  if (!ahead) return
  const home = await ahead.home
  const answerTo = async (call: FirstCall) => ahead.answers.get(prefetchKey(...call))
  for (const call of await asksNext({ home, answerTo })) {
    ahead.ofScreen.set(prefetchKey(...call), call)
    void sendPrefetch(ahead, ...call)
  }
}

/** Fetches the first calls of a screen by the queries that the screen itself uses, by the path of the call. */
export type ScreenFetches = Readonly<Record<string, (input: never) => Promise<void>>>

/**
 * Calls `fetch` for each call that the opened screen prefetched with this token, once its answer has arrived. The query that `fetch`
 * starts consumes the answer, so that a prefetched answer has the same effects as a fetched one. Failed calls are left to the screen.
 */
export function seedScreenQueries(token: string, fetch: (call: FirstCall) => void): void {
  const ahead = prefetched()
  if (ahead?.authorization !== `Bearer ${token}`) return
  for (const [key, call] of ahead.ofScreen)
    void ahead.answers.get(key)?.then((answer) => {
      if (answer === undefined) ahead.answers.delete(key)
      else fetch(call)
    })
}

/** Discards answers that were not consumed by the end of the start flow, except those that the opened screen consumes next. */
export function discardPrefetch(): void {
  const { answers, ofScreen } = prefetched() ?? {}
  for (const key of answers?.keys() ?? []) if (!ofScreen?.has(key)) answers?.delete(key)
}

/** Returns the prefetched answer for the same token, once; undefined if there is none. */
export function consumePrefetch(
  authorization: string | undefined,
  path: string,
  input: unknown,
): Promise<unknown> | undefined {
  const asked = prefetched()
  if (asked?.authorization !== authorization) return undefined
  const key = prefetchKey(path, input)
  const answer = asked?.answers.get(key)
  asked?.answers.delete(key)
  return answer
}
