import ModbusSerial from 'modbus-serial'
import { isBitArea, type ModbusArea } from '../../contract/devices/modbus/modbus-table.ts'
import type { Clock } from '../../device-link/clock.ts'
import type { Log } from '../lib/log.ts'

/** Minimum and maximum reconnect delay, in ms; each failure doubles it. */
const MIN_BACKOFF_MS = 500
const MAX_PAUSE_MS = 30_000
/** Number of requests in a row without an answer after which the connection counts as dead. */
const SILENCES = 3

/** Names of exceptions (Modbus 1.1b3, 7); users see them with the number. */
const EXCEPTIONS: Readonly<Record<number, string>> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'server device failure',
  5: 'acknowledge',
  6: 'server device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target device failed to respond',
}

/** Exceptions that leave open whether a write was executed: failures during it, delayed completion, and a device behind a gateway. */
const UNCLEAR = [4, 5, 8, 11]

/** The device answered with an exception. */
export class ModbusException extends Error {
  override name = 'ModbusException'
  readonly code: number
  constructor(code: number) {
    const name = EXCEPTIONS[code]
    super(`Modbus exception ${code}${name ? ` (${name})` : ''}`)
    this.code = code
  }
}

/** No connection, or no usable answer. */
export class Unreachable extends Error {
  override name: string = 'Unreachable'
}

/** The request was sent, and the answer is missing, too short or malformed. */
export class NoAnswer extends Unreachable {
  override name = 'NoAnswer'
}

/** Whether a failed write may have been executed anyway. */
export const isUnclear = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof ModbusException && UNCLEAR.includes(error.code))

export interface ServerOptions {
  host: string
  port: number
  /** Timeout of an answer and of a connection, in ms. */
  timeoutMs: number
  clock: Clock
  log: Log
  random: () => number
}

/** A Modbus TCP server: requests run one after the other, because most servers are gateways to one serial line. */
export interface ModbusServer {
  /** Reads registers or bits from an address on. Errors: ModbusException, Unreachable. */
  read(unit: number, area: ModbusArea, address: number, count: number): Promise<number[]>
  /** Reads back what a write may have changed, before any other queued read. Errors: ModbusException, Unreachable. */
  readBack(unit: number, area: ModbusArea, address: number, count: number): Promise<number[]>
  /** Writes registers or one coil, before any queued read. Errors: ModbusException, Unreachable. */
  write(unit: number, area: ModbusArea, address: number, words: readonly number[]): Promise<void>
  readonly requests: number
  close(): Promise<void>
}

type Client = InstanceType<typeof ModbusSerial>

interface Task {
  run(client: Client): Promise<void>
  fail(error: Error): void
}

interface ServerState {
  options: ServerOptions
  /** Tasks with priority, and those that run after them. */
  urgent: Task[]
  queue: Task[]
  client: Client | undefined
  /** Set while tasks are running. */
  working: Promise<void> | undefined
  isClosed: boolean
  /** Number of failed connection attempts in a row, and the earliest time of the next one, epoch ms. */
  failures: number
  retryAt: number
  /** Number of requests in a row without an answer. */
  silences: number
  requests: number
}

/** Connects on first use, and again after each disconnect, with a back-off during which requests fail immediately. */
export function openServer(options: ServerOptions): ModbusServer {
  const state: ServerState = {
    options,
    urgent: [],
    queue: [],
    client: undefined,
    working: undefined,
    isClosed: false,
    failures: 0,
    retryAt: 0,
    silences: 0,
    requests: 0,
  }
  const readThrough =
    (queue: Task[]): ModbusServer['read'] =>
    (unit, area, address, count) =>
      sendRequest(state, queue, unit, async (client) => {
        const { data } = await client[READ[area]](address, count)
        // The last byte of the answer may contain more bits than were requested.
        if (data.length < count) throw new Error(`${data.length} of ${count} values in the answer`)
        return data.slice(0, count).map(Number)
      })
  return {
    read: readThrough(state.queue),
    readBack: readThrough(state.urgent),
    write: (unit, area, address, words) =>
      sendRequest(state, state.urgent, unit, async (client) => {
        if (isBitArea(area)) await client.writeCoil(address, words[0] === 1)
        else if (words.length === 1) await client.writeRegister(address, words[0] as number)
        else await client.writeRegisters(address, [...words])
      }),
    get requests() {
      return state.requests
    },
    async close() {
      state.isClosed = true
      disconnect(state)
      await state.working
    },
  }
}

async function connect(state: ServerState): Promise<Client> {
  const { host, port, timeoutMs, clock, log, random } = state.options
  if (state.client?.isOpen) return state.client
  disconnect(state)
  if (state.isClosed || clock.now() < state.retryAt) throw new Unreachable(`${host}:${port} is not connected`)
  const client = new ModbusSerial()
  client.on('error', () => {})
  client.setTimeout(timeoutMs)
  try {
    await withTimeout(state.options, client.connectTCP(host, { port }), () => client.destroy(() => {}))
  } catch (error) {
    const pause = Math.min(MAX_PAUSE_MS, MIN_BACKOFF_MS * 2 ** state.failures++) * (0.5 + random())
    state.retryAt = clock.now() + pause
    log.warn(
      { host, port, reason: reasonOf(error), nextIn: Math.round(pause) },
      'no connection to Modbus server, will retry',
    )
    throw new Unreachable(`${host}:${port}: ${reasonOf(error)}`)
  }
  if (state.failures > 0) log.info({ host, port }, 'Modbus server reconnected')
  state.failures = 0
  state.silences = 0
  state.client = client
  return client
}

/** Rejects, after calling `onTimeout`, if the work takes longer than the timeout. */
function withTimeout<T>(
  { clock, timeoutMs }: ServerOptions,
  work: Promise<T>,
  onTimeout: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => {
      onTimeout()
      reject(new Error('no answer in time'))
    })
    work.then(resolve, reject).finally(cancel)
  })
}

function disconnect(state: ServerState): void {
  state.client?.destroy(() => {})
  state.client = undefined
}

/** Runs the queued tasks, one after the other. */
async function work(state: ServerState): Promise<void> {
  const { urgent, queue } = state
  for (let task = urgent.shift() ?? queue.shift(); task; task = urgent.shift() ?? queue.shift()) {
    try {
      await task.run(await connect(state))
    } catch (error) {
      task.fail(error as Error)
    }
  }
  state.working = undefined
}

function sendRequest<T>(
  state: ServerState,
  to: Task[],
  unit: number,
  request: (client: Client) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    to.push({
      async run(client) {
        state.requests++
        client.setID(unit)
        try {
          const response = await request(client)
          state.silences = 0
          resolve(response)
        } catch (error) {
          reject(readableError(state, error))
        }
      },
      fail: reject,
    })
    state.working ??= work(state)
  })
}

function readableError(state: ServerState, error: unknown): Error {
  const { host, port } = state.options
  const code = (error as { modbusCode?: number }).modbusCode
  if (code !== undefined) {
    state.silences = 0
    return new ModbusException(code)
  }
  if (++state.silences >= SILENCES) disconnect(state)
  return new NoAnswer(`${host}:${port}: ${reasonOf(error)}`)
}

const READ = {
  coil: 'readCoils',
  discrete: 'readDiscreteInputs',
  input: 'readInputRegisters',
  holding: 'readHoldingRegisters',
} as const satisfies Record<ModbusArea, keyof Client>

const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error as Error).message ?? String(error)
