import type { HubClient, ReceivedMessage, TopicMatch } from '../../../kernel/broker.ts'
import type { QuarantinedReading } from './ports.ts'
import { type Part, parseMessage, type RejectedReport } from './parse.ts'
import type { Refusal } from './refusals.ts'
import type { Device, Fault, Report } from './report.ts'
import { type IngestState, emitQuarantined } from './state.ts'
import type { Message } from './store-batch.ts'
import { retryWhileUnavailable } from './retry.ts'

/** Maximum waits for a batch in ms: screens show statuses live, readings can wait longer. */
const MAX_STATUS_WAIT_MS = 4
const READING_PATIENCE = 20
/** Minimum lead of a hub's clock that is reported as a fault, in ms. */
const CLOCK_AHEAD_NOTICE_MS = 60_000

/** Queues a message for storage; resolves when it is stored. */
type Add = (message: Message) => Promise<void>

/** Parses a hub's message, looks up its devices and queues the reports of the hub's own devices. */
export function ingestMessage(
  state: IngestState,
  { match, payload, client }: Pick<ReceivedMessage, 'match' | 'payload' | 'client'>,
  add: Add,
): Promise<void> {
  const { refuse, directory } = state
  if (client.party !== 'hub') {
    refuse('foreignHub', { tenant: client.tenant })
    return Promise.resolve()
  }
  const parsed = parseMessage(match, payload, client, state.timeIs())
  if (typeof parsed === 'string') {
    refuse(parsed, client)
    if (parsed === 'malformed')
      noteFaults(state, client, match, [
        { uid: '', faults: [{ field: '', reason: parsed, came: undefined }] },
      ])
    return Promise.resolve()
  }
  noteClock(state, client, match, parsed.ahead)
  const parts = keep(state, parsed.parts, client, match)
  const devices = directory.known(client.tenant, parts)
  if (devices) return handOn(state, parts, devices, client, match, add)
  return retryWhileUnavailable(state.closing.signal, () => directory.lookup(client.tenant, parts)).then(
    (found) => handOn(state, parts, found, client, match, add),
  )
}

const isRefused = (item: object): item is RejectedReport => 'refusal' in item

/** The valid parts; counts the others and records their faults. */
function keep(
  state: IngestState,
  parts: readonly (Part | RejectedReport)[],
  hub: HubClient,
  match: TopicMatch,
): Part[] {
  if (!parts.some(isRefused)) return parts as Part[]
  const refused = parts.filter(isRefused)
  for (const { refusal } of refused) state.refuse(refusal, hub)
  noteFaults(
    state,
    hub,
    match,
    refused.map(({ faults }) => ({ uid: '', faults })),
  )
  return parts.filter((part): part is Part => !isRefused(part))
}

/** Records faults of a device, or of the hub if the uid is empty. */
function noteFaults(
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
function noteClock(state: IngestState, hub: HubClient, match: TopicMatch, ahead: number): void {
  if (ahead > CLOCK_AHEAD_NOTICE_MS) {
    state.aheadHubs.add(hub.thingName)
    noteFaults(state, hub, match, [
      { uid: '', faults: [{ field: 'Timestamp', reason: 'clockAhead', came: ahead }] },
    ])
  } else if (
    state.aheadHubs.size > 0 &&
    match.name === 'statusReport' &&
    state.aheadHubs.delete(hub.thingName)
  )
    state.events.emit('reportWell', { thingName: hub.thingName, uid: '', fields: ['Timestamp'] })
}

/** Compares the home too: a hub that was moved may still be connected with its former home. */
const isOf = (hub: HubClient, device: Device | undefined): device is Device =>
  device?.thingName === hub.thingName && device.homeId === hub.homeId

/** Queues the reports of the hub's devices, and quarantines invalid counters. */
function handOn(
  state: IngestState,
  parts: Part[],
  devices: (Device | undefined)[],
  hub: HubClient,
  match: TopicMatch,
  add: Add,
): Promise<void> {
  const now = state.timeIs()
  const firsts = check(state, parts, devices, hub, match, now)
  const reports = firsts.some(({ second }) => second)
    ? firsts.flatMap(({ second, ...report }) => (second ? [report, second] : [report]))
    : firsts
  const invalid = firsts.flatMap(({ invalid: one, invalidSecond: second }) => [
    ...(one ? quarantinedOf(one.device, one) : []),
    ...(second ? quarantinedOf(second.device, second) : []),
  ])
  const kept = invalid.length > 0 ? keepInvalid(state, invalid) : Promise.resolve()
  if (reports.length === 0) return kept
  const patience = reports[0]?.reading ? READING_PATIENCE : MAX_STATUS_WAIT_MS
  const added = add({ reports, size: reports.length, patience })
  return invalid.length > 0 ? Promise.all([kept, added]).then(() => {}) : added
}

/** Reports of the hub's own devices; counts and records faults. */
function check(
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
    if (!isOf(hub, device)) {
      state.refuse(device ? 'foreignDevice' : 'notAdded', hub)
      if (device)
        found.push({ uid: '', faults: [{ field: part.uid, reason: 'foreignDevice', came: undefined }] })
      return
    }
    const checked = part.check(device, now)
    if (!isRefused(checked)) reports.push(checked)
    if (checked.faults) {
      found.push({ uid: part.uid, faults: checked.faults })
      device.faulty ??= new Set()
      for (const { field } of checked.faults) device.faulty.add(field)
      state.refuse(refusalOf(checked), hub)
    }
    if (device.faulty && !isRefused(checked)) noteWell(state, device, checked)
  })
  if (found.length > 0) noteFaults(state, hub, match, found)
  return reports
}

const refusalOf = (checked: Report | RejectedReport): Refusal =>
  isRefused(checked)
    ? checked.refusal
    : checked.faults?.some(({ reason }) => reason === 'inexact')
      ? 'inexact'
      : 'values'

/** Records that formerly faulty fields of a device are valid again. */
function noteWell({ events }: IngestState, device: Device, { values, faults }: Report): void {
  const { faulty = new Set(), peripheralUID: uid, thingName } = device
  const isWell = (path: string): boolean => {
    if (faults?.some(({ field }) => field === path)) return false
    // A path that is no status value is valid again as soon as a report is.
    const [field = '', ...below] = path.split('.')
    return path === '' || path === 'Timestamp' || shows(values[field], below)
  }
  const fields = [...faulty].filter(isWell)
  if (fields.length === 0) return
  for (const field of fields) faulty.delete(field)
  if (faulty.size === 0) device.faulty = undefined
  events.emit('reportWell', { thingName, uid, fields })
}

/** Whether a value is known, or the member of it at a path. */
function shows(value: unknown, [next, ...below]: readonly string[]): boolean {
  if (value === undefined || value === null) return false
  return next === undefined || shows((value as Readonly<Record<string, unknown>>)[next], below)
}

const quarantinedOf = (
  { meterId }: Device,
  { timestamp, kwh }: { timestamp: number; kwh: number },
): QuarantinedReading[] => (meterId === undefined ? [] : [{ meterId, timestamp, kwh }])

const keepInvalid = (state: IngestState, invalid: readonly QuarantinedReading[]): Promise<void> =>
  retryWhileUnavailable(state.closing.signal, () => state.quarantine(state.db, invalid, 'invalid')).then(
    (meterIds) => emitQuarantined(state, meterIds),
  )
