import type { ReceivedMessage, HubClient, TopicMatch } from '../../../kernel/broker.ts'
import { hasAlarmStates } from '../../../../contract/alarms/alarm-states.ts'
import {
  countWaiting,
  createIngestState,
  type IngestOptions,
  type IngestState,
  emitQuarantined,
} from './state.ts'
import { createBatcher } from './batcher.ts'
import type { Report, Device, Fault } from './report.ts'
import { type Message, storeBatch, storeRounds, storeWithAlarms } from './store-batch.ts'
import type { QuarantinedReading } from './ports.ts'
import { type Part, parseMessage, type RejectedReport } from './parse.ts'
import type { IngestRejection } from './refusals.ts'
import { retryWhileUnavailable } from './retry.ts'

/** Maximum waits for a batch in ms: screens show statuses live, readings can wait longer. */
const MAX_STATUS_WAIT_MS = 4
const MAX_READING_WAIT_MS = 20
/** Minimum lead of a hub's clock that is reported as a fault, in ms. */
const CLOCK_AHEAD_NOTICE_MS = 60_000

/** Queues a message for storage; resolves when it is stored. */
type AddMessage = (message: Message) => Promise<void>

/** Parses a hub's message, looks up its devices and queues the reports of the hub's own devices. */
function ingestMessage(
  state: IngestState,
  { match, payload, client }: Pick<ReceivedMessage, 'match' | 'payload' | 'client'>,
  add: AddMessage,
): Promise<void> {
  const { refuse: reject, directory } = state
  if (client.party !== 'hub') {
    reject('foreignHub', { tenant: client.tenant })
    return Promise.resolve()
  }
  const parsed = parseMessage(match, payload, client, state.timeIs())
  if (typeof parsed === 'string') {
    reject(parsed, client)
    if (parsed === 'malformed')
      emitFaults(state, client, match, [
        { uid: '', faults: [{ field: '', reason: parsed, value: undefined }] },
      ])
    return Promise.resolve()
  }
  checkHubClock(state, client, match, parsed.aheadMs)
  const parts = rejectUnusable(state, parsed.parts, client, match)
  const devices = directory.known(client.tenant, parts)
  if (devices) return enqueueReports(state, parts, devices, client, match, add)
  return retryWhileUnavailable(state.closing.signal, () => directory.lookup(client.tenant, parts)).then(
    (found) => enqueueReports(state, parts, found, client, match, add),
  )
}

const isRejected = (item: object): item is RejectedReport => 'rejection' in item

/** The valid parts; counts the others and records their faults. */
function rejectUnusable(
  state: IngestState,
  parts: readonly (Part | RejectedReport)[],
  hub: HubClient,
  match: TopicMatch,
): Part[] {
  if (!parts.some(isRejected)) return parts as Part[]
  const rejected = parts.filter(isRejected)
  for (const { rejection } of rejected) state.refuse(rejection, hub)
  emitFaults(
    state,
    hub,
    match,
    rejected.map(({ faults }) => ({ uid: '', faults })),
  )
  return parts.filter((part): part is Part => !isRejected(part))
}

/** Records faults of a device, or of the hub if the uid is empty. */
function emitFaults(
  { events }: IngestState,
  { tenant, thingName }: HubClient,
  { name }: TopicMatch,
  found: readonly { uid: string; faults: readonly Fault[] }[],
): void {
  events.emit('reportFaulty', {
    tenant,
    thingName,
    message: name === 'statusReport' ? 'status' : 'meter',
    faults: found.flatMap(({ uid, faults }) => faults.map((fault) => ({ uid, ...fault }))),
  })
}

/** Records that a hub's clock is ahead, or is no longer. */
function checkHubClock(state: IngestState, hub: HubClient, match: TopicMatch, aheadMs: number): void {
  if (aheadMs > CLOCK_AHEAD_NOTICE_MS) {
    state.aheadHubs.add(hub.thingName)
    emitFaults(state, hub, match, [
      { uid: '', faults: [{ field: 'Timestamp', reason: 'clockAhead', value: aheadMs }] },
    ])
  } else if (
    state.aheadHubs.size > 0 &&
    match.name === 'statusReport' &&
    state.aheadHubs.delete(hub.thingName)
  )
    state.events.emit('reportWell', { thingName: hub.thingName, uid: '', fields: ['Timestamp'] })
}

/** Compares the home too: a hub that was moved may still be connected with its former home. */
const belongsTo = (hub: HubClient, device: Device | undefined): device is Device =>
  device?.thingName === hub.thingName && device.homeId === hub.homeId

/** Queues the reports of the hub's devices, and quarantines invalid counters. */
function enqueueReports(
  state: IngestState,
  parts: Part[],
  devices: (Device | undefined)[],
  hub: HubClient,
  match: TopicMatch,
  add: AddMessage,
): Promise<void> {
  const now = state.timeIs()
  const checked = checkParts(state, parts, devices, hub, match, now)
  const reports = checked.some(({ returnReport }) => returnReport)
    ? checked.flatMap(({ returnReport, ...report }) => (returnReport ? [report, returnReport] : [report]))
    : checked
  const invalid = checked.flatMap(({ invalid: reading, invalidReturn: second }) => [
    ...(reading ? quarantinedOf(reading.device, reading) : []),
    ...(second ? quarantinedOf(second.device, second) : []),
  ])
  const quarantined = invalid.length > 0 ? quarantineInvalid(state, invalid) : Promise.resolve()
  if (reports.length === 0) return quarantined
  const maxWaitMs = reports[0]?.reading ? MAX_READING_WAIT_MS : MAX_STATUS_WAIT_MS
  const added = add({ reports, size: reports.length, maxWaitMs })
  return invalid.length > 0 ? Promise.all([quarantined, added]).then(() => {}) : added
}

/** Reports of the hub's own devices; counts and records faults. */
function checkParts(
  state: IngestState,
  parts: readonly Part[],
  devices: readonly (Device | undefined)[],
  hub: HubClient,
  match: TopicMatch,
  now: number,
): Report[] {
  const reports: Report[] = []
  const found: { uid: string; faults: readonly Fault[] }[] = []
  parts.forEach((part, i) => {
    const device = devices[i]
    if (!belongsTo(hub, device)) {
      state.refuse(device ? 'foreignDevice' : 'notAdded', hub)
      if (device)
        found.push({ uid: '', faults: [{ field: part.uid, reason: 'foreignDevice', value: undefined }] })
      return
    }
    const checked = part.check(device, now)
    if (!isRejected(checked)) reports.push(checked)
    if (checked.faults) {
      found.push({ uid: part.uid, faults: checked.faults })
      device.faulty ??= new Set()
      for (const { field } of checked.faults) device.faulty.add(field)
      state.refuse(rejectionOf(checked), hub)
    }
    if (device.faulty && !isRejected(checked)) emitRecovered(state, device, checked)
  })
  if (found.length > 0) emitFaults(state, hub, match, found)
  return reports
}

const rejectionOf = (checked: Report | RejectedReport): IngestRejection =>
  isRejected(checked)
    ? checked.rejection
    : checked.faults?.some(({ reason }) => reason === 'inexact')
      ? 'inexact'
      : 'values'

/** Records that formerly faulty fields of a device are valid again. */
function emitRecovered({ events }: IngestState, device: Device, { values, faults }: Report): void {
  const { faulty = new Set(), peripheralUID: uid, thingName } = device
  const isValid = (path: string): boolean => {
    if (faults?.some(({ field }) => field === path)) return false
    // A path that is no status value is valid again as soon as a report is.
    const [field = '', ...rest] = path.split('.')
    return path === '' || path === 'Timestamp' || hasValueAt(values[field], rest)
  }
  const fields = [...faulty].filter(isValid)
  if (fields.length === 0) return
  for (const field of fields) faulty.delete(field)
  if (faulty.size === 0) device.faulty = undefined
  events.emit('reportWell', { thingName, uid, fields })
}

/** Whether a value is known, or the member of it at a path. */
function hasValueAt(value: unknown, [next, ...rest]: readonly string[]): boolean {
  if (value === undefined || value === null) return false
  return next === undefined || hasValueAt((value as Readonly<Record<string, unknown>>)[next], rest)
}

const quarantinedOf = (
  { meterId }: Device,
  { timestamp, kwh }: { timestamp: number; kwh: number },
): QuarantinedReading[] => (meterId === undefined ? [] : [{ meterId, timestamp, kwh }])

const quarantineInvalid = (state: IngestState, invalid: readonly QuarantinedReading[]): Promise<void> =>
  retryWhileUnavailable(state.closing.signal, () => state.quarantine(state.db, invalid, 'invalid')).then(
    (meterIds) => emitQuarantined(state, meterIds),
  )

const canRaise = ({ device }: Report): boolean => hasAlarmStates(device.type)

/**
 * Two queues: reports that can raise an alarm are stored together with it, and do not delay the others, which are the
 * majority. A device always uses the same queue, so its reports stay in order.
 */
function createIngestLanes(state: IngestState) {
  const alarmBatcher = createBatcher<Message>((messages) =>
    storeBatch(state, messages, storeWithAlarms, waitingCount),
  )
  const otherBatcher = createBatcher<Message>((messages) =>
    storeBatch(state, messages, storeRounds, waitingCount),
  )
  function waitingCount(): number {
    return alarmBatcher.countQueued() + otherBatcher.countQueued()
  }
  const messageOf = ({ maxWaitMs }: Message, reports: Report[]): Message => ({
    reports,
    size: reports.length,
    maxWaitMs,
  })
  return {
    /** Resolves when all of the message is stored. After a failure the sender repeats the whole message, which is harmless. */
    add(message: Message): Promise<void> {
      if (!message.reports.some(canRaise)) return otherBatcher.add(message)
      if (message.reports.every(canRaise)) return alarmBatcher.add(message)
      return Promise.all([
        alarmBatcher.add(messageOf(message, message.reports.filter(canRaise))),
        otherBatcher.add(
          messageOf(
            message,
            message.reports.filter((report) => !canRaise(report)),
          ),
        ),
      ]).then(() => {})
    },
    waiting: waitingCount,
    /** Resolves when all queued messages are written or failed. */
    async flush(): Promise<void> {
      await Promise.all([alarmBatcher.flush(), otherBatcher.flush()])
    },
    /** Rejects further messages; resolves when all queued ones are written or failed. */
    async close(): Promise<void> {
      await Promise.all([alarmBatcher.close(), otherBatcher.close()])
    },
  }
}

export type ReportIngest = ReturnType<typeof createIngest>

/**
 * Ingests hubs' reports: parses them, stores them in order and emits changed statuses.
 *
 * Only for `status/report` and `meter/report`.
 */
export function createIngest(options: IngestOptions) {
  const state = createIngestState(options)
  const batchers = createIngestLanes(state)
  countWaiting(options.metrics, batchers.waiting)
  return {
    /**
     * Receives a hub's message and resolves when all valid parts are committed. Invalid parts are counted and logged,
     * and not rejected, so that a hub does not send them again. Waits while the database is unavailable.
     *
     * errors  rejects, so that the hub sends again, if the gateway closes first or storing failed for an unknown reason
     */
    receive: (message: Pick<ReceivedMessage, 'match' | 'payload' | 'client'>): Promise<void> =>
      ingestMessage(state, message, batchers.add),
    /** Resolves when everything received so far is stored or failed. */
    flush: batchers.flush,
    /** Rejects further messages; resolves when everything received is stored or, without a database, rejected. */
    async close(): Promise<void> {
      state.closing.abort()
      await batchers.close()
      state.directory.close()
    },
  }
}
