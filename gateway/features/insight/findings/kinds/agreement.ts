import type { Bill } from '../../../../../contract/tariffs/bill.ts'
import { savingOfBills, type DetectedFinding } from '../../logic/detected.ts'
import { type FindingKind, CLAIM_DAYS, MONTH_DAYS } from '../../../../../contract/findings/finding-life.ts'
import type { SavingBills, YearBills } from '../../logic/ports.ts'
import { adviceYear, type HomeSnapshot } from './home-snapshot.ts'

/** Minimum saving of a different contract, as part of the bill. */
const WORTH = 0.03
/** Power factor above which the bill falls no further, %. */
const BEST = 95

const NOTHING = { plan: false, contract: false, powerFactor: false }
const HOME = { RoomID: null, MeterID: null }
const totalOf = (bills: readonly number[]): number => bills.reduce((sum, one) => sum + one, 0)

/** Detects a better contract capacity under the same plan. */
export async function contract(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const year = adviceYear(snapshot)
  if (!year || !snapshot.bills) return []
  const { agreed, bills } = year.minimizeBills(year.loads, { ...NOTHING, contract: true })
  const [now, proposed] = [snapshot.bills.now.Capacities.regular, agreed.Capacities.regular]
  if (now === undefined || proposed === undefined || now === proposed) return []
  const actual = year.actual.map(({ Total }) => Total)
  return advised(
    snapshot,
    year,
    'contract',
    { actual, usual: bills },
    {
      Key: proposed < now ? 'contractTooHigh' : 'contractTooLow',
      Values: { Now: now, Then: proposed },
    },
  )
}

/**
 * Detects a better plan of the same supply, with its own best contract. The comparison is with the best contract of
 * the present plan, which is a finding of its own: its saving is no reason to change the plan.
 */
export async function plan(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const year = adviceYear(snapshot)
  if (!year || !snapshot.bills) return []
  const present = year.minimizeBills(year.loads, { ...NOTHING, contract: true })
  const { agreed, bills } = year.minimizeBills(year.loads, { ...NOTHING, contract: true, plan: true })
  if (agreed.PlanID === present.agreed.PlanID) return []
  return advised(
    snapshot,
    year,
    'plan',
    { actual: present.bills, usual: bills },
    {
      Key: agreed.Capacities.regular === undefined ? 'plan' : 'planWithContract',
      Values: {
        Now: snapshot.bills.now.PlanID,
        Then: agreed.PlanID,
        ...(agreed.Capacities.regular !== undefined && { Kw: agreed.Capacities.regular }),
      },
    },
  )
}

function advised(
  snapshot: HomeSnapshot,
  year: YearBills,
  kind: FindingKind,
  bills: TwoBills,
  explanation: DetectedFinding['why'],
): DetectedFinding[] {
  const saved = totalOf(bills.actual) - totalOf(bills.usual)
  if (saved <= WORTH * snapshot.previousFinding(kind, HOME).factor * totalOf(bills.actual)) return []
  return [ofBills(snapshot, year, kind, bills, explanation)]
}

/** Actual and alternative bills, in the order of their periods. */
interface TwoBills {
  actual: readonly number[]
  usual: readonly number[]
}

/** A finding about bills: the evidence shows actual and alternative amounts bill by bill. */
function ofBills(
  snapshot: HomeSnapshot,
  { periods, measured }: Pick<YearBills, 'periods' | 'measured'>,
  kind: FindingKind,
  { actual, usual }: TwoBills,
  explanation: DetectedFinding['why'],
): DetectedFinding {
  const { confidence, ...money } = savingOfBills(
    periods.map(({ Months }, i) => ({
      actual: actual[i] ?? 0,
      without: usual[i] ?? 0,
      months: Months,
      measured: measured[i] ?? 0,
    })),
  )
  return {
    kind,
    place: HOME,
    from: periods[0]?.FromDay ?? snapshot.from,
    end: periods.at(-1)?.EndDay ?? snapshot.end,
    confidence,
    why: explanation,
    claims: [],
    kWh: null,
    money,
    evidence: {
      unit: 'TWD',
      days: periods.map(({ FromDay }, i) => ({
        day: FromDay,
        value: actual[i] ?? null,
        usual: usual[i] ?? null,
        low: null,
        high: null,
      })),
    },
  }
}

/** The bills with any metered energy; before those, there was no meter. */
function countedBills({
  periods,
  measured,
  actual,
  loads,
}: YearBills): Pick<YearBills, 'periods' | 'measured' | 'actual'> {
  const counted = periods.flatMap(({ FromDay, EndDay }, i) => {
    for (let day = FromDay; day < EndDay; day++) if (loads.get(day)?.kWh.some((one) => one > 0)) return [i]
    return []
  })
  return {
    periods: counted.map((i) => periods[i] as (typeof periods)[number]),
    measured: counted.map((i) => measured[i] as number),
    actual: counted.map((i) => actual[i] as Bill),
  }
}

const excessOf = ({ Lines }: Bill): number =>
  Lines.filter(({ Item }) => Item === 'overCapacity').reduce((sum, { Amount }) => sum + Amount, 0)

/** Detects billed demand above the contract capacity in the last 12 months. */
export async function overContract(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const { bills: agreed, lack } = snapshot
  if (!agreed?.year || lack?.Reason === 'days') return []
  const year = countedBills(agreed.year)
  const excess = year.actual.map(excessOf)
  const bills = excess.filter((one) => one > 0).length
  if (bills === 0) return []
  const maxOverrun = Math.max(
    ...year.actual.map(({ Lines }) =>
      Lines.filter(({ Item }) => Item === 'overCapacity').reduce((sum, { Quantity }) => sum + Quantity, 0),
    ),
  )
  const actual = year.actual.map(({ Total }) => Total)
  const usual = actual.map((one, i) => one - (excess[i] as number))
  const explanation = {
    Key: 'overContract',
    Values: { Bills: bills, Kw: maxOverrun, Contract: agreed.now.Capacities.regular ?? 0 },
  }
  return [ofBills(snapshot, year, 'overContract', { actual, usual }, explanation)]
}

/** Detects a power factor below 95 %, up to which a better one lowers the bill. */
export async function powerFactor(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const { bills } = snapshot
  const factor = bills?.now.PowerFactor
  if (!bills?.judgesPowerFactor || factor === null || factor === undefined || factor >= BEST) return []
  const explanation = { Key: 'powerFactor', Values: { Now: factor, Then: BEST } }
  const year = adviceYear(snapshot)
  if (year) {
    const improved = year.minimizeBills(year.loads, { ...NOTHING, powerFactor: true }).bills
    const actual = year.actual.map(({ Total }) => Total)
    const isBetter = totalOf(actual) > totalOf(improved)
    return isBetter ? [ofBills(snapshot, year, 'powerFactor', { actual, usual: improved }, explanation)] : []
  }
  return snapshot.lack ? [] : adviseOnRecentBills(snapshot, bills, explanation)
}

function adviseOnRecentBills(
  snapshot: HomeSnapshot,
  bills: SavingBills,
  explanation: DetectedFinding['why'],
): DetectedFinding[] {
  const { from, end, profile, share } = snapshot
  const [actual, improved] = [
    bills.ofDays(profile, from, end).Total,
    bills.ofDays(profile, from, end, BEST).Total,
  ]
  if (actual <= improved) return []
  const periods = [{ FromDay: from, EndDay: end, Months: CLAIM_DAYS / MONTH_DAYS }]
  return [
    ofBills(
      snapshot,
      { periods, measured: [share] },
      'powerFactor',
      { actual: [actual], usual: [improved] },
      explanation,
    ),
  ]
}
