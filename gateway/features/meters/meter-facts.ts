import { isDeepStrictEqual } from 'node:util'
import {
  type EndedRoom,
  MAX_HISTORY_ENTRIES,
  type MeterFact,
  type meterFacts,
} from '../../../contract/meters/fact-calls.ts'
import { startOfDay } from '../../../contract/time/periods.ts'
import {
  SINCE_ALWAYS,
  type DatedValue,
  type FactValues,
  type MeterFactName,
  type StoredFact,
} from '../../../contract/meters/meter-facts.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import {
  dateOf,
  parseInputDay,
  assertNotFuture,
  assertSeenVersion,
  deleteFact,
  historyOfFact,
  lockMeterFacts,
  type MeterKey,
  upsertFact,
} from '../../domain/meters/meter-facts.ts'
import { findHome } from '../../domain/homes/find-home.ts'
import { checkWeights, WEIGHING, type HomeTree, treeOfHome } from '../../domain/meters/home-tree.ts'
import { type Db, empty, sql } from '../../kernel/db.ts'
import { validateFact, type FactMeter, findFactMeter } from './check-fact.ts'
import type { Rollup } from './ports.ts'
import { Peripheral } from '../../../contract/devices/peripheral.ts'
import { VirtualMeter } from '../../../contract/meters/virtual-meter.ts'
import { columnsOf } from '../../store/sql.ts'

/** Facts that always have a value. */
const STARTED: readonly StoredFact[] = ['room', 'parent', 'terms']

export const meterFactHandlers = (rollup: Rollup): HandlersOf<typeof meterFacts> => ({
  listEndedRoom: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<EndedRoom>(sql`select room_id as "RoomID", room_name as "RoomName", removed_at as "RemovedAt"
      from ended_rooms where tenant = ${actor.tenant} and home_id = ${HomeID} order by 1`)
  },

  listMeterFact: async ({ HomeID, MeterID, Fact }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return select(db, { tenant: actor.tenant, HomeID, MeterID }, Fact)
  },

  setMeterFact: async ({ HomeID, ...fact }, context) => {
    const { zone } = await lockMeterFacts(context.db, context.actor.tenant, HomeID)
    return conclude(rollup, context, { HomeID, zone }, [await writeFact(context, { HomeID, zone }, fact)])
  },

  setMeterFacts: async ({ HomeID, Facts }, context) => {
    const { zone } = await lockMeterFacts(context.db, context.actor.tenant, HomeID)
    const changes: Change[] = []
    for (const [i, fact] of Facts.entries())
      changes.push(await inField(`Facts.${i}`, writeFact(context, { HomeID, zone }, fact)))
    return conclude(rollup, context, { HomeID, zone }, changes)
  },

  deleteMeterFact: async ({ HomeID, MeterID, Fact, From, Seen }, context) => {
    const { db, actor } = context
    const key = { tenant: actor.tenant, HomeID, MeterID }
    const { zone } = await lockMeterFacts(db, actor.tenant, HomeID)
    const change = await openHistory(db, key, Fact, Seen)
    const from = parseInputDay(From)
    if (!change.before.some((one) => one.from === from))
      throw new GatewayError('NOT_FOUND', 'Nothing is said from this day on', { From: 'notFound' })
    // A meter always has a room and a parent entry, and a virtual one always has terms.
    if (from === SINCE_ALWAYS && STARTED.includes(Fact) && change.before.length > 1)
      throw new GatewayError('INVALID', 'What always held can only be replaced', { From: 'required' })
    await deleteFact(db, key, Fact, from)
    return conclude(rollup, context, { HomeID, zone }, [change])
  },
})

/** A home whose facts are locked until the transaction ends. */
interface HeldHome {
  HomeID: string
  zone: string
}

/** One fact of a meter in a call's input. */
interface FactInput extends Pick<MeterFact, 'MeterID' | 'Value' | 'From'> {
  Fact: MeterFactName
  Seen?: Pick<MeterFact, 'From' | 'Value'>[] | undefined
}

interface Change {
  key: MeterKey
  fact: MeterFactName
  meter: FactMeter
  before: DatedValue<unknown>[]
}

/** Reads a history before a change. Errors: NOT_FOUND, CONFLICT. */
async function openHistory(
  db: Db,
  key: MeterKey,
  fact: MeterFactName,
  seen: FactInput['Seen'],
): Promise<Change> {
  const meter = await findFactMeter(db, key, fact)
  const before = await historyOfFact(db, key, fact)
  assertSeenVersion(seen, before)
  return { key, fact, meter, before }
}

/** Writes a fact without checking the history. Errors: NOT_FOUND, CONFLICT, LIMIT_EXCEEDED, INVALID for a future day. */
async function writeFact(
  { db, actor, clock }: SignedIn,
  { HomeID, zone }: HeldHome,
  { MeterID, Fact, Value, From, Seen }: FactInput,
): Promise<Change> {
  const key = { tenant: actor.tenant, HomeID, MeterID }
  const change = await openHistory(db, key, Fact, Seen)
  const { meter, before } = change
  const from = parseInputDay(From)
  assertNotFuture(from, clock.now(), zone)
  if (From === null) await deleteFact(db, key, Fact)
  else if (before.length >= MAX_HISTORY_ENTRIES && !before.some((one) => one.from === from))
    throw new GatewayError('LIMIT_EXCEEDED', `A fact has at most ${MAX_HISTORY_ENTRIES} days`)
  else if (before.length === 0 && from !== SINCE_ALWAYS) await putStart(db, key, meter, Fact, clock.now())
  const one = { from, value: Value } as DatedValue<FactValues[typeof Fact]>
  await upsertFact(db, key, Fact, one, { by: actor.name, at: clock.now() })
  return change
}

/** Prefixes the fields of an error with the path of a part of the input. */
const inField = <T>(path: string, work: Promise<T>): Promise<T> =>
  work.catch((err: unknown) => {
    if (!(err instanceof GatewayError) || !err.fields) throw err
    const fields = Object.entries(err.fields).map(([field, reason]) => [`${path}.${field}`, reason])
    throw new GatewayError(err.code, err.message, Object.fromEntries(fields) as typeof err.fields)
  })

/** Stores the initial value of a fact before its first change: the device's room or parent, or the virtual meter's terms. */
async function putStart(db: Db, key: MeterKey, meter: FactMeter, fact: MeterFactName, at: number) {
  const by = { by: null, at }
  if (fact === 'room') await upsertFact(db, key, fact, { from: SINCE_ALWAYS, value: meter.roomId }, by)
  if (fact === 'parent') await upsertFact(db, key, fact, { from: SINCE_ALWAYS, value: meter.parent }, by)
  if (fact === 'terms') await upsertFact(db, key, fact, { from: SINCE_ALWAYS, value: meter.terms ?? [] }, by)
}

/** Checks the new histories together, and updates what depends on them. Returns them. */
async function conclude(
  rollup: Rollup,
  context: SignedIn,
  { HomeID, zone }: HeldHome,
  changes: readonly Change[],
): Promise<MeterFact[]> {
  const { db, actor } = context
  const after: DatedValue<unknown>[][] = []
  let tree: Promise<HomeTree> | undefined
  const readTree = () => (tree ??= treeOfHome(db, actor.tenant, HomeID))
  for (const { key, fact } of changes) {
    const history = await historyOfFact(db, key, fact)
    await validateFact(db, key, fact, history, readTree)
    after.push(history)
  }
  if (changes.some(({ fact }) => WEIGHING.includes(fact))) checkWeights(await readTree())
  const dirtySpans = changes.flatMap(({ fact, meter: { meterId }, before }, i) => {
    const from = firstChange(before, after[i] ?? [])
    // Readings are judged by the limit, so a change affects the counted energy.
    return fact === 'limit' && meterId !== null && from !== undefined
      ? [{ meterId, from: from === SINCE_ALWAYS ? 0 : startOfDay(from, zone), through: 8.64e15 }]
      : []
  })
  if (dirtySpans.length) {
    await rollup.lockMeters(
      db,
      dirtySpans.map(({ meterId }) => meterId),
    )
    await rollup.markDirty(db, dirtySpans)
  }
  for (const [i, { key, meter, fact }] of changes.entries())
    await mirrorFact(context, key, meter, fact, after[i] ?? [])
  const rowsOf = (histories: readonly DatedValue<unknown>[][]) =>
    changes.flatMap(({ key: { MeterID }, fact }, i) =>
      (histories[i] ?? []).map(({ from, value }) => ({
        MeterID,
        Fact: fact,
        From: dateOf(from),
        Value: value,
      })),
    )
  context.audit({ before: rowsOf(changes.map(({ before }) => before)), after: rowsOf(after) })
  context.change('metering.update', { HomeID })
  const results: MeterFact[] = []
  for (const { key, fact } of changes) results.push(...(await select(db, key, fact)))
  return results
}

/** First day on which two histories differ; undefined if they are equal. */
function firstChange(
  before: readonly DatedValue<unknown>[],
  after: readonly DatedValue<unknown>[],
): number | undefined {
  const days = [...new Set([...before, ...after].map(({ from }) => from))].toSorted((a, b) => a - b)
  const on = (history: readonly DatedValue<unknown>[], day: number) =>
    history.findLast(({ from }) => from <= day)?.value
  return days.find((day) => !isDeepStrictEqual(on(before, day), on(after, day)))
}

async function select(
  db: Db,
  { tenant, HomeID, MeterID }: Pick<MeterKey, 'tenant' | 'HomeID'> & { MeterID?: string | undefined },
  fact?: StoredFact,
): Promise<MeterFact[]> {
  const rows = await db.query<Omit<MeterFact, 'From'> & { from: number }>(sql`
    select meter_key as "MeterID", fact as "Fact", from_day as from, value as "Value", by as "By", at as "At"
    from meter_facts where tenant = ${tenant} and home_id = ${HomeID}
      ${MeterID === undefined ? empty : sql`and meter_key = ${MeterID}`}
      ${fact === undefined ? empty : sql`and fact = ${fact}`}
    order by meter_key, fact, from_day`)
  return rows.map(({ from, ...row }) => ({ ...row, From: dateOf(from) }))
}

/** Copies the present value of a fact to the device (room, parent, role) or the virtual meter; a parent that is no device is not copied. */
async function mirrorFact(
  context: SignedIn,
  { tenant, HomeID, MeterID }: MeterKey,
  { PeripheralUID }: FactMeter,
  fact: MeterFactName,
  history: readonly DatedValue<unknown>[],
): Promise<void> {
  const today = history.at(-1)
  if (fact === 'terms' && today) await mirrorTerms(context, { tenant, HomeID, MeterID }, today.value)
  if (MeterID !== PeripheralUID) return
  const column =
    fact === 'role'
      ? sql`role = ${(today?.value ?? null) as string | null}`
      : fact === 'room' && today
        ? sql`room_id = ${today.value as number}::int`
        : fact === 'parent' && today
          ? sql`parent_meter = (select a.peripheral_uid from peripherals a where a.tenant = ${tenant}
              and a.home_id = ${HomeID} and a.peripheral_uid = ${today.value as string | null})`
          : undefined
  if (!column) return
  const [record] = await context.db.query<Peripheral>(sql`update peripherals set ${column}
    where tenant = ${tenant} and home_id = ${HomeID} and peripheral_uid = ${PeripheralUID}
    returning ${columnsOf(Peripheral)}`)
  if (record) context.change('peripheral.update', record)
}

async function mirrorTerms(
  context: SignedIn,
  { tenant, HomeID, MeterID }: MeterKey,
  terms: unknown,
): Promise<void> {
  const [record] = await context.db.query<VirtualMeter>(sql`
    update virtual_meters set terms = ${JSON.stringify(terms)}::jsonb, version = version + 1
    where tenant = ${tenant} and home_id = ${HomeID} and virtual_meter_id = ${MeterID}
    returning ${columnsOf(VirtualMeter)}`)
  if (record) context.change('virtualMeter.update', record)
}
