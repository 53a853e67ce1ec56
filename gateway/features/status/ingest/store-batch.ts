import pg from 'pg'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { alarmStateOf } from '../../../../contract/alarms/alarm-states.ts'
import { deviceOfMeter } from '../../../../contract/devices/kinds/meter-id.ts'
import type { GatewayEvents } from '../../../kernel/events.ts'
import { type EmitAlarmTransition, emitAlarmEvents } from '../../../domain/alarms/rule-alarms.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { idArray } from '../../../store/sql.ts'
import type { QuarantinedReading } from './ports.ts'
import type { BatchedMessage } from './batcher.ts'
import { fold, type Round } from './fold.ts'
import { type Report, secondRegisterOf, type Device } from './report.ts'
import { type IngestState, emitQuarantined } from './state.ts'
import { type LateState, storeLateStates, hasStateFields } from './store-late-states.ts'
import { type ChangedHome, storeRound, type StoredRound } from './store-reports.ts'
import { isDatabaseUnavailable, sleepUnlessClosed, RETRY_DELAY_MS } from './retry.ts'

/** The reports of one message, which are stored together with those of others. */
export interface Message extends BatchedMessage {
  reports: Report[]
}

/** Writes rounds; returns the result of each. */
type Write = (state: IngestState, rounds: readonly Round[], now: number) => Promise<StoredRound[]>

/**
 * Stores the reports of several messages. Waits while the database is unavailable.
 *
 * write    `storeRounds`, or `storeWithAlarms` for reports that can raise an alarm
 * countWaiting  number of waiting reports, for the log
 * returns  error of each message, undefined for a stored one
 */
export async function storeBatch(
  state: IngestState,
  messages: Message[],
  write: Write,
  countWaiting: () => number,
): Promise<unknown[]> {
  const { signal } = state.closing
  for (let delayMs = RETRY_DELAY_MS.first; ; delayMs = Math.min(delayMs * 2, RETRY_DELAY_MS.longest)) {
    try {
      await storeReports(
        state,
        messages.flatMap(({ reports }) => reports),
        write,
      )
      return messages.map(() => undefined)
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        if (signal.aborted) return messages.map(() => error)
        state.log.warn({ err: error, waiting: countWaiting() }, 'database unavailable, buffering reports')
        await sleepUnlessClosed(delayMs, signal)
      } else if (isForeignKeyViolation(error)) {
        // A device or its home was removed after the lookup.
        await revalidate(state, messages)
      } else if (messages.length > 1) {
        const half = Math.ceil(messages.length / 2)
        return [
          ...(await storeBatch(state, messages.slice(0, half), write, countWaiting)),
          ...(await storeBatch(state, messages.slice(half), write, countWaiting)),
        ]
      } else {
        state.log.error({ err: error }, 'report not stored')
        return [error]
      }
    }
  }
}

async function storeReports(state: IngestState, reports: Report[], write: Write): Promise<void> {
  const { db, clock, quarantine, refuse: reject, samples, seconds, stored } = state
  const end = seconds.startTimer()
  const now = clock.now()
  let repeats = 0
  const contradictingReports: Report[] = []
  const lateReports: Report[] = []
  const rounds = fold(reports, {
    onRepeated(first, again) {
      if (first.reading?.AccumulatePower === again.reading?.AccumulatePower) repeats += 1
      else contradictingReports.push(again)
    },
    onLate: (report) => lateReports.push(report),
  })
  const readings = rounds.flatMap((round) => round.readings)
  await prepareReadings(state, readings, now)
  await prepareEvents(state, reports, now)
  stored.inc({ kind: 'sample' }, await samples.store(reports, now))
  const results = await write(state, rounds, now)
  if (results.length === 0) return
  const { accepted, outdated } = splitByFreshness(rounds, results)
  // Emitted before the following steps: if those fail, a retry no longer sees which states changed.
  emitStatusChanges(
    state,
    results.flatMap(({ changed }) => changed),
    rounds.length > 1,
  )
  if (accepted.length > 0) state.events.emit('statusReported', accepted)
  // In its own transaction: if it fails, the sender repeats everything, and nothing is written twice.
  const alarms: EmitAlarmTransition[] = []
  await storeLateStates(db, [...outdated, ...lateReports], async (tx, states) => {
    alarms.push(...(await state.updateStateAlarms(tx, fireStatusesOf(states, now), now)))
  })
  emitAlarmEvents(state.events, alarms)
  const storedConflicts = results.flatMap((result) => result.conflicts)
  const conflicts = [...contradictingReports.flatMap(quarantined), ...storedConflicts]
  emitQuarantined(state, await quarantine(db, conflicts, 'conflict'))
  end()
  const freshCount = results.reduce((sum, result) => sum + result.stored, 0)
  stored.inc({ kind: 'reading' }, freshCount)
  state.repeatedReadings.inc(repeats - storedConflicts.length + readings.length - freshCount)
  if (conflicts.length > 0)
    reject('conflictingReading', { tenant: reports[0]?.device.tenant ?? '', count: conflicts.length })
}

/**
 * Smoke and fire states in late reports, as statuses, so that they raise alarms too. The alarm ends with the next
 * newer report, not with the one that arrived before it.
 */
function fireStatusesOf(states: readonly LateState[], now: number) {
  return states.flatMap(({ device, timestamp, field, value }) => {
    const { tenant, homeId, peripheralUID: PeripheralUID, type: PeripheralType } = device
    const status = { PeripheralUID, PeripheralType, Timestamp: timestamp, updateAt: now, [field]: value }
    return alarmStateOf(status)?.isFire ? [{ tenant, homeId, statuses: [status] }] : []
  })
}

/** Creates missing partitions of readings and numbers of meters. */
async function prepareReadings(
  { db, partitions }: IngestState,
  readings: readonly Report[],
  now: number,
): Promise<void> {
  if (readings.length === 0) return
  await partitions.prepare(
    readings.map(({ timestamp }) => timestamp),
    now,
  )
  await assignMeterIds(
    db,
    readings.map(({ device }) => device),
  )
}

/** Creates missing partitions of device events. */
async function prepareEvents(
  { eventPartitions }: IngestState,
  reports: readonly Report[],
  now: number,
): Promise<void> {
  const stateReports = reports.filter(hasStateFields)
  if (stateReports.length === 0) return
  await eventPartitions.prepare(
    stateReports.map(({ timestamp }) => timestamp),
    now,
  )
}

/** Stores rounds; several rounds in one transaction. */
export async function storeRounds(
  { db, storeAlone }: IngestState,
  rounds: readonly Round[],
  now: number,
): Promise<StoredRound[]> {
  const [first, ...more] = rounds
  if (!first) return []
  if (more.length === 0) return [await storeAlone(first, now)]
  return db.transaction(async (tx) => {
    const results: StoredRound[] = []
    for (const round of rounds) results.push(await storeRound(tx, round, now))
    return results
  })
}

/** Stores rounds, and in the same transaction raises or ends their alarms. */
export async function storeWithAlarms(
  state: IngestState,
  rounds: readonly Round[],
  now: number,
): Promise<StoredRound[]> {
  const storedRounds = await state.db.transaction(async (tx) => {
    const stored: { result: StoredRound; alarms: EmitAlarmTransition[] }[] = []
    for (const round of rounds) {
      const result = await storeRound(tx, round, now)
      stored.push({ result, alarms: await state.updateStateAlarms(tx, result.changed, now) })
    }
    return stored
  })
  emitAlarmEvents(
    state.events,
    storedRounds.flatMap(({ alarms }) => alarms),
  )
  return storedRounds.map(({ result }) => result)
}

/** Emits changed statuses by home; only the last of several changes of a device. */
function emitStatusChanges({ events, stored }: IngestState, changed: ChangedHome[], isMerged: boolean): void {
  for (const home of changed) stored.inc({ kind: 'status' }, home.count)
  for (const home of isMerged ? merge(changed) : changed) events.emit('statusChanged', home)
}

/** Looks up the devices of the messages again and discards the reports of removed ones. */
async function revalidate({ directory, refuse: reject }: IngestState, messages: Message[]): Promise<void> {
  directory.invalidateDevices(messages.flatMap(({ reports }) => reports.map(({ device }) => device)))
  for (const message of messages) {
    const kept: Report[] = []
    for (const report of message.reports) {
      const { tenant, peripheralUID, thingName, isReturn } = report.device
      const [device] = await directory.lookup(tenant, [{ uid: deviceOfMeter(peripheralUID).PeripheralUID }])
      if (device && device.thingName === thingName)
        kept.push({ ...report, device: isReturn ? secondRegisterOf(device) : device })
      else reject(device ? 'foreignDevice' : 'notAdded', { tenant, thingName })
    }
    message.reports = kept
  }
}

/** Quarantine entry of a reading; none if its meter has no number. */
const quarantined = ({ device: { meterId }, timestamp, reading }: Report): QuarantinedReading[] =>
  meterId !== undefined && reading ? [{ meterId, timestamp, kwh: reading.AccumulatePower }] : []

/** One entry per home, with the last status of each device. */
function merge(changed: ChangedHome[]): GatewayEvents['statusChanged'][] {
  const homes = new Map<
    string,
    { home: ChangedHome; statuses: Map<string, DeviceStatus>; changedUIDs: Set<string>; uids: Set<string> }
  >()
  for (const home of changed) {
    let merged = homes.get(home.homeId)
    if (!merged)
      homes.set(
        home.homeId,
        (merged = { home, statuses: new Map(), changedUIDs: new Set(), uids: new Set() }),
      )
    for (const status of home.statuses) merged.statuses.set(status.PeripheralUID, status)
    for (const uid of home.changedUIDs) merged.changedUIDs.add(uid)
    for (const uid of home.uids) merged.uids.add(uid)
  }
  return [...homes.values()].map(({ home: { tenant, homeId }, statuses, changedUIDs, uids }) => ({
    tenant,
    homeId,
    uids: [...uids],
    statuses: [...statuses.values()],
    changedUIDs: [...changedUIDs],
  }))
}

const isForeignKeyViolation = (error: unknown) => error instanceof pg.DatabaseError && error.code === '23503'

/** Assigns a meter number to every device that has none. */
export async function assignMeterIds(db: Db, devices: Iterable<Device>): Promise<void> {
  const keyOf = (tenant: string, homeId: string, uid: string) => `${tenant}/${homeId}/${uid}`
  const withoutId = new Map<string, Device[]>()
  for (const device of devices) {
    if (device.meterId !== undefined) continue
    const key = keyOf(device.tenant, device.homeId, device.peripheralUID)
    withoutId.set(key, [...(withoutId.get(key) ?? []), device])
  }
  if (withoutId.size === 0) return
  const wanted = [...withoutId.values()].map(([device]) => device as Device)
  // The empty update makes `returning` include rows that another gateway has just inserted.
  const rows = await db.query<{ tenant: string; homeId: string; uid: string; meterId: number }>(sql`
    insert into meters as m (tenant, home_id, peripheral_uid)
    select * from unnest(
      ${idArray(wanted.map((device) => device.tenant))}::uuid[],
      ${idArray(wanted.map((device) => device.homeId))}::text[],
      ${idArray(wanted.map((device) => device.peripheralUID))}::text[]
    ) as wanted (tenant, home_id, peripheral_uid)
    order by 1, 2, 3
    on conflict (tenant, home_id, peripheral_uid) do update set home_id = m.home_id
    returning tenant, home_id as "homeId", peripheral_uid as uid, meter_id as "meterId"`)
  for (const { tenant, homeId, uid, meterId } of rows)
    for (const device of withoutId.get(keyOf(tenant, homeId, uid)) ?? []) device.meterId = meterId
}

/** Statuses of rounds by outcome: `accepted` were stored, `outdated` are older than those in the database. */
interface RoundResult {
  accepted: readonly Report[]
  outdated: readonly Report[]
}

/** Splits the statuses of rounds by whether the database stored them. */
function splitByFreshness(rounds: readonly Round[], results: readonly StoredRound[]): RoundResult {
  const roundResults = rounds.map((round, i) => splitRound(round, results[i]?.changed ?? []))
  const [first] = roundResults
  if (first && roundResults.length === 1) return first
  return {
    accepted: roundResults.flatMap(({ accepted }) => accepted),
    outdated: roundResults.flatMap(({ outdated }) => outdated),
  }
}

function splitRound({ statuses }: Round, changed: StoredRound['changed']): RoundResult {
  const count = changed.reduce((sum, home) => sum + home.count, 0)
  // Usually all are stored; when a hub sends its backlog, none.
  if (count === statuses.length) return { accepted: statuses, outdated: [] }
  if (count === 0) return { accepted: [], outdated: statuses }
  const keys = new Set(
    changed.flatMap((home) => home.statuses.map(({ PeripheralUID }) => `${home.tenant}/${PeripheralUID}`)),
  )
  const isAccepted = ({ device }: Report) => keys.has(device.key)
  return { accepted: statuses.filter(isAccepted), outdated: statuses.filter((report) => !isAccepted(report)) }
}
