import type { Bill } from '../../../../../contract/rules/tariff/bill.ts'
import type { Detected } from '../../../../../contract/rules/finding/detected.ts'
import type { FindingKind } from '../../../../../contract/rules/finding/finding-life.ts'
import { monthly } from '../../../../../contract/rules/finding/saving.ts'
import type { SavingBills, YearBills } from '../../ports.ts'
import type { HomeLook } from '../look.ts'

/** What is agreed otherwise must take this part off the bill. */
const WORTH = 0.03
/** The power factor from which on nothing more is taken off, %. */
const BEST = 95

const NOTHING = { plan: false, contract: false, powerFactor: false }
const HOME = { RoomID: null, MeterID: null }
const totalOf = (bills: readonly number[]): number => bills.reduce((sum, one) => sum + one, 0)
const monthsOf = ({ periods }: YearBills): number => periods.reduce((sum, { Months }) => sum + Months, 0)

/** A year for which advice is allowed. */
function adviceYear({ bills }: HomeLook): YearBills | undefined {
  return bills?.year && bills.year.refused === null ? bills.year : undefined
}

/** Another contract under the same plan. */
export async function contract(look: HomeLook): Promise<Detected[]> {
  const year = adviceYear(look)
  if (!year || !look.bills) return []
  const { agreed, bills } = year.least(year.loads, { ...NOTHING, contract: true })
  const [now, then] = [look.bills.now.Capacities.regular, agreed.Capacities.regular]
  if (now === undefined || then === undefined || now === then) return []
  return advised(look, year, 'contract', bills, {
    Key: then < now ? 'contractTooHigh' : 'contractTooLow',
    Values: { Now: now, Then: then },
  })
}

/** Another plan of the same supply with its own best contract. */
export async function plan(look: HomeLook): Promise<Detected[]> {
  const year = adviceYear(look)
  if (!year || !look.bills) return []
  const { agreed, bills } = year.least(year.loads, { ...NOTHING, plan: true })
  if (agreed.PlanID === look.bills.now.PlanID) return []
  return advised(look, year, 'plan', bills, {
    Key: agreed.Capacities.regular === undefined ? 'plan' : 'planWithContract',
    Values: {
      Now: look.bills.now.PlanID,
      Then: agreed.PlanID,
      ...(agreed.Capacities.regular !== undefined && { Kw: agreed.Capacities.regular }),
    },
  })
}

function advised(
  look: HomeLook,
  year: YearBills,
  kind: FindingKind,
  bills: readonly number[],
  why: Detected['why'],
): Detected[] {
  const was = year.was.map(({ Total }) => Total)
  const saved = totalOf(was) - totalOf(bills)
  if (saved <= WORTH * look.remembered(kind, HOME).factor * totalOf(was)) return []
  const amount = saved / monthsOf(year)
  return [ofBills(look, year, kind, amount, { was, usual: bills }, why)]
}

/** What is found of bills: shown bill by bill, what was beside what would have been. */
function ofBills(
  look: HomeLook,
  { periods }: Pick<YearBills, 'periods'>,
  kind: FindingKind,
  amount: number,
  { was, usual }: { was: readonly number[]; usual: readonly number[] },
  why: Detected['why'],
): Detected {
  return {
    kind,
    place: HOME,
    from: periods[0]?.FromDay ?? look.from,
    end: periods.at(-1)?.EndDay ?? look.end,
    confidence: 'high',
    why,
    claims: [],
    kWh: null,
    money: { amount, low: amount, high: amount },
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

/** Months of the bills in which anything was counted; before, there was no meter. */
const countedMonths = ({ periods, loads }: YearBills): number =>
  periods.reduce((sum, { FromDay, EndDay, Months }) => {
    for (let day = FromDay; day < EndDay; day++)
      if (loads.get(day)?.kWh.some((one) => one > 0)) return sum + Months
    return sum
  }, 0)

const excessOf = ({ Lines }: Bill): number =>
  Lines.filter(({ Item }) => Item === 'overCapacity').reduce((sum, { Amount }) => sum + Amount, 0)

/** Demand beyond the contract that was billed in the last 12 months; what is still to come is nobody's bill. */
export async function overContract(look: HomeLook): Promise<Detected[]> {
  const year = look.bills?.year
  if (!year) return []
  const excess = year.was.map(excessOf)
  const bills = excess.filter((one) => one > 0).length
  if (bills === 0) return []
  const most = Math.max(
    ...year.was.map(({ Lines }) =>
      Lines.filter(({ Item }) => Item === 'overCapacity').reduce((sum, { Quantity }) => sum + Quantity, 0),
    ),
  )
  const was = year.was.map(({ Total }) => Total)
  return [
    ofBills(
      look,
      year,
      'overContract',
      totalOf(excess) / countedMonths(year),
      { was, usual: was.map((one, i) => one - (excess[i] as number)) },
      {
        Key: 'overContract',
        Values: { Bills: bills, Kw: most, Contract: look.bills?.now.Capacities.regular ?? 0 },
      },
    ),
  ]
}

/** A power factor below 95 %, up to which the bill falls with it. */
export async function powerFactor(look: HomeLook): Promise<Detected[]> {
  const { bills } = look
  const factor = bills?.now.PowerFactor
  if (!bills?.judgesPowerFactor || factor === null || factor === undefined || factor >= BEST) return []
  const why = { Key: 'powerFactor', Values: { Now: factor, Then: BEST } }
  if (bills.year && bills.year.refused === null) {
    const better = bills.year.least(bills.year.loads, { ...NOTHING, powerFactor: true }).bills
    const was = bills.year.was.map(({ Total }) => Total)
    const amount = (totalOf(was) - totalOf(better)) / monthsOf(bills.year)
    return amount > 0 ? [ofBills(look, bills.year, 'powerFactor', amount, { was, usual: better }, why)] : []
  }
  return ofLatelyBilled(look, bills, why)
}

function ofLatelyBilled(look: HomeLook, bills: SavingBills, why: Detected['why']): Detected[] {
  const { from, end, profile } = look
  const [was, better] = [bills.ofDays(profile, from, end).Total, bills.ofDays(profile, from, end, BEST).Total]
  const amount = monthly(was - better)
  if (amount <= 0) return []
  const periods = [{ FromDay: from, EndDay: end, Months: 1 }]
  return [ofBills(look, { periods }, 'powerFactor', amount, { was: [was], usual: [better] }, why)]
}
