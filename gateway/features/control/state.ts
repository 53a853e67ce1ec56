import { Counter, type Registry } from 'prom-client'
import type { Command, CommandFailure, CommandState } from '../../../contract/devices/command-calls.ts'
import type { Broker } from '../../kernel/broker.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import type { Db } from '../../kernel/db.ts'
import type { RemoteGateways } from './ports.ts'
import { type CommandStore, createCommandStore } from './command-store.ts'
import { isSettled, type TrackedCommand, ACK_TIMEOUT_MS, type CommandTransition } from './command.ts'

/** Delay before the database is queried again, in ms. */
const RETRY_MS = 1_000

/**
 * Commands whose insert was not acknowledged by the database. If the sender repeats the request, `take` tells it that
 * the stored command is its own and was never sent; otherwise `attempt` ends the command after its time.
 *
 * attempt  rejects while the database is unavailable, and is retried
 */
function createUnacknowledgedWrites(clock: Clock) {
  const timers = new Map<string, () => void>()

  function scheduleAttempt(ms: number, key: string, attempt: () => Promise<void>) {
    const cancel = clock.after(ms, () => {
      attempt().then(
        () => timers.get(key) === cancel && timers.delete(key),
        () => timers.get(key) === cancel && scheduleAttempt(RETRY_MS, key, attempt),
      )
    })
    timers.set(key, cancel)
  }

  return {
    add(key: string, attempt: () => Promise<void>): void {
      timers.get(key)?.()
      scheduleAttempt(ACK_TIMEOUT_MS, key, attempt)
    },
    /** Whether the write of this command was unacknowledged; removes it. */
    take(key: string): boolean {
      timers.get(key)?.()
      return timers.delete(key)
    },
    close(): void {
      for (const cancel of timers.values()) cancel()
      timers.clear()
    },
  }
}

export interface ControlOptions {
  db: Db
  broker: Pick<Broker, 'publish' | 'hasSubscribers'>
  events: Events
  clock: Clock
  log: Log
  metrics: Registry
  /** Whether a hub is connected to this gateway now. */
  isHere: (thingName: string) => boolean
  /** This gateway's id; unset if connections of hubs are not stored. */
  readOwnId?: (() => string) | undefined
  /** Unset if there can be no other gateway. */
  remoteGateways?: RemoteGateways | undefined
}

/** State of command tracking. */
export interface ControlState extends Omit<ControlOptions, 'db' | 'metrics'> {
  store: CommandStore
  /** Start of this gateway, epoch ms. */
  startedAt: number
  unacknowledged: ReturnType<typeof createUnacknowledgedWrites>
  /** Pending commands by device. */
  openTracks: Map<string, Set<Track>>
  /** Counts settled commands. */
  settled: Counter
  /** Counts messages that could not be parsed. */
  malformed: Counter
  /** Counts overdue commands that were ended. */
  overdue: Counter
}

export const createControlState = ({ db, metrics, ...options }: ControlOptions): ControlState => ({
  ...options,
  store: createCommandStore(db),
  startedAt: options.clock.now(),
  unacknowledged: createUnacknowledgedWrites(options.clock),
  openTracks: new Map(),
  settled: createSettledCounter(metrics),
  malformed: new Counter({
    name: 'control_malformed_total',
    help: 'Control messages that could not be read',
    registers: [metrics],
  }),
  overdue: new Counter({
    name: 'commands_overdue_total',
    help: 'Commands that nobody had brought to an end in time',
    registers: [metrics],
  }),
})

function createSettledCounter(metrics: Registry): Counter {
  const settled = new Counter({
    name: 'control_commands_total',
    help: 'Commands that came to an end',
    labelNames: ['state', 'reason'],
    registers: [metrics],
  })
  // Initialized to 0, so that monitoring sees an increase at the first one.
  settled.inc({ state: 'failed', reason: 'unreachable' }, 0)
  return settled
}

export const deviceKeyOf = (tenant: string, uid: string): string => `${tenant}/${uid}`

/** The pending commands of a device. */
export const openTracksOf = ({ openTracks }: ControlState, tenant: string, uid: string): Iterable<Track> =>
  openTracks.get(deviceKeyOf(tenant, uid)) ?? []

export const findTrack = (
  state: ControlState,
  tenant: string,
  requestId: string,
  uid: string,
): Track | undefined =>
  [...openTracksOf(state, tenant, uid)].find(({ command }) => command.RequestID === requestId)

/** Tracks a command until it is settled. */
export function trackInState(state: ControlState, tracked: TrackedCommand): Track {
  const { openTracks, store, clock, events, log } = state
  const key = deviceKeyOf(tracked.tenant, tracked.command.PeripheralUID)
  const track = trackCommand(tracked, {
    store,
    clock,
    events,
    log,
    onSettled: (one) => stopTracking(state, one),
  })
  openTracks.set(key, (openTracks.get(key) ?? new Set()).add(track))
  return track
}

function stopTracking({ openTracks, settled }: ControlState, track: Track): void {
  const { State, Reason, PeripheralUID } = track.command
  const key = deviceKeyOf(track.tenant, PeripheralUID)
  const tracks = openTracks.get(key)
  if (tracks?.delete(track) && isSettled(State)) settled.inc({ state: State, reason: Reason ?? '' })
  if (tracks?.size === 0) openTracks.delete(key)
}

/** Announces a command's current state. */
export function publishResponse(
  { events }: ControlState,
  tenant: string,
  command: Command,
  at: number,
): void {
  const { RequestID, HomeID, PeripheralUID, State, Reason, Values } = command
  const response = { RequestID, HomeID, PeripheralUID, State, Reason, Values, Timestamp: at }
  events.emit('commandChanged', { tenant, homeId: HomeID, response })
}

/** A command that is being tracked. */
export interface Track extends TrackedCommand {
  /**
   * Enters a state at once, then stores and announces it. Does nothing once the command is settled.
   *
   * detail  the hub's explanation; announced and not stored
   */
  changeState(state: CommandState, reason?: CommandFailure, detail?: string): void
  /** Runs the task after `ms`, unless the state has changed by then. */
  runAfter(ms: number, task: () => void): void
  /** Resolves when every entered state is stored, or waits for the database to recover. */
  whenStored(): Promise<void>
  stop(): void
}

/**
 * Tracks one command. States are stored in order and then announced; those that are entered during a write are stored
 * together, so that a fast device does not wait for one write per state.
 *
 * onSettled  called as soon as a final state is entered
 */
function trackCommand(
  tracked: TrackedCommand,
  {
    store,
    clock,
    events,
    log,
    onSettled,
  }: { store: CommandStore; clock: Clock; events: Events; log: Log; onSettled: (track: Track) => void },
): Track {
  const { command } = tracked
  let pending: CommandTransition[] = []
  /** The hub's explanation of the final state. */
  let reportedDetail: string | undefined
  /** State in the table. */
  let storedState = command.State
  let writing: Promise<void> | undefined
  let cancelTimer = () => {}
  let cancelRetry = () => {}

  async function write(): Promise<void> {
    while (pending.length > 0) {
      const steps = pending
      pending = []
      try {
        if (!(await store.advance({ tracked, from: storedState, steps }))) {
          // Another gateway of this database has advanced the command and tracks it.
          stop()
          pending = []
          writing = undefined
          onSettled(track)
          return
        }
      } catch (error) {
        log.warn({ err: error, requestId: command.RequestID }, 'command state not stored')
        pending = [...steps, ...pending]
        writing = undefined
        cancelRetry = clock.after(RETRY_MS, startWriting)
        return
      }
      storedState = (steps.at(-1) as CommandTransition).State
      for (const step of steps) emitChange(step)
    }
    writing = undefined
  }

  function startWriting() {
    writing ??= write()
  }

  function emitChange({ State, Reason, Timestamp }: CommandTransition) {
    const { RequestID, HomeID, PeripheralUID, Values } = command
    const response = {
      RequestID,
      HomeID,
      PeripheralUID,
      State,
      Reason,
      ...(isSettled(State) && reportedDetail !== undefined && { Detail: reportedDetail }),
      Values,
      Timestamp,
    }
    events.emit('commandChanged', { tenant: tracked.tenant, homeId: HomeID, response })
  }

  function stop() {
    cancelTimer()
    cancelRetry()
  }

  const track: Track = {
    ...tracked,
    changeState(state, reason, detail) {
      if (isSettled(command.State)) return
      const now = clock.now()
      command.State = state
      command.Reason = reason ?? null
      reportedDetail = detail
      cancelTimer()
      if (isSettled(state)) {
        command.SettledAt = now
        onSettled(track)
      }
      pending.push({ State: state, Reason: command.Reason, Timestamp: now })
      startWriting()
    },
    runAfter(ms, task) {
      const { State } = command
      cancelTimer()
      cancelTimer = clock.after(Math.max(0, ms), () => {
        if (command.State === State) task()
      })
    },
    whenStored: () => writing ?? Promise.resolve(),
    stop,
  }
  return track
}
