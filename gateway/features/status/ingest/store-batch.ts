import pg from 'pg'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import { alarmStateOf } from '../../../../contract/alarms/alarm-states.ts'
import { deviceOfMeter } from '../../../../contract/devices/meter-roles.ts'
import type { GatewayEvents } from '../../../kernel/events.ts'
import { type EmitAlarmTransition, emitAlarmEvents } from '../../../domain/alarms/emit-alarm-events.ts'
import type { QuarantinedReading } from '../ports.ts'
import type { BatchedMessage } from './batcher.ts'
import { fold, type Round } from './fold.ts'
import { type Report, secondRegisterOf, type Device } from './report.ts'
import { type IngestState, emitQuarantined } from './state.ts'
import { type LateState, storeLateStates, hasStateFields } from './store-late-states.ts'
import { type ChangedHome, storeRound, type StoredRound } from './store-reports.ts'
import { splitByFreshness } from './freshness.ts'
import { isDatabaseUnavailable, sleepUnlessClosed, RETRY_DELAY_MS } from './retry.ts'
import { type Db, sql } from '../../../store/db.ts'
import { idArray } from '../../../store/array-literal.ts'

/** The reports of one message, which are stored together with those of others. */
export interface Message extends BatchedMessage {
  reports: Report[]
}

/** Writes rounds; answers what became of each. */
type Write = (state: IngestState, rounds: readonly Round[], now: number) => Promise<StoredRound[]>

/**
 * Stores the reports of some messages. A database that is away is waited for.
 *
 * write    storeRounds, or storeWithAlarms for reports that can raise one
 * waiting  how many reports wait, for the log
 * returns  each message's error, undefined for those that are stored
 */
export async function storeBatch(
  state: IngestState,
  messages: Message[],
  write: Write,
  waiting: () => number,
): Promise<unknown[]> {
  const { signal } = state.closing
  for (let wait = RETRY_DELAY_MS.first; ; wait = Math.min(wait * 2, RETRY_DELAY_MS.longest)) {
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
        state.log.warn({ err: error, waiting: waiting() }, 'database unavailable, buffering reports')
        await sleepUnlessClosed(wait, signal)
      } else if (isForeignKeyViolation(error)) {
        // A device or its home was removed after we had looked.
        await revise(state, messages)
      } else if (messages.length > 1) {
        const half = Math.ceil(messages.length / 2)
        return [
          ...(await storeBatch(state, messages.slice(0, half), write, waiting)),
          ...(await storeBatch(state, messages.slice(half), write, waiting)),
        ]
      } else {
        state.log.error({ err: error }, 'report not stored')
        return [error]
      }
    }
  }
}

async function storeReports(state: IngestState, reports: Report[], write: Write): Promise<void> {
  const { db, clock, quarantine, refuse, samples, seconds, stored } = state
  const end = seconds.startTimer()
  const now = clock.now()
  let repeats = 0
  const contradicting: Report[] = []
  const late: Report[] = []
  const rounds = fold(reports, {
    repeated(first, again) {
      if (first.reading?.AccumulatePower === again.reading?.AccumulatePower) repeats += 1
      else contradicting.push(again)
    },
    late: (report) => late.push(report),
  })
  const readings = rounds.flatMap((round) => round.readings)
  await prepareReadings(state, readings, now)
  await prepareEvents(state, reports, now)
  stored.inc({ kind: 'sample' }, await samples.store(reports, now))
  const results = await write(state, rounds, now)
  if (results.length === 0) return
  const { taken, passedOver } = splitByFreshness(rounds, results)
  // At once: what moved is known only now, and not when all of it is stored again.
  tell(
    state,
    results.flatMap(({ changed }) => changed),
    rounds.length > 1,
  )
  if (taken.length > 0) state.events.emit('statusReported', taken)
  // Not with the rounds: whoever does not hear that it is done sends all of it again, and nothing is written twice.
  const alarms: EmitAlarmTransition[] = []
  await storeLateStates(db, [...passedOver, ...late], async (tx, states) => {
    alarms.push(...(await state.noteStates(tx, dangersOf(states, now), now)))
  })
  emitAlarmEvents(state.events, alarms)
  const found = results.flatMap((result) => result.conflicts)
  const conflicts = [...contradicting.flatMap(quarantined), ...found]
  emitQuarantined(state, await quarantine(db, conflicts, 'conflict'))
  end()
  const fresh = results.reduce((sum, result) => sum + result.stored, 0)
  stored.inc({ kind: 'reading' }, fresh)
  state.repeatedReadings.inc(repeats - found.length + readings.length - fresh)
  if (conflicts.length > 0)
    refuse('conflictingReading', { tenant: reports[0]?.device.tenant ?? '', count: conflicts.length })
}

/**
 * Smoke and fire that a hub reports after a newer status of the same device, as statuses: people must hear of it. The next report
 * that says otherwise ends the alarm, not the one that was sent too early.
 */
function dangersOf(states: readonly LateState[], now: number) {
  return states.flatMap(({ device, timestamp, field, value }) => {
    const { tenant, homeId, peripheralUID: PeripheralUID, type: PeripheralType } = device
    const status = { PeripheralUID, PeripheralType, Timestamp: timestamp, updateAt: now, [field]: value }
    return alarmStateOf(status)?.isFire ? [{ tenant, homeId, statuses: [status] }] : []
  })
}

/** Gives readings their place, and their meters numbers. */
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

/** Gives what reports may say of states its place. */
async function prepareEvents(
  { eventPartitions }: IngestState,
  reports: readonly Report[],
  now: number,
): Promise<void> {
  const telling = reports.filter(hasStateFields)
  if (telling.length === 0) return
  await eventPartitions.prepare(
    telling.map(({ timestamp }) => timestamp),
    now,
  )
}

/** Stores rounds, several of them all or none. */
export async function storeRounds(
  { db, storeAlone }: IngestState,
  rounds: readonly Round[],
  now: number,
): Promise<StoredRound[]> {
  const [first, ...more] = rounds
  if (!first) return []
  if (more.length === 0) return [await storeAlone(first, now)]
  return db.transaction(async (tx) => {
    const all: StoredRound[] = []
    for (const round of rounds) all.push(await storeRound(tx, round, now))
    return all
  })
}

/** Stores rounds, and in the same transaction the alarms that they raise or end. */
export async function storeWithAlarms(
  state: IngestState,
  rounds: readonly Round[],
  now: number,
): Promise<StoredRound[]> {
  const done = await state.db.transaction(async (tx) => {
    const each: { result: StoredRound; alarms: EmitAlarmTransition[] }[] = []
    for (const round of rounds) {
      const result = await storeRound(tx, round, now)
      each.push({ result, alarms: await state.noteStates(tx, result.changed, now) })
    }
    return each
  })
  emitAlarmEvents(
    state.events,
    done.flatMap(({ alarms }) => alarms),
  )
  return done.map(({ result }) => result)
}

/** Tells of changed statuses, home by home; of several changes of one device only the last. */
function tell({ events, stored }: IngestState, changed: ChangedHome[], several: boolean): void {
  for (const home of changed) stored.inc({ kind: 'status' }, home.count)
  for (const home of several ? merge(changed) : changed) events.emit('statusChanged', home)
}

/** Looks the devices of these messages up again and drops the reports of those that are gone. */
async function revise({ directory, refuse }: IngestState, messages: Message[]): Promise<void> {
  directory.distrust(messages.flatMap(({ reports }) => reports.map(({ device }) => device)))
  for (const message of messages) {
    const kept: Report[] = []
    for (const report of message.reports) {
      const { tenant, peripheralUID, thingName, isSecond } = report.device
      const [device] = await directory.lookup(tenant, [{ uid: deviceOfMeter(peripheralUID).PeripheralUID }])
      if (device && device.thingName === thingName)
        kept.push({ ...report, device: isSecond ? secondRegisterOf(device) : device })
      else refuse(device ? 'foreignDevice' : 'notAdded', { tenant, thingName })
    }
    message.reports = kept
  }
}

/** A reading that is not stored, of a meter that is known. */
const quarantined = ({ device: { meterId }, timestamp, reading }: Report): QuarantinedReading[] =>
  meterId !== undefined && reading ? [{ meterId, timestamp, kwh: reading.AccumulatePower }] : []

/** One entry per home, with the last status of each device. */
function merge(changed: ChangedHome[]): GatewayEvents['statusChanged'][] {
  const homes = new Map<
    string,
    { home: ChangedHome; statuses: Map<string, DeviceStatus>; moved: Set<string>; uids: Set<string> }
  >()
  for (const home of changed) {
    let merged = homes.get(home.homeId)
    if (!merged)
      homes.set(home.homeId, (merged = { home, statuses: new Map(), moved: new Set(), uids: new Set() }))
    for (const status of home.statuses) merged.statuses.set(status.PeripheralUID, status)
    for (const uid of home.moved) merged.moved.add(uid)
    for (const uid of home.uids) merged.uids.add(uid)
  }
  return [...homes.values()].map(({ home: { tenant, homeId }, statuses, moved, uids }) => ({
    tenant,
    homeId,
    uids: [...uids],
    statuses: [...statuses.values()],
    moved: [...moved],
  }))
}

const isForeignKeyViolation = (error: unknown) => error instanceof pg.DatabaseError && error.code === '23503'

/** Gives every device that has none the number its readings are stored under. */
export async function assignMeterIds(db: Db, devices: Iterable<Device>): Promise<void> {
  const keyOf = (tenant: string, homeId: string, uid: string) => `${tenant}/${homeId}/${uid}`
  const without = new Map<string, Device[]>()
  for (const device of devices) {
    if (device.meterId !== undefined) continue
    const key = keyOf(device.tenant, device.homeId, device.peripheralUID)
    without.set(key, [...(without.get(key) ?? []), device])
  }
  if (without.size === 0) return
  const all = [...without.values()].map(([device]) => device as Device)
  // The empty update makes `returning` answer those that another gateway has just made, too.
  const rows = await db.query<{ tenant: string; homeId: string; uid: string; meterId: number }>(sql`
    insert into meters as m (tenant, home_id, peripheral_uid)
    select * from unnest(
      ${idArray(all.map((device) => device.tenant))}::uuid[],
      ${idArray(all.map((device) => device.homeId))}::text[],
      ${idArray(all.map((device) => device.peripheralUID))}::text[]
    ) as wanted (tenant, home_id, peripheral_uid)
    order by 1, 2, 3
    on conflict (tenant, home_id, peripheral_uid) do update set home_id = m.home_id
    returning tenant, home_id as "homeId", peripheral_uid as uid, meter_id as "meterId"`)
  for (const { tenant, homeId, uid, meterId } of rows)
    for (const device of without.get(keyOf(tenant, homeId, uid)) ?? []) device.meterId = meterId
}
