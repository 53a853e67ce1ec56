import { authState, signInReason } from '../data/auth-state.ts'
import { logFault } from '../lib/log-fault.ts'
import { type Answer, answers, NativeRefusal, clearTokenTimer, onTokenExpiring } from './answers.ts'
import type { NativeHost } from './host.ts'
import {
  Envelope,
  type NativeFailure,
  FromApp,
  isFromApp,
  MAX_CHARACTERS,
  type MessageID,
  NativeResult,
  type ToApp,
  VERSIONS,
} from './messages.ts'

/** Maximum number of queued messages; further ones are rejected. */
const MAX_WAITING = 100
/** Timeout in ms for handling a message, after which the next ones are handled. */
const COMMAND_TIMEOUT_MS = 10_000

/** Id of the page's own hello, which the application may answer. */
const HELLO_ID = 'hello'

export type NativeMessage = Pick<MessageEvent, 'origin' | 'data' | 'source'>

/**
 * Connects to the application around the web view: sends hello, handles its messages sequentially and responds. No message makes it
 * throw.
 */
export function startBridge(host: NativeHost) {
  const post = (message: object) => host.post(JSON.stringify(message))
  const send = <T extends keyof ToApp>(type: T, payload: ToApp[T]) => post({ type, payload })
  let last = Promise.resolve()
  let waitingCount = 0

  function refuse(id: MessageID | undefined, error: NativeFailure) {
    if (id !== undefined) post({ id, type: 'result', success: false, error })
    else if (error.Code === 'unknown') send('unknown', { Type: error.Type ?? '' })
    // Malformed messages without an id may come from any sender to this window, so they are not reported.
    else if (error.Code !== 'malformed') send('error', error)
  }

  async function runCommand(id: MessageID | undefined, work: () => Answer | Promise<Answer>) {
    try {
      const answer = await withTimeout(COMMAND_TIMEOUT_MS, work)
      if (id !== undefined) post({ id, type: 'result', success: true, result: answer?.payload ?? null })
      else if (answer) post(answer)
    } catch (error) {
      refuse(id, error instanceof NativeRefusal ? error.failure : { Code: 'failed' })
      if (!(error instanceof NativeRefusal)) logFault('A message of the native application', error)
    }
  }

  /** Resolves after the message has been handled or rejected. */
  async function receive(event: NativeMessage): Promise<void> {
    if (!isOfHost(event)) return
    const read = readMessage(event.data)
    if (!read) return
    if ('error' in read) return refuse(read.id, read.error)
    if (waitingCount >= MAX_WAITING) return refuse(read.id, { Code: 'tooMany' })
    waitingCount++
    last = last.then(async () => {
      await runCommand(read.id, read.work)
      waitingCount--
    })
    await last
  }

  const stopFollowing = [
    authState.subscribe(() => {
      if (authState.get() !== 'signIn') return
      clearTokenTimer()
      send('signedOut', { Reason: signInReason.get() ?? 'signedOut' })
    }),
    onTokenExpiring(() => send('tokenEnding', {})),
  ]
  post({
    id: HELLO_ID,
    type: 'hello',
    payload: { Version: VERSIONS[0], Can: Object.keys(FromApp) } satisfies Partial<ToApp['hello']>,
  })
  return { receive, close: () => stopFollowing.forEach((stop) => stop()) }
}

/**
 * Whether a message may be from the native application: it is sent to this window with the page's own origin or none. Frames and other
 * windows have another source, and foreign pages another origin.
 */
const isOfHost = ({ origin, source }: NativeMessage): boolean =>
  (origin === '' || origin === location.origin) && (!source || source === window)

type Read = { id: MessageID | undefined } & (
  { error: NativeFailure } | { work: () => Answer | Promise<Answer> }
)

/** Handler of a message; undefined if it needs none, such as the confirmation of a message of the page. */
function readMessage(data: unknown): Read | undefined {
  if (tooLarge(data, MAX_CHARACTERS))
    return { id: undefined, error: { Code: 'tooLarge', Limit: MAX_CHARACTERS } }
  const parsed = parse(data)
  const envelope = Envelope.safeParse(parsed)
  if (!envelope.success) {
    const id = Envelope.shape.id.safeParse((parsed as { id?: unknown } | null)?.id).data
    return { id, error: { Code: 'malformed' } }
  }
  const { id, type } = envelope.data
  if (type === 'result') return readResult(parsed)
  if (!isFromApp(type)) return { id, error: { Code: 'unknown', Type: type } }
  return readPayload(id, type, envelope.data.payload)
}

function readPayload<T extends keyof FromApp>(id: MessageID | undefined, type: T, payload: unknown): Read {
  const read = FromApp[type].safeParse(payload ?? {})
  if (!read.success) return { id, error: { Code: 'malformed' } }
  return { id, work: () => answers[type](read.data as FromApp[T]) }
}

/** The application may answer the page's hello by its id, instead of sending a message of its own. */
function readResult(message: unknown): Read | undefined {
  const result = NativeResult.safeParse(message).data
  return result?.success && result.id === HELLO_ID
    ? readPayload(undefined, 'hello', result.result)
    : undefined
}

function parse(data: unknown): unknown {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data) as unknown
  } catch {
    return undefined
  }
}

async function withTimeout<T>(ms: number, work: () => T | Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not followed within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work(), timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Whether a message exceeds a number of characters. Stops counting there, so that the time does not depend on the size of a message.
 *
 * data  text, or parsed JSON
 */
function tooLarge(data: unknown, limit: number): boolean {
  if (typeof data === 'string') return data.length > limit
  let remaining = limit
  const stack: unknown[] = [data]
  while (stack.length > 0 && remaining >= 0) {
    const value = stack.pop()
    remaining -= typeof value === 'string' ? value.length + 1 : 1
    if (typeof value !== 'object' || value === null) continue
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) remaining -= value.byteLength
    for (const name in value) {
      remaining -= name.length + 1
      if (remaining < 0) break
      stack.push((value as Record<string, unknown>)[name])
    }
  }
  return remaining < 0
}
