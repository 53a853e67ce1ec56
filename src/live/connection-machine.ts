import type { RealtimeCredentials } from '../../contract/people/session-calls.ts'

/** §4: connect, reconnect, error, offline, end; idle before the first start. */
export const CONNECTION_STATES = [
  'idle',
  'connecting',
  'connected',
  'reconnecting',
  'offline',
  'error',
  'ended',
] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

/** §9: the longest pause between two attempts, and how long the first attempt may take. */
export const MAX_PAUSE_MS = 1_800_000
export const CONNECT_TIMEOUT_MS = 1000
/** On a slow line a second is not enough: later attempts may take longer, up to this. */
const PATIENT_TIMEOUT_MS = 16_000
const FIRST_PAUSE_MS = 1000
/** §9: credentials are renewed when this much or less remains, looked at each second. */
export const RENEW_BEFORE_MS = 300_000
/** A look that comes so late means that the machine slept. In a page out of sight they come once a minute. */
const SLEPT_MS = 90_000

/**
 * How long to wait before an attempt: doubles from one second up to half an hour (§9), half of it by chance so that a
 * thousand screens do not return at the same moment.
 *
 * attempt  0 for the first repetition
 */
export function pauseBefore(attempt: number, random: number): number {
  const full = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
  return Math.round(full * (0.5 + random / 2))
}

/** How long attempt n (0 first) may take to connect, in ms. */
export const timeoutOf = (attempt: number): number =>
  Math.min(PATIENT_TIMEOUT_MS, CONNECT_TIMEOUT_MS * 2 ** attempt)

/** The connection as a value. Clients go by the number of the attempt that opened them. */
export interface ConnectionMachine {
  status: ConnectionState
  /** Attempts that failed since a connection last stood. */
  failures: number
  /** When the next attempt comes, epoch ms, while waiting for one. */
  nextAttemptAt: number | undefined
  credentials: RealtimeCredentials | undefined
  /** Topics that are to be subscribed. */
  wanted: readonly string[]
  /** Number of the last attempt. */
  attempts: number
  /** The attempt under way; its client exists as soon as there are credentials for it. */
  opening: { id: number; client: boolean } | undefined
  /** The client in use. */
  current: number | undefined
  /** The client that was in use before and stays until the current one has its topics, so that nothing is missed between. */
  retiring: number | undefined
  /** Whether a connection has stood since the start. */
  stood: boolean
  /** When the state was last looked at, epoch ms. */
  lookedAt: number
}

export const IDLE: ConnectionMachine = {
  status: 'idle',
  failures: 0,
  nextAttemptAt: undefined,
  credentials: undefined,
  wanted: [],
  attempts: 0,
  opening: undefined,
  current: undefined,
  retiring: undefined,
  stood: false,
  lookedAt: 0,
}

export type ConnectionEvent =
  | { type: 'start' | 'stop' }
  /** The person asked, the network is back, or the page is looked at again. */
  | { type: 'retry' }
  /** The browser has lost its network. */
  | { type: 'networkLost' }
  /** Exactly these topics are to be subscribed. */
  | { type: 'want'; topics: readonly string[] }
  /** Comes each second while the connection runs. */
  | { type: 'look' }
  | { type: 'pauseOver' }
  | { type: 'prepared'; id: number; credentials: RealtimeCredentials }
  /** There are no credentials for an attempt, or no client can be made of them. */
  | { type: 'notOpened'; id: number; error: unknown }
  /** Of a client: it connected, has all its topics, was refused for its credentials, is closed. */
  | { type: 'connected' | 'subscribed' | 'unauthorized' | 'closed'; id: number }

export type ConnectionEffect =
  /** Answered by `prepared` or `notOpened`; without credentials new ones are asked for. */
  | { type: 'prepare'; id: number; credentials: RealtimeCredentials | undefined }
  | { type: 'connect'; id: number; credentials: RealtimeCredentials; timeout: number }
  /** Answered by `subscribed`. */
  | { type: 'subscribeAll'; id: number; topics: readonly string[] }
  | { type: 'subscribe' | 'unsubscribe'; id: number; topics: readonly string[] }
  | { type: 'end'; id: number }
  /** Answered by `pauseOver`, unless another pause or `stopPause` comes before. */
  | { type: 'pause'; ms: number }
  | { type: 'stopPause' }
  | { type: 'watch' | 'stopWatch' }
  | { type: 'ready'; afterGap: boolean }
  | { type: 'failed'; error: unknown }

/** What an event finds when it comes. */
export interface ConnectionConditions {
  /** Epoch ms by this device. */
  now: number
  /** Epoch ms by the gateway, whose clock credentials end by: by a device's that is ahead they would be renewed without end. */
  gatewayNow: number
  /** Whether the browser has a network. */
  online: boolean
  /** 0 to 1. */
  random: number
}

export interface ConnectionStep {
  state: ConnectionMachine
  effects: readonly ConnectionEffect[]
}

/** What an event makes of the connection, and what is to be done about it. Events of clients that are gone change nothing. */
export function nextConnectionState(
  state: ConnectionMachine,
  event: ConnectionEvent,
  conditions: ConnectionConditions,
): ConnectionStep {
  switch (event.type) {
    case 'start':
      return start(state, conditions)
    case 'stop':
      return stop(state)
    case 'retry':
      return isRunning(state) && state.status !== 'connected' && state.status !== 'connecting'
        ? open({ ...state, failures: 0, status: 'reconnecting' }, conditions)
        : stay(state)
    case 'networkLost':
      return state.current === undefined ? stay(state) : closed(state, state.current, conditions)
    case 'want':
      return want(state, event.topics)
    case 'look':
      return look(state, conditions)
    case 'pauseOver':
      return state.nextAttemptAt === undefined
        ? stay(state)
        : open({ ...state, status: 'reconnecting' }, conditions)
    case 'prepared':
      return prepared(state, event)
    case 'notOpened':
      return notOpened(state, event, conditions)
    case 'connected':
      return connected(state, event.id)
    case 'subscribed':
      return subscribed(state, event.id)
    case 'unauthorized':
      return isOpening(state, event.id) || event.id === state.current
        ? stay({ ...state, credentials: undefined })
        : stay(state)
    case 'closed':
      return closed(state, event.id, conditions)
  }
}

/** A step that asks for nothing to be done. */
const stay = (state: ConnectionMachine): ConnectionStep => ({ state, effects: [] })

const isRunning = ({ status }: ConnectionMachine): boolean => status !== 'idle' && status !== 'ended'

/** Whether the client of the attempt under way is this one. */
const isOpening = ({ opening }: ConnectionMachine, id: number): boolean =>
  opening?.client === true && opening.id === id

const endsSoon = ({ ExpiresAt }: RealtimeCredentials, { gatewayNow }: ConnectionConditions): boolean =>
  ExpiresAt - gatewayNow <= RENEW_BEFORE_MS

const end = (id: number | undefined): ConnectionEffect[] => (id === undefined ? [] : [{ type: 'end', id }])

/** Ends the client of an attempt that another one takes the place of. */
const endAttempt = ({ opening }: ConnectionMachine): ConnectionEffect[] =>
  end(opening?.client ? opening.id : undefined)

function start(state: ConnectionMachine, conditions: ConnectionConditions): ConnectionStep {
  if (isRunning(state)) return stay(state)
  const { attempts, wanted } = state
  const { now } = conditions
  const { state: opened, effects } = open(
    { ...IDLE, attempts, wanted, status: 'connecting', lookedAt: now },
    conditions,
  )
  return { state: opened, effects: [{ type: 'watch' }, ...effects] }
}

function stop(state: ConnectionMachine): ConnectionStep {
  return {
    state: { ...IDLE, attempts: state.attempts, status: 'ended' },
    effects: [
      { type: 'stopPause' },
      { type: 'stopWatch' },
      ...endAttempt(state),
      ...end(state.retiring),
      ...end(state.current),
    ],
  }
}

/** Begins an attempt in place of one that is under way or waited for. A connection that stands stays until this one does. */
function open(state: ConnectionMachine, conditions: ConnectionConditions): ConnectionStep {
  const id = state.attempts + 1
  const { credentials } = state
  const usable = credentials && !endsSoon(credentials, conditions) ? credentials : undefined
  return {
    state: { ...state, attempts: id, opening: { id, client: false }, nextAttemptAt: undefined },
    effects: [{ type: 'stopPause' }, ...endAttempt(state), { type: 'prepare', id, credentials: usable }],
  }
}

function prepared(
  state: ConnectionMachine,
  { id, credentials }: { id: number; credentials: RealtimeCredentials },
): ConnectionStep {
  if (state.opening?.id !== id || state.opening.client) return stay(state)
  return {
    state: { ...state, credentials, opening: { id, client: true } },
    effects: [{ type: 'connect', id, credentials, timeout: timeoutOf(state.failures) }],
  }
}

function notOpened(
  state: ConnectionMachine,
  { id, error }: { id: number; error: unknown },
  conditions: ConnectionConditions,
): ConnectionStep {
  if (state.opening?.id !== id) return stay(state)
  const waiting = wait({ ...state, credentials: undefined, opening: undefined }, 'error', conditions)
  return {
    state: waiting.state,
    effects: [...endAttempt(state), { type: 'failed', error }, ...waiting.effects],
  }
}

/** Waits for the next attempt, longer after each failure. */
function wait(
  state: ConnectionMachine,
  because: ConnectionState,
  { now, online, random }: ConnectionConditions,
): ConnectionStep {
  const ms = pauseBefore(state.failures, random)
  return {
    state: {
      ...state,
      status: online ? because : 'offline',
      failures: state.failures + 1,
      nextAttemptAt: now + ms,
    },
    effects: [{ type: 'pause', ms }],
  }
}

function connected(state: ConnectionMachine, id: number): ConnectionStep {
  if (id === state.current || id === state.retiring) return stay(state)
  if (!isOpening(state, id)) return { state, effects: end(id) }
  return {
    state: { ...state, opening: undefined, current: id, retiring: state.current, nextAttemptAt: undefined },
    effects: [
      { type: 'stopPause' },
      ...end(state.retiring),
      { type: 'subscribeAll', id, topics: state.wanted },
    ],
  }
}

function subscribed(state: ConnectionMachine, id: number): ConnectionStep {
  if (id !== state.current) return stay(state)
  const afterGap = state.stood && state.status !== 'connected'
  return {
    state: { ...state, status: 'connected', failures: 0, retiring: undefined, stood: true },
    effects: [...end(state.retiring), { type: 'ready', afterGap }],
  }
}

function closed(state: ConnectionMachine, id: number, conditions: ConnectionConditions): ConnectionStep {
  if (id === state.current) {
    const left = wait({ ...state, current: undefined, retiring: undefined }, 'reconnecting', conditions)
    return { state: left.state, effects: [...end(id), ...end(state.retiring), ...left.effects] }
  }
  if (id === state.retiring) return { state: { ...state, retiring: undefined }, effects: end(id) }
  if (!isOpening(state, id)) return stay(state)
  const alone = { ...state, opening: undefined }
  // An attempt to renew that failed leaves the standing connection alone: the next look tries again.
  if (state.current !== undefined) return { state: alone, effects: end(id) }
  const waiting = wait(alone, 'reconnecting', conditions)
  return { state: waiting.state, effects: [...end(id), ...waiting.effects] }
}

function want(state: ConnectionMachine, topics: readonly string[]): ConnectionStep {
  const [before, after] = [new Set(state.wanted), new Set(topics)]
  const gone = state.wanted.filter((topic) => !after.has(topic))
  const fresh = [...after].filter((topic) => !before.has(topic))
  const id = state.current
  const effects: ConnectionEffect[] = []
  if (id !== undefined && gone.length > 0) effects.push({ type: 'unsubscribe', id, topics: gone })
  if (id !== undefined) effects.push({ type: 'subscribe', id, topics: fresh })
  return { state: { ...state, wanted: [...after] }, effects }
}

/** Begins again after a sleep, and renews credentials that end soon. */
function look(state: ConnectionMachine, conditions: ConnectionConditions): ConnectionStep {
  const seen = { ...state, lookedAt: conditions.now }
  if (state.status !== 'connected') return stay(seen)
  if (conditions.now - state.lookedAt > SLEPT_MS) {
    // Nobody is at the other end any more, though this one has not noticed yet.
    const alone = { ...seen, current: undefined, retiring: undefined, failures: 0 }
    const opened = open({ ...alone, status: 'reconnecting' }, conditions)
    return {
      state: opened.state,
      effects: [...end(state.current), ...end(state.retiring), ...opened.effects],
    }
  }
  const renews = !state.opening && state.credentials && endsSoon(state.credentials, conditions)
  return renews ? open(seen, conditions) : stay(seen)
}
