import { batchRunsOf, type BatchRun, shiftRuns } from '../../logic/batches.ts'
import type { DetectedFinding } from '../../logic/detected.ts'
import { isComfort } from '../../../../../contract/findings/meter-names.ts'
import { MONTH_DAYS, monthly } from '../../../../../contract/findings/finding-life.ts'
import { bandsOfDay } from '../../../../../contract/tariffs/tariff-terms.ts'
import type { Billing, LoadDay, LoadQueries, StandingMeter } from '../../logic/ports.ts'
import { claimedDays, hasHours, type HomeSnapshot } from './home-snapshot.ts'

/** Maximum number of meters examined, those with the most energy. */
const MAX_METERS = 50
/** Minimum number of affected days within the four weeks. */
const MIN_DAYS = 6
/** Lower end of the saving, as part of the possible one: the runs may depend on unknown constraints. */
const LOW = 0.3

interface Batch {
  meter: StandingMeter
  days: LoadDay[]
  runs: BatchRun[]
}

/** Load meters that run in batches. */
async function findBatches(snapshot: HomeSnapshot): Promise<Batch[]> {
  const features = await snapshot.features()
  const candidates = snapshot.leafMeters
    .filter((meter) => !isComfort(meter))
    .map((meter) => ({
      meter,
      days: (features.get(meter.MeterID) ?? []).filter(({ day }) => day >= snapshot.from),
    }))
    .filter(
      ({ days }) =>
        days.filter(({ lowKw, peakKw }) => lowKw <= 0.1 * peakKw && peakKw > 0).length >= MIN_DAYS,
    )
    .toSorted((a, b) => energyOf(b.days) - energyOf(a.days))
    .slice(0, MAX_METERS)
  const loads = await snapshot.loads(candidates.map(({ meter }) => meter.MeterID))
  return candidates.flatMap(({ meter }) => {
    const of = loads.get(meter.MeterID)
    if (!hasHours(snapshot, of)) return []
    const days = claimedDays(snapshot).flatMap((day) => of?.get(day) ?? [])
    const runs = days.length === snapshot.end - snapshot.from ? batchRunsOf(days) : undefined
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
export async function peakShift(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const { ports, db, tenant, home } = snapshot
  if (snapshot.lack) return []
  const billing = await ports.readBilling(db, tenant, home)
  const currentCost = energyCost(snapshot, billing, snapshot.profile)
  if (currentCost === null || billing.versionOn(snapshot.end - 1)?.Kind !== 'timeOfUse') return []
  const found: DetectedFinding[] = []
  for (const { meter, days, runs } of await findBatches(snapshot)) {
    const ranks = claimedDays(snapshot).map((day, i) => {
      const version = billing.versionOn(day)
      const spans = version ? bandsOfDay(version, day, snapshot.offPeakDays) : []
      const prices = spans.map(({ Price }) => Price ?? 0)
      const [minPrice, maxPrice] = [Math.min(...prices), Math.max(...prices)]
      const length = days[i]?.kWh.length ?? 0
      return Array.from({ length }, (_, quarter) => {
        const price = spans.find(({ ThroughMinute }) => quarter * 15 < ThroughMinute)?.Price ?? 0
        return minPrice === maxPrice ? 0.5 : price === minPrice ? 0 : price === maxPrice ? 1 : 0.5
      })
    })
    const shifted = shiftRuns(days, runs, ranks)
    if (shifted.days < MIN_DAYS * snapshot.previousFinding('peakShift', placeOf(meter)).factor) continue
    const shiftedLoads = new Map(
      claimedDays(snapshot).map((day, i) => [
        day,
        {
          kWh: Float64Array.from(snapshot.profile.get(day)?.kWh ?? [], (kWh, quarter) =>
            Math.max(0, kWh + (shifted.changes[i]?.[quarter] ?? 0)),
          ),
        },
      ]),
    )
    const amount = monthly(currentCost - (energyCost(snapshot, billing, shiftedLoads) ?? currentCost))
    if (amount <= 0) continue
    found.push(
      shift(snapshot, 'peakShift', meter, shifted.movedByDay, amount, {
        Key: 'peakShift',
        Values: { Days: shifted.days, kWh: monthly(shifted.kWh) },
      }),
    )
  }
  return found
}

/** Detects sites that sell energy by day and buy it again for batches at night. */
export async function selfUse(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const { bills, ports, db, tenant, home, from, end } = snapshot
  if (snapshot.lack || !bills || !(await ports.energy.hasBalance(tenant, home))) return []
  const sales = snapshot.meters.filter(({ role }) => role === 'gridExport')
  if (sales.length === 0) return []
  const sold = await snapshot.loads(sales.map(({ MeterID }) => MeterID))
  if (!sales.every(({ MeterID }) => hasHours(snapshot, sold.get(MeterID)))) return []
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
  const feedIn = (await ports.readBilling(db, tenant, home)).feedInOn(end - 1)
  if (feedIn === null) return []
  const bill = bills.ofDays(snapshot.profile, from, end)
  const bought = [...snapshot.profile.values()].reduce(
    (sum, { kWh }) => sum + kWh.reduce((all, one) => all + one, 0),
    0,
  )
  if (bought <= 0) return []
  const gap = bill.Energy / bought - feedIn
  if (gap <= 0) return []
  const found: DetectedFinding[] = []
  const surplusByDay = new Map(claimedDays(snapshot).map((day) => [day, soldOn(day)]))
  for (const { meter, days, runs } of await findBatches(snapshot)) {
    const byDay = claimedDays(snapshot).map(() => 0)
    for (const { day, from: begin, to } of runs)
      for (let i = begin; i < to; i++) if (isDark(i)) (byDay[day] as number) += days[day]?.kWh[i] ?? 0
    const movedByDay = byDay.map((kWh, i) => {
      const day = from + i
      const part = Math.min(kWh, surplusByDay.get(day) ?? 0)
      surplusByDay.set(day, (surplusByDay.get(day) ?? 0) - part)
      return part
    })
    const used = movedByDay.filter((one) => one > 0).length
    if (used < MIN_DAYS * snapshot.previousFinding('selfUse', placeOf(meter)).factor) continue
    const kWh = monthly(movedByDay.reduce((sum, one) => sum + one, 0))
    found.push(
      shift(snapshot, 'selfUse', meter, movedByDay, kWh * gap, {
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
  snapshot: HomeSnapshot,
  kind: 'peakShift' | 'selfUse',
  meter: StandingMeter,
  movedByDay: readonly number[],
  amount: number,
  explanation: DetectedFinding['why'],
): DetectedFinding {
  return {
    kind,
    place: placeOf(meter),
    from: snapshot.from,
    end: snapshot.end,
    confidence: 'low',
    why: explanation,
    claims: [],
    kWh: null,
    money: { amount, low: LOW * amount, high: amount },
    evidence: {
      unit: 'kWh',
      days: claimedDays(snapshot).map((day, i) => ({
        day,
        value: movedByDay[i] ?? null,
        usual: null,
        low: null,
        high: null,
      })),
    },
  }
}
