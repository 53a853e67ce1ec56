import { isDeepStrictEqual } from 'node:util'
import {
  type EndedRoom,
  MAX_DATED,
  type MeterFact,
  type meterFacts,
} from '../../../contract/procedures/meter-facts.ts'
import { startOfDay } from '../../../contract/rules/energy/periods.ts'
import {
  ALWAYS,
  type Dated,
  type FactValues,
  type MeterFactName,
  type StoredFact,
} from '../../../contract/rules/meter/meter-facts.ts'
import type { HandlersOf, SignedIn } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { dateOf, dayGiven, refuseFuture, refuseUnseen } from '../../lib/dated-facts.ts'
import { findHome } from '../../lib/find-home.ts'
import { dropFact, historyOfFact, holdFacts, type MeterKey, putFact } from '../../lib/meters/meter-facts.ts'
import { type Db, empty, sql } from '../../store/db.ts'
import { checkValue } from './check-fact.ts'
import { type FactMeter, findFactMeter } from './fact-meter.ts'
import { mirrorFact } from './mirror-fact.ts'
import type { Rollup } from './ports.ts'

/** Facts of which something always holds. */
const STARTED: readonly StoredFact[] = ['room', 'parent', 'terms']

export const meterFactHandlers = (rollup: Rollup): HandlersOf<typeof meterFacts> => ({
  listEndedRoom: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<EndedRoom>(sql`select room_id as "RoomID", room_name as "RoomName", removed_at as "RemovedAt"
      from ended_rooms where tenant = ${actor.tenant} and home_id = ${HomeID} order by 1`)
  },

  listMeterFact: async ({ HomeID, MeterID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return select(db, { tenant: actor.tenant, HomeID, MeterID })
  },

  setMeterFact: async ({ HomeID, MeterID, Fact, Value, From, Seen }, context) => {
    const { db, actor, clock } = context
    const key = { tenant: actor.tenant, HomeID, MeterID }
    const { zone, meter, before } = await holdHistory(context, key, Fact, Seen)
    const from = dayGiven(From)
    refuseFuture(from, clock.now(), zone)
    if (From === null) await dropFact(db, key, Fact)
    else if (before.length >= MAX_DATED && !before.some((one) => one.from === from))
      throw new GatewayError('LIMIT_EXCEEDED', `A fact has at most ${MAX_DATED} days`)
    else if (before.length === 0 && from !== ALWAYS) await putStart(db, key, meter, Fact, clock.now())
    const one = { from, value: Value } as Dated<FactValues[typeof Fact]>
    await putFact(db, key, Fact, one, { by: actor.name, at: clock.now() })
    return finish(rollup, context, { key, zone, meter, fact: Fact, before })
  },

  deleteMeterFact: async ({ HomeID, MeterID, Fact, From, Seen }, context) => {
    const { db, actor } = context
    const key = { tenant: actor.tenant, HomeID, MeterID }
    const { zone, meter, before } = await holdHistory(context, key, Fact, Seen)
    const from = dayGiven(From)
    if (!before.some((one) => one.from === from))
      throw new GatewayError('NOT_FOUND', 'Nothing is said from this day on', { From: 'notFound' })
    // A meter always stands somewhere, and a virtual one is always made of others.
    if (from === ALWAYS && STARTED.includes(Fact) && before.length > 1)
      throw new GatewayError('INVALID', 'What always held can only be replaced', { From: 'required' })
    await dropFact(db, key, Fact, from)
    return finish(rollup, context, { key, zone, meter, fact: Fact, before })
  },
})

/** The history of a fact, held against others until the transaction ends. Errors: NOT_FOUND, CONFLICT. */
async function holdHistory(
  { db, actor }: SignedIn,
  key: MeterKey,
  fact: MeterFactName,
  seen: Pick<MeterFact, 'From' | 'Value'>[] | undefined,
): Promise<{ zone: string; meter: FactMeter; before: Dated<unknown>[] }> {
  const home = await holdFacts(db, actor.tenant, key.HomeID)
  const meter = await findFactMeter(db, key, fact)
  const before = await historyOfFact(db, key, fact)
  refuseUnseen(seen, before)
  return { zone: home.zone, meter, before }
}

/** Before the first change a meter stood where its device does, and a virtual one was what it is. */
async function putStart(db: Db, key: MeterKey, meter: FactMeter, fact: MeterFactName, at: number) {
  const by = { by: null, at }
  if (fact === 'room') await putFact(db, key, fact, { from: ALWAYS, value: meter.roomId }, by)
  if (fact === 'parent') await putFact(db, key, fact, { from: ALWAYS, value: meter.parent }, by)
  if (fact === 'terms') await putFact(db, key, fact, { from: ALWAYS, value: meter.terms ?? [] }, by)
}

/** Checks the new history, and sees to what is made of it. Answers it. */
async function finish(
  rollup: Rollup,
  context: SignedIn,
  {
    key,
    zone,
    meter,
    fact,
    before,
  }: { key: MeterKey; zone: string; meter: FactMeter; fact: MeterFactName; before: Dated<unknown>[] },
): Promise<MeterFact[]> {
  const { db } = context
  const after = await historyOfFact(db, key, fact)
  await checkValue(db, key, fact, after)
  // Readings are judged by it: another one changes what was counted.
  if (fact === 'limit' && meter.meterId !== null) {
    await rollup.holdMeters(db, [meter.meterId])
    const from = firstChange(before, after)
    if (from !== undefined)
      await rollup.markDirty(db, [
        { meterId: meter.meterId, from: from === ALWAYS ? 0 : startOfDay(from, zone), through: 8.64e15 },
      ])
  }
  await mirrorFact(context, key, meter, fact, after)
  const said = (history: Dated<unknown>[]) =>
    history.map(({ from, value }) => ({ MeterID: key.MeterID, Fact: fact, From: dateOf(from), Value: value }))
  context.audit({ before: said(before), after: said(after) })
  context.change('metering.update', { HomeID: key.HomeID })
  return select(db, key, fact)
}

/** The first day of which two histories say something else; undefined where they agree. */
function firstChange(
  before: readonly Dated<unknown>[],
  after: readonly Dated<unknown>[],
): number | undefined {
  const days = [...new Set([...before, ...after].map(({ from }) => from))].toSorted((a, b) => a - b)
  const on = (history: readonly Dated<unknown>[], day: number) =>
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
