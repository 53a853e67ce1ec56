import type { HomeWithRooms } from '../../contract/resources/home.ts'
import { ask, askedAhead, type FirstCall, keyOf } from './ahead.ts'

interface Known {
  /** The home that will be shown; undefined without one. */
  home: HomeWithRooms | undefined
  /** The answer to one of the first calls; undefined where it failed. */
  answerTo: (call: FirstCall) => Promise<unknown>
}
/** What a screen asks for that follows from answers of the first calls. */
export type AsksNext = (known: Known) => readonly FirstCall[] | Promise<readonly FirstCall[]>

/** Sends what the screen that is opened asks for next; nothing where the first calls were not sent ahead. */
export async function sendNext(asksNext: AsksNext): Promise<void> {
  const ahead = askedAhead()
  if (!ahead) return
  const home = await ahead.home
  const answerTo = async (call: FirstCall) => ahead.answers.get(keyOf(...call))
  for (const call of await asksNext({ home, answerTo })) {
    ahead.ofScreen.set(keyOf(...call), call)
    void ask(ahead, ...call)
  }
}

/**
 * What the screen that is opened has asked for ahead with this token, as answers come: to be there when the screen is drawn. What was
 * heard is taken: who asks again, as after a change, asks the gateway.
 */
export function hearOfScreen(token: string, hear: (call: FirstCall, answer: unknown) => void): void {
  const ahead = askedAhead()
  if (ahead?.authorization !== `Bearer ${token}`) return
  for (const [key, call] of ahead.ofScreen)
    void ahead.answers.get(key)?.then((answer) => {
      ahead.answers.delete(key)
      if (answer !== undefined) hear(call, answer)
    })
}

/** What was not taken by the end of the start flow would be old news later; the screen that is opened takes its own a moment after. */
export function forgetAhead(): void {
  const { answers, ofScreen } = askedAhead() ?? {}
  for (const key of answers?.keys() ?? []) if (!ofScreen?.has(key)) answers?.delete(key)
}

/** The answer that was asked for ahead with the same token, once; undefined when there is none. */
export function takeAhead(
  authorization: string | undefined,
  path: string,
  input: unknown,
): Promise<unknown> | undefined {
  const asked = askedAhead()
  if (asked?.authorization !== authorization) return undefined
  const key = keyOf(path, input)
  const answer = asked?.answers.get(key)
  asked?.answers.delete(key)
  return answer
}
