import { Counter, type Registry } from 'prom-client'
import type { Command } from '../../../contract/devices/command-calls.ts'
import type { Broker } from '../../broker/port.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import type { Db } from '../../store/db.ts'
import type { RemoteGateways } from './ports.ts'
import { type CommandStore, createCommandStore } from './command-store.ts'
import { isSettled, type TrackedCommand } from './command.ts'
import { type Track, trackCommand } from './track.ts'
import { createUnacknowledgedWrites } from './unacknowledged-writes.ts'

export interface ControlOptions {
  db: Db
  broker: Pick<Broker, 'publish' | 'heard'>
  events: Events
  clock: Clock
  log: Log
  metrics: Registry
  /** Whether a hub is connected to this gateway, now. */
  isHere: (thingName: string) => boolean
  /** This gateway's id; left out where connections of hubs are not stored. */
  me?: (() => string) | undefined
  /** Left out where no other gateway can be. */
  elsewhere?: RemoteGateways | undefined
}

/** What is known of the commands under way. */
export interface ControlState extends Omit<ControlOptions, 'db' | 'metrics'> {
  store: CommandStore
  /** Start of this gateway, epoch ms. */
  startedAt: number
  unacknowledged: ReturnType<typeof createUnacknowledgedWrites>
  /** Commands under way, by device. */
  open: Map<string, Set<Track>>
  /** Commands that came to an end. */
  settled: Counter
  /** Messages that could not be read. */
  malformed: Counter
  /** Commands that nobody had brought to an end in time. */
  overdue: Counter
}

export const createControlState = ({ db, metrics, ...options }: ControlOptions): ControlState => ({
  ...options,
  store: createCommandStore(db),
  startedAt: options.clock.now(),
  unacknowledged: createUnacknowledgedWrites(options.clock),
  open: new Map(),
  settled: countSettled(metrics),
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

function countSettled(metrics: Registry): Counter {
  const settled = new Counter({
    name: 'control_commands_total',
    help: 'Commands that came to an end',
    labelNames: ['state', 'reason'],
    registers: [metrics],
  })
  // Whoever watches for growth sees that of the first one, too.
  settled.inc({ state: 'failed', reason: 'unreachable' }, 0)
  return settled
}

export const deviceOf = (tenant: string, uid: string): string => `${tenant}/${uid}`

/** The commands under way to a device. */
export const openOf = ({ open }: ControlState, tenant: string, uid: string): Iterable<Track> =>
  open.get(deviceOf(tenant, uid)) ?? []

export const findTrack = (
  state: ControlState,
  tenant: string,
  requestId: string,
  uid: string,
): Track | undefined => [...openOf(state, tenant, uid)].find(({ command }) => command.RequestID === requestId)

/** Follows a command until it is settled. */
export function trackInState(state: ControlState, tracked: TrackedCommand): Track {
  const { open, store, clock, events, log } = state
  const key = deviceOf(tracked.tenant, tracked.command.PeripheralUID)
  const track = trackCommand(tracked, { store, clock, events, log, onSettled: (one) => forget(state, one) })
  open.set(key, (open.get(key) ?? new Set()).add(track))
  return track
}

function forget({ open, settled }: ControlState, track: Track): void {
  const { State, Reason, PeripheralUID } = track.command
  const key = deviceOf(track.tenant, PeripheralUID)
  const tracks = open.get(key)
  if (tracks?.delete(track) && isSettled(State)) settled.inc({ state: State, reason: Reason ?? '' })
  if (tracks?.size === 0) open.delete(key)
}

/** Announces a command as it stands. */
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
