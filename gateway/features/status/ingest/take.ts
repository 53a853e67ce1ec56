import type { HubClient, Received } from '../../../broker/port.ts'
import type { QuarantinedReading } from '../ports.ts'
import { type Part, parseMessage } from './parse.ts'
import type { Refusal } from './refusals.ts'
import type { Device, Report } from './report.ts'
import { type IngestState, tellQuarantined } from './state.ts'
import type { Message } from './store-batch.ts'
import { patiently } from './wait.ts'

/** Somebody watches a status; a reading can wait for company. */
const STATUS_PATIENCE = 4
const READING_PATIENCE = 20

/** Takes a message to be stored with others; resolves when it is. */
type Add = (message: Message) => Promise<void>

/** Takes one message of a hub: parses it, finds its devices and hands what is theirs on to be stored. */
export function take(
  state: IngestState,
  { match, payload, client }: Pick<Received, 'match' | 'payload' | 'client'>,
  add: Add,
): Promise<void> {
  const { refuse, directory } = state
  if (client.party !== 'hub') {
    refuse('foreignHub', { tenant: client.tenant })
    return Promise.resolve()
  }
  const parsed = parseMessage(match, payload, client)
  if (typeof parsed === 'string') {
    refuse(parsed, client)
    return Promise.resolve()
  }
  const parts = refuseAll(state, parsed, client)
  const devices = directory.known(client.tenant, parts)
  if (devices) return handOn(state, parts, devices, client, add)
  return patiently(state.closing.signal, () => directory.lookup(client.tenant, parts)).then((found) =>
    handOn(state, parts, found, client, add),
  )
}

/** What is not refused; mostly that is everything. */
function refuseAll<T extends object>({ refuse }: IngestState, items: (T | Refusal)[], hub: HubClient): T[] {
  if (items.every((item) => typeof item !== 'string')) return items
  return items.filter((item): item is T => {
    if (typeof item === 'string') refuse(item, hub)
    return typeof item !== 'string'
  })
}

/** The home too: a hub that was moved may still be connected as one of its former home. */
const isOf = (hub: HubClient, device: Device | undefined): device is Device =>
  device?.thingName === hub.thingName && device.homeId === hub.homeId

/** Hands the parts whose device is the hub's on to be stored. */
function handOn(
  state: IngestState,
  parts: Part[],
  devices: (Device | undefined)[],
  hub: HubClient,
  add: Add,
): Promise<void> {
  const now = state.timeIs()
  const checked = parts.map((part, i): Report | Refusal => {
    const device = devices[i]
    return isOf(hub, device) ? part.check(device, now) : device ? 'foreignDevice' : 'notAdded'
  })
  const firsts = refuseAll(state, checked, hub)
  const reports = firsts.some(({ second }) => second)
    ? firsts.flatMap(({ second, ...report }) => (second ? [report, second] : [report]))
    : firsts
  const invalid = [
    ...(firsts.length < parts.length
      ? parts.flatMap((part, i) => invalidOf(part, devices[i], hub, now))
      : []),
    ...firsts.flatMap(({ invalidSecond: one }) => (one ? quarantinedOf(one.device, one) : [])),
  ]
  const kept = invalid.length > 0 ? keepInvalid(state, invalid) : Promise.resolve()
  if (reports.length === 0) return kept
  const patience = reports[0]?.reading ? READING_PATIENCE : STATUS_PATIENCE
  const added = add({ reports, size: reports.length, patience })
  return invalid.length > 0 ? Promise.all([kept, added]).then(() => {}) : added
}

/** A counter of the hub's meter that no meter can show. */
function invalidOf(
  part: Part,
  device: Device | undefined,
  hub: HubClient,
  now: number,
): QuarantinedReading[] {
  const value = isOf(hub, device) && part.invalid?.(now)
  return value ? quarantinedOf(device, value) : []
}

const quarantinedOf = (
  { meterId }: Device,
  { timestamp, kwh }: { timestamp: number; kwh: number },
): QuarantinedReading[] => (meterId === undefined ? [] : [{ meterId, timestamp, kwh }])

const keepInvalid = (state: IngestState, invalid: readonly QuarantinedReading[]): Promise<void> =>
  patiently(state.closing.signal, () => state.quarantine(state.db, invalid, 'invalid')).then((meterIds) =>
    tellQuarantined(state, meterIds),
  )
