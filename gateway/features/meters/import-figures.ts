import {
  type ImportedMeter,
  MAX_IMPORTED_METERS,
  type MeterImport,
  type MeterImportCheck,
  PLAUSIBLE_RATIO,
} from '../../../contract/meters/import-calls.ts'
import { deviceOfMeter } from '../../../contract/devices/kinds/meter-id.ts'
import { defaultRoleOf, type MeterRole } from '../../../contract/devices/meter-roles.ts'
import { valueOn } from '../../../contract/meters/meter-facts.ts'
import { DAY_MS, dayOf, quartersOfDay } from '../../../contract/time/periods.ts'
import { factsOfHome } from '../../domain/meters/meter-facts.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { sql } from '../../kernel/db.ts'
import {
  type DraftEnergy,
  type DraftMeter,
  readDraftEnergy,
  readPeaks,
  readRowsOverLimit,
} from './import-energy.ts'
import type { ImportPorts } from './ports.ts'

const HOUR_MS = 3_600_000
/** Number of days that a monthly cost is computed for. */
const DAYS_OF_MONTH = 30
/** Roles of meters whose energy is bought at the home's tariff. */
const BUYERS: readonly MeterRole[] = ['load', 'gridImport', 'storageCharge', 'check']

type Figures = Pick<MeterImportCheck, 'Meters' | 'OverLimit' | 'OverLimitCount'> & {
  /** Whether the energy of a meter differs from what is stored. */
  isUnlike: boolean
}

/**
 * Reads the figures of the meters of a validated draft, and the rows above their limit. The meters must be rolled up, without the draft.
 */
export async function readFigures(
  ports: ImportPorts,
  context: SignedIn,
  { draft, meters, zone }: { draft: MeterImport; meters: readonly DraftMeter[]; zone: string },
): Promise<Figures> {
  if (meters.length === 0) return { Meters: [], OverLimit: [], OverLimitCount: 0, isUnlike: false }
  const { db } = context
  const first = Math.min(...meters.map((meter) => dayOf(meter.first, zone)))
  const last = Math.max(...meters.map((meter) => dayOf(meter.last, zone)))
  const ids = meters.map(({ meterId }) => meterId)
  const limitsOf = await ports.readLimitsBetween(db, ids, { first, last })
  // Rows that were just added have no statistics: the planner would expect one or two and choose a nested loop.
  await db.query(sql`set local enable_nestloop = off`)
  const energies = await readDraftEnergy(db, draft, meters, zone)
  const peaks = new Map((await readPeaks(db, draft, meters)).map((peak) => [peak.meterId, peak]))
  const suspects = meters.filter(({ meterId }) => {
    const kw = peaks.get(meterId)?.kw ?? 0
    return limitsOf(meterId).some(({ value }) => kw > value)
  })
  const { rows, count } = await readRowsOverLimit(db, draft, suspects, { limitsOf, zone })
  await db.query(sql`set local enable_nestloop to default`)
  const costOf = await readCosts(ports, context, draft.HomeID, zone)
  const Meters = meters.slice(0, MAX_IMPORTED_METERS).map((meter): ImportedMeter => {
    const peak = peaks.get(meter.meterId)
    const energy = energies.get(meter.meterId) as DraftEnergy
    // A single counter value is compared with the stored reading before it.
    const { kwh, from, ms } = energy.ms > 0 || !peak ? energy : peak
    const From = from ?? meter.first
    const perDay = meter.through > From ? (kwh * DAY_MS) / (meter.through - From) : 0
    const lastDay = dayOf(meter.last, zone)
    return {
      PeripheralUID: meter.uid,
      kWh: kwh,
      From,
      Through: meter.through,
      PerDay: perDay,
      MeanKw: ms > 0 ? (kwh * HOUR_MS) / ms : null,
      MaxKw: peak?.kw ?? null,
      LimitKw: valueOn(limitsOf(meter.meterId), lastDay) as number,
      Ratio: energy.ratio,
      Overlaps: energy.overlaps ?? 0,
      CostPerMonth: costOf(meter.uid, lastDay, perDay),
    }
  })
  const isUnlike = ids.some((id) => {
    const ratio = energies.get(id)?.ratio ?? 1
    return ratio < PLAUSIBLE_RATIO.min || ratio > PLAUSIBLE_RATIO.max
  })
  return { Meters, OverLimit: rows, OverLimitCount: count, isUnlike }
}

/**
 * Prepares the cost of a meter's energy in 30 days at the present prices of its home, as if it were used evenly and alone.
 *
 * returns  energy charge in NT$; null without a price today, and for energy that is not bought
 */
async function readCosts(
  ports: ImportPorts,
  { db, actor, clock }: SignedIn,
  HomeID: string,
  zone: string,
): Promise<(uid: string, day: number, perDay: number) => number | null> {
  const billing = await ports.readBilling(db, actor.tenant, { HomeID, zone })
  const today = dayOf(clock.now(), zone)
  let FromDay = today - DAYS_OF_MONTH + 1
  while (FromDay <= today && !billing.versionOn(FromDay)) FromDay++
  const days = today - FromDay + 1
  if (days === 0) return () => null
  const facts = await factsOfHome(db, actor.tenant, HomeID)
  const period = { FromDay, EndDay: today + 1, Months: days / DAYS_OF_MONTH }
  return (uid, day, perDay) => {
    const role = facts.on(uid, 'role', day) ?? defaultRoleOf(uid)
    if (deviceOfMeter(uid).isReturn || !BUYERS.includes(role)) return null
    const profile = Array.from({ length: days }, (_, i) => {
      const quarters = quartersOfDay(FromDay + i, zone)
      return [FromDay + i, { kWh: new Float64Array(quarters).fill(perDay / quarters) }] as const
    })
    const bill = billing.billOf(period, new Map(profile))
    return bill && (bill.Energy * DAYS_OF_MONTH) / days
  }
}
