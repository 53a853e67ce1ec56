import type { Bill } from '../../../../../contract/tariffs/bill.ts'
import { savingOfBills, type DetectedFinding } from '../../logic/detected.ts'
import { type FindingKind, CLAIM_DAYS, MONTH_DAYS } from '../../../../../contract/findings/finding-life.ts'
import type { SavingBills, YearBills } from '../../logic/ports.ts'
import type { HomeSnapshot } from './home-snapshot.ts'

/** Minimum saving of a different contract, as part of the bill. */
const WORTH = 0.03
/** Power factor above which the bill falls no further, %. */
const BEST = 95

const NOTHING = { plan: false, contract: false, powerFactor: false }
const HOME = { RoomID: null, MeterID: null }
const totalOf = (bills: readonly number[]): number => bills.reduce((sum, one) => sum + one, 0)

/** The bills of a year; undefined if they allow no advice. */
function adviceYear({ bills }: HomeSnapshot): YearBills | undefined {
  return bills?.year && bills.year.refused === null ? bills.year : undefined
}

/** Detects a better contract capacity under the same plan. */
export async function contract(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const year = adviceYear(look)
  if (!year || !look.bills) return []
  const { agreed, bills } = year.least(year.loads, { ...NOTHING, contract: true })
  const [now, then] = [look.bills.now.Capacities.regular, agreed.Capacities.regular]
  if (now === undefined || then === undefined || now === then) return []
  const was = year.was.map(({ Total }) => Total)
  return advised(
    look,
    year,
    'contract',
    { was, usual: bills },
    {
      Key: then < now ? 'contractTooHigh' : 'contractTooLow',
      Values: { Now: now, Then: then },
    },
  )
}

/**
 * Detects a better plan of the same supply, with its own best contract. The comparison is with the best contract of
 * the present plan, which is a finding of its own: its saving is no reason to change the plan.
 */
export async function plan(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const year = adviceYear(look)
  if (!year || !look.bills) return []
  const present = year.least(year.loads, { ...NOTHING, contract: true })
  const { agreed, bills } = year.least(year.loads, { ...NOTHING, contract: true, plan: true })
  if (agreed.PlanID === present.agreed.PlanID) return []
  return advised(
    look,
    year,
    'plan',
    { was: present.bills, usual: bills },
    {
      Key: agreed.Capacities.regular === undefined ? 'plan' : 'planWithContract',
      Values: {
        Now: look.bills.now.PlanID,
        Then: agreed.PlanID,
        ...(agreed.Capacities.regular !== undefined && { Kw: agreed.Capacities.regular }),
      },
    },
  )
}

function advised(
  look: HomeSnapshot,
  year: YearBills,
  kind: FindingKind,
  bills: TwoBills,
  why: DetectedFinding['why'],
): DetectedFinding[] {
  const saved = totalOf(bills.was) - totalOf(bills.usual)
  if (saved <= WORTH * look.remembered(kind, HOME).factor * totalOf(bills.was)) return []
  return [ofBills(look, year, kind, bills, why)]
}

/** Actual and alternative bills, in the order of their periods. */
interface TwoBills {
  was: readonly number[]
  usual: readonly number[]
}

/** A finding about bills: the evidence shows actual and alternative amounts bill by bill. */
function ofBills(
  look: HomeSnapshot,
  { periods, measured }: Pick<YearBills, 'periods' | 'measured'>,
  kind: FindingKind,
  { was, usual }: TwoBills,
  why: DetectedFinding['why'],
): DetectedFinding {
  const { confidence, ...money } = savingOfBills(
    periods.map(({ Months }, i) => ({
      was: was[i] ?? 0,
      without: usual[i] ?? 0,
      months: Months,
      measured: measured[i] ?? 0,
    })),
  )
  return {
    kind,
    place: HOME,
    from: periods[0]?.FromDay ?? look.from,
    end: periods.at(-1)?.EndDay ?? look.end,
    confidence,
    why,
    claims: [],
    kWh: null,
    money,
    evidence: {
      unit: 'TWD',
      days: periods.map(({ FromDay }, i) => ({
        day: FromDay,
        value: was[i] ?? null,
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
  was,
  loads,
}: YearBills): Pick<YearBills, 'periods' | 'measured' | 'was'> {
  const counted = periods.flatMap(({ FromDay, EndDay }, i) => {
    for (let day = FromDay; day < EndDay; day++) if (loads.get(day)?.kWh.some((one) => one > 0)) return [i]
    return []
  })
  return {
    periods: counted.map((i) => periods[i] as (typeof periods)[number]),
    measured: counted.map((i) => measured[i] as number),
    was: counted.map((i) => was[i] as Bill),
  }
}

const excessOf = ({ Lines }: Bill): number =>
  Lines.filter(({ Item }) => Item === 'overCapacity').reduce((sum, { Amount }) => sum + Amount, 0)

/** Detects billed demand above the contract capacity in the last 12 months. */
export async function overContract(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const { bills: agreed, lack } = look
  if (!agreed?.year || lack?.Reason === 'days') return []
  const year = countedBills(agreed.year)
  const excess = year.was.map(excessOf)
  const bills = excess.filter((one) => one > 0).length
  if (bills === 0) return []
  const most = Math.max(
    ...year.was.map(({ Lines }) =>
      Lines.filter(({ Item }) => Item === 'overCapacity').reduce((sum, { Quantity }) => sum + Quantity, 0),
    ),
  )
  const was = year.was.map(({ Total }) => Total)
  const usual = was.map((one, i) => one - (excess[i] as number))
  const why = {
    Key: 'overContract',
    Values: { Bills: bills, Kw: most, Contract: agreed.now.Capacities.regular ?? 0 },
  }
  return [ofBills(look, year, 'overContract', { was, usual }, why)]
}

/** Detects a power factor below 95 %, up to which a better one lowers the bill. */
export async function powerFactor(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const { bills } = look
  const factor = bills?.now.PowerFactor
  if (!bills?.judgesPowerFactor || factor === null || factor === undefined || factor >= BEST) return []
  const why = { Key: 'powerFactor', Values: { Now: factor, Then: BEST } }
  if (bills.year && bills.year.refused === null) {
    const better = bills.year.least(bills.year.loads, { ...NOTHING, powerFactor: true }).bills
    const was = bills.year.was.map(({ Total }) => Total)
    const isBetter = totalOf(was) > totalOf(better)
    return isBetter ? [ofBills(look, bills.year, 'powerFactor', { was, usual: better }, why)] : []
  }
  return look.lack ? [] : ofLatelyBilled(look, bills, why)
}

function ofLatelyBilled(
  look: HomeSnapshot,
  bills: SavingBills,
  why: DetectedFinding['why'],
): DetectedFinding[] {
  const { from, end, profile, share } = look
  const [was, better] = [bills.ofDays(profile, from, end).Total, bills.ofDays(profile, from, end, BEST).Total]
  if (was <= better) return []
  const periods = [{ FromDay: from, EndDay: end, Months: CLAIM_DAYS / MONTH_DAYS }]
  return [ofBills(look, { periods, measured: [share] }, 'powerFactor', { was: [was], usual: [better] }, why)]
}
