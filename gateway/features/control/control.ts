import { Counter, type Registry } from 'prom-client'
import type { z } from 'zod'
import { controlAck, controlCommand, controlRequest } from '../../../contract/channels/control.ts'
import { refusalOf } from '../../../contract/device-kinds/refusal.ts'
import { parseCommandValues } from '../../../contract/device-kinds/status.ts'
import { decide } from '../../../contract/features.ts'
import type { Command, CommandFailure } from '../../../contract/procedures/commands.ts'
import { overlap } from '../../../contract/rules/merge-status.ts'
import { confirms } from '../../../contract/rules/status-order.ts'
import type { Broker, Client } from '../../broker/port.ts'
import type { Events } from '../../events.ts'
import type { Clock, Log } from '../../ports.ts'
import { parseBytes } from '../../lib/parse-bytes.ts'
import type { Db } from '../../store/db.ts'
import { createCommandStore } from './command-store.ts'
import { ACK_WITHIN, CONFIRM_WITHIN, type ControlRequest, isSettled, type Tracked } from './command.ts'
import { settleModbus } from './settle-modbus.ts'
import { createDoubts } from './doubts.ts'
import { type Track, trackCommand } from './track.ts'

export interface ControlOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  clock: Clock
  log: Log
  metrics: Registry
}

export type Control = ReturnType<typeof createControl>

/**
 * Sends commands to devices and follows each to its end (protocol, Topics): accepted, sent to the hub, acknowledged by
 * the hub, and confirmed by the device's next report, or failed, or timed out. Every state is stored, then announced as
 * `commandChanged`.
 */
export function createControl({ db, broker, events, clock, log, metrics }: ControlOptions) {
  const store = createCommandStore(db)
  const doubts = createDoubts(clock)
  /** Commands under way, by device. */
  const open = new Map<string, Set<Track>>()
  const settled = new Counter({
    name: 'control_commands_total',
    help: 'Commands that came to an end',
    labelNames: ['state', 'reason'],
    registers: [metrics],
  })
  const malformed = new Counter({
    name: 'control_malformed_total',
    help: 'Control messages that could not be read',
    registers: [metrics],
  })

  const deviceOf = (tenant: string, uid: string) => `${tenant}/${uid}`

  function follow(tracked: Tracked): Track {
    const key = deviceOf(tracked.tenant, tracked.command.PeripheralUID)
    const track = trackCommand(tracked, { store, clock, events, log, onSettled: forget })
    open.set(key, (open.get(key) ?? new Set()).add(track))
    return track
  }

  function forget(track: Track) {
    const { State, Reason, PeripheralUID } = track.command
    const key = deviceOf(track.tenant, PeripheralUID)
    const tracks = open.get(key)
    if (tracks?.delete(track) && isSettled(State)) settled.inc({ state: State, reason: Reason ?? '' })
    if (tracks?.size === 0) open.delete(key)
  }

  const find = (tenant: string, requestId: string, uid: string): Track | undefined =>
    [...(open.get(deviceOf(tenant, uid)) ?? [])].find(({ command }) => command.RequestID === requestId)

  function tell(tenant: string, command: Command, at = clock.now()) {
    const { RequestID, HomeID, PeripheralUID, State, Reason, Values } = command
    const response = { RequestID, HomeID, PeripheralUID, State, Reason, Values, Timestamp: at }
    events.emit('commandChanged', { tenant, homeId: HomeID, response })
  }

  async function request(asked: ControlRequest): Promise<Command> {
    const { tenant, homeId, RequestID, PeripheralUID } = asked
    const now = clock.now()
    const command: Command = {
      RequestID,
      HomeID: homeId,
      PeripheralUID,
      // Only what the device understands is kept and repeated: anything else may be of any size.
      Values: {},
      State: 'accepted',
      Reason: null,
      Source: asked.source,
      By: asked.by,
      RequestedAt: now,
      SettledAt: null,
    }
    const fail = (reason: CommandFailure) =>
      Object.assign(command, { State: 'failed', Reason: reason, SettledAt: now } satisfies Partial<Command>)

    // Who asks again takes over from the doubt at once, so that only one of them ends the command.
    const doubt = `${deviceOf(tenant, PeripheralUID)}/${RequestID}`
    const wasInDoubt = doubts.take(doubt)
    const isInDoubt = () => doubts.add(doubt, () => endUnsent({ tenant, command }))
    const target = await store.target({ tenant, homeId, uid: PeripheralUID }).catch((error: unknown) => {
      if (wasInDoubt) isInDoubt()
      throw error
    })
    if (!target) {
      if (wasInDoubt) isInDoubt()
      // Nothing to list it under, so it is told and not stored.
      tell(tenant, fail('notFound'))
      return command
    }
    const values = parseCommandValues(target.type, asked.Values)
    const allowed = values?.success ? settleModbus(values.data, target.modbusRows) : undefined
    const refused = allowed && refusalOf(target.type, allowed, target.status ?? undefined)
    if (!values) fail('notControllable')
    else if (!allowed) fail('invalidValues')
    else if (refused) fail(refused)
    else {
      command.Values = allowed
      if (!target.online) fail('hubOffline')
    }
    const tracked = { tenant, command, thingName: target.thingName }
    const step = { State: command.State, Reason: command.Reason, Timestamp: now }
    const isNew = await store.insert({ tracked, history: [step] }).catch((error: unknown) => {
      isInDoubt()
      throw error
    })
    const wasLost = doubts.take(doubt) || wasInDoubt
    if (!isNew) {
      const first =
        find(tenant, RequestID, PeripheralUID) ?? (await store.find(tenant, RequestID, PeripheralUID))
      if (first) tell(tenant, first.command, first.command.SettledAt ?? now)
      if (first && wasLost && first.command.State === 'accepted') await sendLate(first)
      return first?.command ?? command
    }
    tell(tenant, command, now)
    if (command.State === 'failed') settled.inc({ state: 'failed', reason: command.Reason ?? '' })
    else await send(tracked)
    return command
  }

  async function send(tracked: Tracked): Promise<void> {
    const { tenant, thingName, command } = tracked
    for (const other of open.get(deviceOf(tenant, command.PeripheralUID)) ?? [])
      if (overlap(other.command.Values, command.Values)) other.enter('failed', 'superseded')
    const track = follow(tracked)
    const { RequestID, HomeID, PeripheralUID, Values, RequestedAt } = command
    const topic = controlCommand.topic({ rootId: tenant, homeId: HomeID, thingName })
    const payload: z.input<typeof controlCommand.payload> = {
      RequestID,
      PeripheralUID,
      Values,
      Timestamp: RequestedAt,
      ExpiresIn: ACK_WITHIN,
    }
    try {
      await broker.publish(topic, payload, { qos: 1 })
    } catch (error) {
      log.warn({ err: error, thingName }, 'A command could not be sent')
      track.enter('failed', 'hubOffline')
      return
    }
    // A quick hub has answered while the broker was still handing the message over.
    if (command.State !== 'accepted') return
    track.enter('sent')
    awaitAcknowledgement(track, ACK_WITHIN)
  }

  /** Stored, and its sender asked again because the answer was lost; nobody has sent it. Too late is not sent at all. */
  async function sendLate(tracked: Tracked): Promise<void> {
    if (clock.now() - tracked.command.RequestedAt < ACK_WITHIN) await send(tracked)
    else await giveUp(follow(tracked), 'noAnswer')
  }

  /** Ends a command that may have been stored and was not asked for again. */
  async function endUnsent({ tenant, command }: Pick<Tracked, 'tenant' | 'command'>): Promise<void> {
    const { RequestID, PeripheralUID } = command
    const found = await store.find(tenant, RequestID, PeripheralUID)
    if (found?.command.State !== 'accepted' || find(tenant, RequestID, PeripheralUID)) return
    await giveUp(follow(found), 'noAnswer')
  }

  const awaitAcknowledgement = (track: Track, ms: number) =>
    track.within(ms, () => void giveUp(track, 'noAnswer'))
  const awaitConfirmation = (track: Track, ms: number) =>
    track.within(ms, () => void giveUp(track, 'notConfirmed'))

  /** Times a command out, unless its device was seen doing it by another gateway on this database. */
  async function giveUp(track: Track, reason: CommandFailure): Promise<void> {
    const status = await store.statusSince(track).catch(() => undefined)
    if (status && confirms(status, track.command.Values)) track.enter('confirmed')
    else track.enter('timedOut', reason)
  }

  async function receiveRequest(homeId: string, payload: unknown, client: Client): Promise<void> {
    const parsed = controlRequest.payload.safeParse(payload)
    if (!parsed.success || client.party !== 'screen') return malformed.inc()
    const { tenant, cognitoId, subject } = client
    // What proves the sender is between them and the gateway.
    const { Proof: _proof, ...asked } = parsed.data
    if (decide(controlRequest.access, subject) !== true) {
      const refused = { HomeID: homeId, Values: {}, State: 'failed', Reason: 'permissionDenied' } as const
      const response = { ...asked, ...refused, Timestamp: clock.now() }
      return events.emit('commandChanged', { tenant, homeId, response })
    }
    const by = await store.nameOf({ tenant, cognitoId })
    await request({ tenant, homeId, ...asked, source: 'person', by })
  }

  async function receiveAck(payload: unknown, client: Client): Promise<void> {
    const parsed = controlAck.payload.safeParse(payload)
    if (!parsed.success || client.party !== 'hub' || parsed.data.ThingName !== client.thingName)
      return malformed.inc()
    const { RequestID, PeripheralUID, Result, Reason } = parsed.data
    let track = find(client.tenant, RequestID, PeripheralUID)
    if (!track) {
      // Sent by another gateway on this database, or before a restart.
      const tracked = await store.find(client.tenant, RequestID, PeripheralUID)
      if (!tracked || isSettled(tracked.command.State)) return
      if (tracked.thingName !== client.thingName) return malformed.inc()
      track = find(client.tenant, RequestID, PeripheralUID) ?? follow(tracked)
    }
    if (track.thingName !== client.thingName || track.command.HomeID !== client.homeId) return malformed.inc()
    if (Result === 'failed') track.enter('failed', 'hubRefused', Reason)
    else if (track.command.State === 'accepted' || track.command.State === 'sent') {
      if (track.command.State === 'accepted') track.enter('sent')
      track.enter('acknowledged')
      awaitConfirmation(track, CONFIRM_WITHIN)
    }
    await track.stored()
  }

  /**
   * A report that was stored after the request confirms it when it shows what was asked for. The device's clock is not
   * asked, because hubs' clocks differ; an older report never gets this far (§4).
   */
  const off = events.on('statusChanged', (changed) => {
    if (open.size === 0) return
    for (const status of changed.statuses)
      for (const track of open.get(deviceOf(changed.tenant, status.PeripheralUID)) ?? [])
        if (status.updateAt >= track.command.RequestedAt && confirms(status, track.command.Values))
          track.enter('confirmed')
  })

  return {
    /**
     * Sends a command and answers it as it stands once it is on its way or refused; its further states are announced.
     * The same RequestID again, for the same device, answers the first command and sends nothing. A newer command that
     * sets a field of one under way supersedes it.
     *
     * errors  UNAVAILABLE when the database is away; refusals are states of the command, not errors
     */
    request,

    /** Takes a screen's `control/request` or a hub's `control/ack`; others are not for this room. */
    async receive(message: { topic: string; payload: Uint8Array; client: Client }): Promise<void> {
      const asked = controlRequest.match(message.topic)
      const answered = asked ? undefined : controlAck.match(message.topic)
      const levels = asked ?? answered
      if (!levels || levels.rootId !== message.client.tenant) return malformed.inc()
      const payload = parseBytes(message.payload)
      return asked
        ? receiveRequest(asked.homeId, payload, message.client)
        : receiveAck(payload, message.client)
    },

    list: store.list,

    /** Takes up what was under way when the gateway stopped: nothing is sent again, each command runs its time out. */
    async recover(): Promise<void> {
      for (const tracked of await store.open()) {
        const { RequestID, PeripheralUID, State, RequestedAt } = tracked.command
        if (find(tracked.tenant, RequestID, PeripheralUID)) continue
        const track = follow(tracked)
        const age = clock.now() - RequestedAt
        if (State === 'acknowledged') awaitConfirmation(track, ACK_WITHIN + CONFIRM_WITHIN - age)
        else awaitAcknowledgement(track, ACK_WITHIN - age)
      }
    },

    /** Stops following; what is under way stays open in the database for the next start. */
    async close(): Promise<void> {
      off()
      doubts.close()
      const tracks = [...open.values()].flatMap((set) => [...set])
      for (const track of tracks) track.stop()
      await Promise.all(tracks.map((track) => track.stored()))
      open.clear()
    },
  }
}
