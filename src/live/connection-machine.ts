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

/** §9: maximum pause between two attempts, and timeout of the first attempt, ms. */
export const MAX_PAUSE_MS = 1_800_000
export const CONNECT_TIMEOUT_MS = 1000
/** Maximum timeout of later attempts, ms: on a slow line one second is too short. */
const MAX_CONNECT_TIMEOUT_MS = 16_000
const FIRST_PAUSE_MS = 1000
/** §9: remaining lifetime at which credentials are renewed, ms; checked each second. */
export const RENEW_BEFORE_MS = 300_000
/** Time between two checks that means that the machine slept, ms. In a hidden page checks run once a minute. */
const SLEEP_GAP_MS = 90_000

/**
 * Pause before an attempt, ms: doubles from 1 s to 30 min (§9), with jitter of half of it so that many screens do not reconnect at once.
 *
 * attempt  0 for the first repetition
 */
export function pauseBefore(attempt: number, random: number): number {
  const full = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
  return Math.round(full * (0.5 + random / 2))
}

/** Connect timeout of attempt n (0 first), ms. */
export const timeoutOf = (attempt: number): number =>
  Math.min(MAX_CONNECT_TIMEOUT_MS, CONNECT_TIMEOUT_MS * 2 ** attempt)

/** State of the connection. Clients are identified by the number of the attempt that opened them. */
export interface ConnectionMachine {
  status: ConnectionState
  /** Failed attempts since the last successful connection. */
  failures: number
  /** Time of the next attempt, epoch ms, while waiting for one. */
  nextAttemptAt: number | undefined
  credentials: RealtimeCredentials | undefined
  /** Topics to subscribe to. */
  requestedTopics: readonly string[]
  /** Number of the last attempt. */
  attempts: number
  /** The attempt in progress; its client exists once there are credentials for it. */
  opening: { id: number; client: boolean } | undefined
  /** Number of the client in use. */
  current: number | undefined
  /** Number of the previous client, which stays connected until the current one has subscribed, so that no message is lost. */
  retiring: number | undefined
  /** Whether the channel was connected at least once since the start. */
  wasConnected: boolean
  /** Time of the last check, epoch ms. */
  checkedAt: number
}

export const IDLE: ConnectionMachine = {
  status: 'idle',
  failures: 0,
  nextAttemptAt: undefined,
  credentials: undefined,
  requestedTopics: [],
  attempts: 0,
  opening: undefined,
  current: undefined,
  retiring: undefined,
  wasConnected: false,
  checkedAt: 0,
}

export type ConnectionEvent =
  | { type: 'start' | 'stop' }
  /** The user asked for it, the network is back, or the page is visible again. */
  | { type: 'retry' }
  /** The browser has lost its network. */
  | { type: 'networkLost' }
  /** Replaces the subscribed topics by these. */
  | { type: 'want'; topics: readonly string[] }
  /** Periodic check, each second while the connection runs. */
  | { type: 'check' }
  | { type: 'pauseOver' }
  | { type: 'prepared'; id: number; credentials: RealtimeCredentials }
  /** Fetching credentials or creating the client failed. */
  | { type: 'notOpened'; id: number; error: unknown }
  /** From a client: connected, subscribed to all topics, credentials rejected, closed. */
  | { type: 'connected' | 'subscribed' | 'unauthorized' | 'closed'; id: number }

export type ConnectionEffect =
  /** Answered by `prepared` or `notOpened`; fetches new credentials if none are given. */
  | { type: 'prepare'; id: number; credentials: RealtimeCredentials | undefined }
  | { type: 'connect'; id: number; credentials: RealtimeCredentials; timeout: number }
  /** Answered by `subscribed`. */
  | { type: 'subscribeAll'; id: number; topics: readonly string[] }
  | { type: 'subscribe' | 'unsubscribe'; id: number; topics: readonly string[] }
  | { type: 'end'; id: number }
  /** Answered by `pauseOver`, unless another pause or `stopPause` comes first. */
  | { type: 'pause'; ms: number }
  | { type: 'stopPause' }
  | { type: 'watch' | 'stopWatch' }
  | { type: 'ready'; afterGap: boolean }
  | { type: 'failed'; error: unknown }

/** Environment in which an event is handled. */
export interface ConnectionConditions {
  /** Epoch ms by the clock of this device. */
  now: number
  /** Epoch ms by the gateway's clock, which `ExpiresAt` refers to: a device clock that is ahead would renew credentials endlessly. */
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

/** Computes the next state and the effects to perform. Events of clients that have ended change nothing. */
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
        : withoutEffects(state)
    case 'networkLost':
      return state.current === undefined ? withoutEffects(state) : closed(state, state.current, conditions)
    case 'want':
      return requestTopics(state, event.topics)
    case 'check':
      return check(state, conditions)
    case 'pauseOver':
      return state.nextAttemptAt === undefined
        ? withoutEffects(state)
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
        ? withoutEffects({ ...state, credentials: undefined })
        : withoutEffects(state)
    case 'closed':
      return closed(state, event.id, conditions)
  }
}

/** A step without effects. */
const withoutEffects = (state: ConnectionMachine): ConnectionStep => ({ state, effects: [] })

const isRunning = ({ status }: ConnectionMachine): boolean => status !== 'idle' && status !== 'ended'

/** Whether the attempt in progress has a client with this number. */
const isOpening = ({ opening }: ConnectionMachine, id: number): boolean =>
  opening?.client === true && opening.id === id

const endsSoon = ({ ExpiresAt }: RealtimeCredentials, { gatewayNow }: ConnectionConditions): boolean =>
  ExpiresAt - gatewayNow <= RENEW_BEFORE_MS

const end = (id: number | undefined): ConnectionEffect[] => (id === undefined ? [] : [{ type: 'end', id }])

/** Ends the client of the attempt in progress, which another attempt replaces. */
const endAttempt = ({ opening }: ConnectionMachine): ConnectionEffect[] =>
  end(opening?.client ? opening.id : undefined)

function start(state: ConnectionMachine, conditions: ConnectionConditions): ConnectionStep {
  if (isRunning(state)) return withoutEffects(state)
  const { attempts, requestedTopics } = state
  const { now } = conditions
  const { state: opened, effects } = open(
    { ...IDLE, attempts, requestedTopics, status: 'connecting', checkedAt: now },
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

/** Begins an attempt; replaces one in progress or scheduled. An existing connection stays until the new one is connected. */
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
  if (state.opening?.id !== id || state.opening.client) return withoutEffects(state)
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
  if (state.opening?.id !== id) return withoutEffects(state)
  const retry = scheduleRetry({ ...state, credentials: undefined, opening: undefined }, 'error', conditions)
  return {
    state: retry.state,
    effects: [...endAttempt(state), { type: 'failed', error }, ...retry.effects],
  }
}

/** Schedules the next attempt with exponential backoff. */
function scheduleRetry(
  state: ConnectionMachine,
  cause: ConnectionState,
  { now, online, random }: ConnectionConditions,
): ConnectionStep {
  const ms = pauseBefore(state.failures, random)
  return {
    state: {
      ...state,
      status: online ? cause : 'offline',
      failures: state.failures + 1,
      nextAttemptAt: now + ms,
    },
    effects: [{ type: 'pause', ms }],
  }
}

function connected(state: ConnectionMachine, id: number): ConnectionStep {
  if (id === state.current || id === state.retiring) return withoutEffects(state)
  if (!isOpening(state, id)) return { state, effects: end(id) }
  return {
    state: { ...state, opening: undefined, current: id, retiring: state.current, nextAttemptAt: undefined },
    effects: [
      { type: 'stopPause' },
      ...end(state.retiring),
      { type: 'subscribeAll', id, topics: state.requestedTopics },
    ],
  }
}

function subscribed(state: ConnectionMachine, id: number): ConnectionStep {
  if (id !== state.current) return withoutEffects(state)
  const afterGap = state.wasConnected && state.status !== 'connected'
  return {
    state: { ...state, status: 'connected', failures: 0, retiring: undefined, wasConnected: true },
    effects: [...end(state.retiring), { type: 'ready', afterGap }],
  }
}

function closed(state: ConnectionMachine, id: number, conditions: ConnectionConditions): ConnectionStep {
  if (id === state.current) {
    const retry = scheduleRetry(
      { ...state, current: undefined, retiring: undefined },
      'reconnecting',
      conditions,
    )
    return { state: retry.state, effects: [...end(id), ...end(state.retiring), ...retry.effects] }
  }
  if (id === state.retiring) return { state: { ...state, retiring: undefined }, effects: end(id) }
  if (!isOpening(state, id)) return withoutEffects(state)
  const withoutOpening = { ...state, opening: undefined }
  // A failed renewal keeps the existing connection: the next check tries again.
  if (state.current !== undefined) return { state: withoutOpening, effects: end(id) }
  const retry = scheduleRetry(withoutOpening, 'reconnecting', conditions)
  return { state: retry.state, effects: [...end(id), ...retry.effects] }
}

function requestTopics(state: ConnectionMachine, topics: readonly string[]): ConnectionStep {
  const [before, after] = [new Set(state.requestedTopics), new Set(topics)]
  const removed = state.requestedTopics.filter((topic) => !after.has(topic))
  const added = [...after].filter((topic) => !before.has(topic))
  const id = state.current
  const effects: ConnectionEffect[] = []
  if (id !== undefined && removed.length > 0) effects.push({ type: 'unsubscribe', id, topics: removed })
  if (id !== undefined) effects.push({ type: 'subscribe', id, topics: added })
  return { state: { ...state, requestedTopics: [...after] }, effects }
}

/** Reconnects after the machine slept, and renews credentials that expire soon. */
function check(state: ConnectionMachine, conditions: ConnectionConditions): ConnectionStep {
  const checked = { ...state, checkedAt: conditions.now }
  if (state.status !== 'connected') return withoutEffects(checked)
  if (conditions.now - state.checkedAt > SLEEP_GAP_MS) {
    // The broker has closed the connection, though the client has not noticed yet.
    const withoutCurrent = { ...checked, current: undefined, retiring: undefined, failures: 0 }
    const opened = open({ ...withoutCurrent, status: 'reconnecting' }, conditions)
    return {
      state: opened.state,
      effects: [...end(state.current), ...end(state.retiring), ...opened.effects],
    }
  }
  const renews = !state.opening && state.credentials && endsSoon(state.credentials, conditions)
  return renews ? open(checked, conditions) : withoutEffects(checked)
}
