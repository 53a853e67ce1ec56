import type { Listener } from '../kernel/db.ts'
import pg from 'pg'
import type { Logger } from 'pino'

const RECONNECT_MS = 1_000

/** Listens to database channels (NOTIFY), all on one connection. */
export interface Listening {
  add(channel: string, listener: Listener): void
  close(): Promise<void>
}

interface State {
  connect: () => pg.Client
  log: Pick<Logger, 'warn'>
  channels: Map<string, Listener[]>
  client: pg.Client | undefined
  /** Whether the client is connected and listens to the channels known at that time. */
  isReady: boolean
  isClosed: boolean
  timer: NodeJS.Timeout | undefined
}

/**
 * Creates the listening connection.
 *
 * connect  creates an unconnected client
 */
export function createListening(connect: () => pg.Client, log: Pick<Logger, 'warn'>): Listening {
  const state: State = {
    connect,
    log,
    channels: new Map(),
    client: undefined,
    isReady: false,
    isClosed: false,
    timer: undefined,
  }
  return {
    add(channel, listener) {
      const listeners = state.channels.get(channel)
      if (listeners) {
        listeners.push(listener)
        if (state.isReady) listener.onMissed()
        return
      }
      state.channels.set(channel, [listener])
      if (!state.client && !state.timer && !state.isClosed) void open(state)
      else if (state.isReady && state.client) {
        const { client } = state
        startListening(state, client, [channel]).catch(() => client.end().catch(() => {}))
      }
    },
    async close() {
      state.isClosed = true
      clearTimeout(state.timer)
      if (state.isReady) await state.client?.end().catch(() => {})
    },
  }
}

async function open(state: State): Promise<void> {
  state.timer = undefined
  const client = state.connect()
  state.client = client
  // An error is followed by the end event.
  client.on('error', () => {})
  client.once('end', () => reconnect(state, client))
  client.on('notification', ({ channel, payload = '' }) => {
    for (const { onPayload } of state.channels.get(channel) ?? []) onPayload(payload)
  })
  try {
    await client.connect()
    state.isReady = true
    await startListening(state, client, [...state.channels.keys()])
    if (state.isClosed) client.end().catch(() => {})
  } catch (err) {
    if (!state.isClosed) state.log.warn({ err }, 'database notifications interrupted, will reconnect')
    client.end().catch(() => {})
    reconnect(state, client)
  }
}

/** Listens to channels, and reports that earlier notifications may have been missed. */
async function startListening(state: State, client: pg.Client, channels: readonly string[]): Promise<void> {
  for (const channel of channels) {
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    if (state.isClosed) return
    for (const { onMissed } of state.channels.get(channel) ?? []) onMissed()
  }
}

function reconnect(state: State, lostClient: pg.Client): void {
  if (lostClient !== state.client) return
  state.client = undefined
  state.isReady = false
  if (!state.isClosed) state.timer = setTimeout(() => void open(state), RECONNECT_MS).unref()
}
