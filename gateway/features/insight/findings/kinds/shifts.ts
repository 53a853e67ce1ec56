import { batchRunsOf, type BatchRun, shiftRuns } from '../../logic/batches.ts'
import type { DetectedFinding } from '../../logic/detected.ts'
import { isComfort } from '../../../../../contract/findings/meter-names.ts'
import { MONTH_DAYS, monthly } from '../../../../../contract/findings/finding-life.ts'
import { bandsOfDay } from '../../../../../contract/tariffs/tariff-terms.ts'
import type { Billing, LoadDay, LoadQueries, StandingMeter } from '../../logic/ports.ts'
import { claimedDays, hasHours, type HomeSnapshot } from './home-snapshot.ts'

/** Maximum number of meters examined, those with the most energy. */
const MOST_METERS = 50
/** Minimum number of affected days within the four weeks. */
const LEAST_DAYS = 6
/** Lower end of the saving, as part of the possible one: the runs may depend on unknown constraints. */
const LOW = 0.3

interface Batch {
  meter: StandingMeter
  days: LoadDay[]
  runs: BatchRun[]
}

/** Load meters that run in batches. */
async function batchesOf(look: HomeSnapshot): Promise<Batch[]> {
  const features = await look.features()
  const candidates = look.leaves
    .filter((meter) => !isComfort(meter))
    .map((meter) => ({
      meter,
      days: (features.get(meter.MeterID) ?? []).filter(({ day }) => day >= look.from),
    }))
    .filter(
      ({ days }) =>
        days.filter(({ lowKw, peakKw }) => lowKw <= 0.1 * peakKw && peakKw > 0).length >= LEAST_DAYS,
    )
    .toSorted((a, b) => energyOf(b.days) - energyOf(a.days))
    .slice(0, MOST_METERS)
  const loads = await look.loads(candidates.map(({ meter }) => meter.MeterID))
  return candidates.flatMap(({ meter }) => {
    const of = loads.get(meter.MeterID)
    if (!hasHours(look, of)) return []
    const days = claimedDays(look).flatMap((day) => of?.get(day) ?? [])
    const runs = days.length === look.end - look.from ? batchRunsOf(days) : undefined
    return runs ? [{ meter, days, runs }] : []
  })
}
const energyOf = (days: readonly { kWh: number }[]): number => days.reduce((sum, { kWh }) => sum + kWh, 0)

/**
 * NT$ for the energy of the claimed days, each at the prices of its own season, because the season determines the
 * peak hours. Energy only: the effect of a shift on peak demand is unknown. Null if a day has no price.
 */
function energyCost({ from, end }: HomeSnapshot, billing: Billing, loads: LoadQueries): number | null {
  const period = { FromDay: from, EndDay: end, Months: (end - from) / MONTH_DAYS }
  return billing.billOf(period, loads)?.Energy ?? null
}

/** Detects batches in peak hours that could have run in the cheapest hours of the same day. */
export async function peakShift(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const { ports, db, tenant, home } = look
  if (look.lack) return []
  const billing = await ports.billingOf(db, tenant, home)
  const was = energyCost(look, billing, look.profile)
  if (was === null || billing.versionOn(look.end - 1)?.Kind !== 'timeOfUse') return []
  const found: DetectedFinding[] = []
  for (const { meter, days, runs } of await batchesOf(look)) {
    const ranks = claimedDays(look).map((day, i) => {
      const version = billing.versionOn(day)
      const spans = version ? bandsOfDay(version, day, look.offPeakDays) : []
      const prices = spans.map(({ Price }) => Price ?? 0)
      const [least, most] = [Math.min(...prices), Math.max(...prices)]
      const length = days[i]?.kWh.length ?? 0
      return Array.from({ length }, (_, quarter) => {
        const price = spans.find(({ ThroughMinute }) => quarter * 15 < ThroughMinute)?.Price ?? 0
        return least === most ? 0.5 : price === least ? 0 : price === most ? 1 : 0.5
      })
    })
    const shifted = shiftRuns(days, runs, ranks)
    if (shifted.days < LEAST_DAYS * look.remembered('peakShift', placeOf(meter)).factor) continue
    const moved = new Map(
      claimedDays(look).map((day, i) => [
        day,
        {
          kWh: Float64Array.from(look.profile.get(day)?.kWh ?? [], (kWh, quarter) =>
            Math.max(0, kWh + (shifted.changes[i]?.[quarter] ?? 0)),
          ),
        },
      ]),
    )
    const amount = monthly(was - (energyCost(look, billing, moved) ?? was))
    if (amount <= 0) continue
    found.push(
      shift(look, 'peakShift', meter, shifted.movedByDay, amount, {
        Key: 'peakShift',
        Values: { Days: shifted.days, kWh: monthly(shifted.kWh) },
      }),
    )
  }
  return found
}

/** Detects sites that sell energy by day and buy it again for batches at night. */
export async function selfUse(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const { bills, ports, db, tenant, home, from, end } = look
  if (look.lack || !bills || !(await ports.energy.hasBalance(tenant, home))) return []
  const sales = look.meters.filter(({ role }) => role === 'gridExport')
  if (sales.length === 0) return []
  const sold = await look.loads(sales.map(({ MeterID }) => MeterID))
  if (!sales.every(({ MeterID }) => hasHours(look, sold.get(MeterID)))) return []
  const soldOn = (day: number) =>
    sales.reduce(
      (sum, { MeterID }) =>
        sum +
        (sold
          .get(MeterID)
          ?.get(day)
          ?.kWh.reduce((all, one) => all + Math.max(0, one), 0) ?? 0),
      0,
    )
  const feedIn = (await ports.billingOf(db, tenant, home)).feedInOn(end - 1)
  if (feedIn === null) return []
  const bill = bills.ofDays(look.profile, from, end)
  const bought = [...look.profile.values()].reduce(
    (sum, { kWh }) => sum + kWh.reduce((all, one) => all + one, 0),
    0,
  )
  if (bought <= 0) return []
  const gap = bill.Energy / bought - feedIn
  if (gap <= 0) return []
  const found: DetectedFinding[] = []
  const left = new Map(claimedDays(look).map((day) => [day, soldOn(day)]))
  for (const { meter, days, runs } of await batchesOf(look)) {
    const byDay = claimedDays(look).map(() => 0)
    for (const { day, from: begin, to } of runs)
      for (let i = begin; i < to; i++) if (isDark(i)) (byDay[day] as number) += days[day]?.kWh[i] ?? 0
    const moved = byDay.map((kWh, i) => {
      const day = from + i
      const part = Math.min(kWh, left.get(day) ?? 0)
      left.set(day, (left.get(day) ?? 0) - part)
      return part
    })
    const used = moved.filter((one) => one > 0).length
    if (used < LEAST_DAYS * look.remembered('selfUse', placeOf(meter)).factor) continue
    const kWh = monthly(moved.reduce((sum, one) => sum + one, 0))
    found.push(
      shift(look, 'selfUse', meter, moved, kWh * gap, {
        Key: 'selfUse',
        Values: { Days: used, kWh, Gap: gap },
      }),
    )
  }
  return found
}

/** Before 7:00 and after 17:00 there is almost no generation. */
const isDark = (quarter: number): boolean => quarter < 28 || quarter >= 68

const placeOf = ({ MeterID }: StandingMeter) => ({ RoomID: null, MeterID })

function shift(
  look: HomeSnapshot,
  kind: 'peakShift' | 'selfUse',
  meter: StandingMeter,
  movedByDay: readonly number[],
  amount: number,
  why: DetectedFinding['why'],
): DetectedFinding {
  return {
    kind,
    place: placeOf(meter),
    from: look.from,
    end: look.end,
    confidence: 'low',
    why,
    claims: [],
    kWh: null,
    money: { amount, low: LOW * amount, high: amount },
    evidence: {
      unit: 'kWh',
      days: claimedDays(look).map((day, i) => ({
        day,
        value: movedByDay[i] ?? null,
        usual: null,
        low: null,
        high: null,
      })),
    },
  }
}
