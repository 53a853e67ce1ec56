import type { findings } from '../../../../contract/findings/calls.ts'
import { dayOf, parseDay } from '../../../../contract/time/periods.ts'
import { CLAIM_DAYS } from '../../../../contract/findings/saving.ts'
import { sumOf } from '../logic/robust-statistics.ts'
import type { Handler } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { sql } from '../../../kernel/db.ts'
import type { Clock } from '../../../kernel/ports.ts'
import type { HomeClock } from '../../../domain/homes/home-clock.ts'
import type { InsightPorts } from '../logic/ports.ts'
import { findingOf } from './finding-rows.ts'
import { findingById } from './list-findings.ts'

type Call = typeof findings.recordMeasure

/** §RecordMeasure. */
export const recordMeasureHandler =
  (clock: Pick<Clock, 'now'>, ports: Pick<InsightPorts, 'energy' | 'savingBillsOf'>): Handler<Call> =>
  async ({ HomeID, MeterID, MeasureName, DoneOn }, context) => {
    const { db, actor } = context
    const { tenant } = actor
    const home = await ports.energy.homeOf(tenant, HomeID)
    const [today, day] = [dayOf(clock.now(), home.zone), parseDay(DoneOn)]
    if (day > today) throw new GatewayError('INVALID', 'It is not done yet', { DoneOn: 'tooBig' })
    const meters = await ports.energy.standingMeters(tenant, home)
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
  { energy, savingBillsOf }: Pick<InsightPorts, 'energy' | 'savingBillsOf'>,
  tenant: string,
  home: HomeClock,
  end: number,
): Promise<number | null> {
  const bills = await savingBillsOf(tenant, home)
  if (!bills) return null
  const from = end - CLAIM_DAYS
  const profile = await energy.loadProfile(tenant, home, from, end)
  const bought = sumOf([...profile.values()].map(({ kWh }) => sumOf(kWh)))
  return bought > 0 ? bills.ofDays(profile, from, end).Energy / bought : null
}
