import type { findings } from '../../../../contract/findings/calls.ts'
import type { InputOf } from '../../../../contract/kernel/define-endpoint.ts'
import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import { dayOf, parseDay } from '../../../../contract/time/periods.ts'
import {
  type FindingState,
  LATER_DAYS,
  mayMove,
  WANTED_DAYS,
  WRONG_FACTOR,
  CLAIM_DAYS,
} from '../../../../contract/findings/finding-life.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { assertVersion } from '../../../lib/assert-version.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { sumOf } from '../logic/robust-statistics.ts'
import type { Clock } from '../../../kernel/ports.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import type { InsightPorts } from '../logic/ports.ts'
import { findingOf, type FindingRow, findingById } from './list-findings.ts'

type Call = typeof findings.updateFinding
type Input = InputOf<Call>

/** State of a finding after an update; days as `dayOf` numbers them. */
interface Next {
  state: FindingState
  reason: FindingRow['Reason']
  until: number | null
  doneOn: number | null
  isLive: boolean
}

/** §UpdateFinding. */
export const updateFinding: Handler<Call> = async (input, context) => {
  const { db, clock, actor } = context
  const { HomeID, FindingID } = input
  const [home] = await db.query<{ zone: string }>(sql`
    select h.time_zone as zone from findings f join homes h on h.tenant = f.tenant and h.home_id = f.home_id
    where f.tenant = ${actor.tenant} and f.home_id = ${HomeID} and f.finding_id = ${FindingID}::uuid for no key update of f`)
  if (!home) throw new GatewayError('NOT_FOUND', `Finding ${FindingID} does not exist`)
  const row = await findingById(db, actor.tenant, HomeID, FindingID)
  assertVersion(input.Version, row)
  const next = nextOf(input, row, dayOf(clock.now(), home.zone))
  const Owner = input.Owner === undefined ? row.Owner : input.Owner
  if (input.Owner) await needPerson(db, actor.tenant, input.Owner)
  const Due = input.Due === undefined ? row.Due : input.Due === null ? null : parseDay(input.Due)
  if (next.isLive) await assertNoOther(db, actor.tenant, row)
  await db.query(sql`
    update findings set state = ${next.state}, reason = ${next.reason}, until = ${next.until}, done_on = ${next.doneOn},
      is_live = ${next.isLive}, owner = ${Owner}::uuid, due = ${Due}, version = version + 1
    where tenant = ${actor.tenant} and finding_id = ${FindingID}::uuid`)
  if (next.reason === 'wrong' && row.Reason !== 'wrong') await raiseThreshold(db, actor.tenant, row)
  // The headline consists of open findings.
  if (next.state !== row.State)
    await db.query(sql`
      insert into insight_due (tenant, home_id, reason) values (${actor.tenant}, ${HomeID}, 'finding')`)
  const after = findingOf(await findingById(db, actor.tenant, HomeID, FindingID))
  context.change('finding.update', { HomeID })
  context.audit({ before: saidOf(findingOf(row)), after: saidOf(after) })
  return after
}

const saidOf = ({
  Kind,
  PlaceName,
  State,
  OwnerName,
  Due,
  Reason,
  Until,
  DoneOn,
}: ReturnType<typeof findingOf>) => ({
  Kind,
  PlaceName,
  State,
  OwnerName,
  Due,
  Reason,
  Until,
  DoneOn,
})

const reject = (field: keyof Input, reason: FieldReason): never => {
  throw new GatewayError('INVALID', `${field} cannot be this`, { [field]: reason })
}

/** Errors: CONFLICT if the state does not allow the change; INVALID for fields that do not belong to the state. */
function nextOf(input: Input, row: FindingRow, today: number): Next {
  const state = input.State ?? row.State
  if (!mayMove(row.State, state))
    throw new GatewayError('CONFLICT', `A finding that is ${row.State} cannot become ${state}`, {
      State: 'changed',
    })
  const reason = state === 'dismissed' ? (input.Reason ?? (row.State === state ? row.Reason : null)) : null
  if (state === 'dismissed' && reason === null) reject('Reason', 'required')
  if (state !== 'dismissed' && input.Reason !== undefined) reject('Reason', 'invalid')
  return {
    state,
    reason,
    until: untilOf(input, row, reason, today),
    doneOn: doneOnOf(input, row, state, today),
    isLive: reason !== 'wrong',
  }
}

function untilOf({ Until }: Input, row: FindingRow, reason: Next['reason'], today: number): number | null {
  if (reason !== 'later') {
    if (Until !== undefined) reject('Until', 'invalid')
    if (reason !== 'wanted') return null
    return row.Reason === 'wanted' && row.Until !== null ? row.Until : today + WANTED_DAYS
  }
  const until = Until === undefined ? (row.Reason === 'later' ? row.Until : null) : parseDay(Until)
  if (until === null) return reject('Until', 'required')
  if (until <= today) reject('Until', 'tooSmall')
  if (until > today + LATER_DAYS) reject('Until', 'tooBig')
  return until
}

function doneOnOf({ DoneOn }: Input, row: FindingRow, state: FindingState, today: number): number | null {
  if (state !== 'done') return DoneOn === undefined ? null : reject('DoneOn', 'invalid')
  const day = DoneOn === undefined ? (row.DoneOn ?? today) : parseDay(DoneOn)
  if (day > today) reject('DoneOn', 'tooBig')
  return day
}

/** A finding dismissed as wrong may have been detected again since. Errors: CONFLICT. */
async function assertNoOther(db: Db, tenant: string, row: FindingRow): Promise<void> {
  const [other] = await db.query(sql`
    select 1 from findings where tenant = ${tenant} and home_id = ${row.HomeID} and kind = ${row.Kind}
      and room_id is not distinct from ${row.RoomID} and meter_id is not distinct from ${row.MeterID} and is_live
      and finding_id <> ${row.FindingID}::uuid`)
  if (other) throw new GatewayError('CONFLICT', 'It was found again since', { State: 'changed' })
}

/** Asserts that the person belongs to the company and is enabled. Errors: INVALID with `{ Owner: 'notFound' }`. */
async function needPerson(db: Db, tenant: string, cognitoId: string): Promise<void> {
  const found = await db.query(
    sql`select 1 from users where tenant = ${tenant} and cognito_id = ${cognitoId}::uuid and enabled`,
  )
  if (found.length === 0) reject('Owner', 'notFound')
}

async function raiseThreshold(
  db: Db,
  tenant: string,
  { HomeID, Kind, RoomID, MeterID }: FindingRow,
): Promise<void> {
  await db.query(sql`
    insert into finding_thresholds as t (tenant, home_id, kind, room_id, meter_id, factor)
    values (${tenant}, ${HomeID}, ${Kind}, ${RoomID}, ${MeterID}, ${WRONG_FACTOR})
    on conflict (tenant, home_id, kind, room_id, meter_id) do update set factor = t.factor * ${WRONG_FACTOR}`)
}

type RecordCall = typeof findings.recordMeasure

/** §RecordMeasure. */
export const recordMeasureHandler =
  (clock: Pick<Clock, 'now'>, ports: Pick<InsightPorts, 'energy' | 'readSavingBills'>): Handler<RecordCall> =>
  async ({ HomeID, MeterID, MeasureName, DoneOn }, context) => {
    const { db, actor } = context
    const { tenant } = actor
    const home = await ports.energy.readHome(tenant, HomeID)
    const [today, day] = [dayOf(clock.now(), home.zone), parseDay(DoneOn)]
    if (day > today) throw new GatewayError('INVALID', 'It is not done yet', { DoneOn: 'tooBig' })
    const meters = await ports.energy.readStandingMeters(tenant, home)
    if (!meters.some((meter) => meter.MeterID === MeterID))
      throw new GatewayError('NOT_FOUND', `Meter ${MeterID} does not exist`, { MeterID: 'notFound' })
    const price = await meanPrice(ports, tenant, home, today)
    const [row] = await db.query<{ id: string }>(sql`
      insert into findings (tenant, home_id, kind, meter_id, from_day, through_day, confidence, why, evidence, memory, state, done_on,
        first_seen, last_seen)
      values (${tenant}, ${HomeID}, 'measure', ${MeterID}, ${day - CLAIM_DAYS + 1}::int, ${day}::int, 'high',
        ${JSON.stringify({ Key: 'measure', Values: { Name: MeasureName } })}::jsonb, '{"Unit": "kWh", "Days": []}'::jsonb,
        ${price === null ? null : JSON.stringify({ price })}::jsonb, 'done', ${day}::int, ${day}::int, ${day}::int)
      on conflict (tenant, home_id, kind, room_id, meter_id) where is_live do nothing
      returning finding_id as id`)
    if (!row)
      throw new GatewayError('CONFLICT', 'Another measure on this meter is not measured yet', {
        MeterID: 'taken',
      })
    await db.query(sql`
      insert into insight_due (tenant, home_id, reason) values (${tenant}, ${HomeID}, 'finding')`)
    const finding = findingOf(await findingById(db, tenant, HomeID, row.id))
    context.change('finding.update', { HomeID })
    context.audit({ after: { PlaceName: finding.PlaceName, MeasureName, DoneOn } })
    return finding
  }

/** Mean energy price of the last 28 finished days, NT$ per kWh; null without prices, or if nothing was bought. */
async function meanPrice(
  { energy, readSavingBills }: Pick<InsightPorts, 'energy' | 'readSavingBills'>,
  tenant: string,
  home: HomeClock,
  end: number,
): Promise<number | null> {
  const bills = await readSavingBills(tenant, home)
  if (!bills) return null
  const from = end - CLAIM_DAYS
  const profile = await energy.loadProfile(tenant, home, from, end)
  const bought = sumOf([...profile.values()].map(({ kWh }) => sumOf(kWh)))
  return bought > 0 ? bills.ofDays(profile, from, end).Energy / bought : null
}
