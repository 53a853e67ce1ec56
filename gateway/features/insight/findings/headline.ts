import type { SavingLack, SavingProof } from '../../../../contract/procedures/findings.ts'
import { formatDay } from '../../../../contract/rules/energy/periods.ts'
import { APART_KINDS, BILL_KINDS } from '../../../../contract/rules/finding/finding-life.ts'
import { CLAIM_DAYS, monthly, scaled } from '../../../../contract/rules/finding/saving.ts'
import { sumOf } from '../../../../contract/rules/finding/spread.ts'
import type { Agreed, YearBills } from '../ports.ts'
import { claimedDays, type HomeLook, knownShare } from './look.ts'
import { billWithout, homeUnion, KNOWN, type Priced, unionByClass, yearWithout } from './price.ts'

/** What is kept of a home: NT$ a month to the cent, with what it can be computed again from; Lack where there is none. */
export interface Headline {
  amount: number | null
  low: number | null
  high: number | null
  proof: SavingProof | null
  lack: Omit<SavingLack, 'HomeID'> | null
}

/** A finding that a headline is made of. */
export interface Open {
  FindingID: string
  found: Priced
}

/** The power factor that bills are made with where that is advised, %. */
const BEST_POWER_FACTOR = 95

/** Whether a finding is in the headline of its home: it is sure enough, has an amount, and nobody sees to it yet. */
export const isInHeadline = ({ confidence, amount, kind, claims }: Priced): boolean =>
  confidence !== 'low' &&
  amount !== null &&
  !APART_KINDS.has(kind) &&
  (claims.length > 0 || BILL_KINDS.has(kind))

/**
 * What all open findings of a home come to together: the bills of 12 months as agreed now, less those without the union of all claims
 * and with what is advised; where 12 months allow no advice, the same of the claimed days.
 */
export async function headlineOf(look: HomeLook, open: readonly Open[]): Promise<Headline> {
  const lack = await lackOf(look)
  if (lack || !look.bills) return { amount: null, low: null, high: null, proof: null, lack }
  const counted = open.filter(({ found }) => isInHeadline(found))
  const claims = counted.flatMap(({ found }) => found.claims)
  const allowed = {
    plan: counted.some(({ found }) => found.kind === 'plan'),
    contract: counted.some(({ found }) => found.kind === 'contract'),
    powerFactor: counted.some(({ found }) => found.kind === 'powerFactor'),
  }
  const year = look.bills.year
  const bill =
    year && year.refused === null
      ? (union: Float64Array) => ofYear(look, year, union, allowed)
      : (union: Float64Array) => ofDays(look, look.bills?.now as Agreed, union, allowed.powerFactor)
  const union = await homeUnion(look, claims)
  const [mid, low, high] = [
    bill(union),
    bill(await homeUnion(look, scaled(claims, 'low'))),
    bill(await homeUnion(look, scaled(claims, 'high'))),
  ]
  return {
    amount: cents(Math.max(0, mid.amount)),
    low: cents(Math.max(0, Math.min(mid.amount, low.amount))),
    high: cents(Math.max(mid.amount, high.amount)),
    proof: {
      ...mid.proof,
      Now: look.bills.now,
      UnionKwh: sumOf(union),
      Findings: counted.map(({ FindingID }) => FindingID),
    },
    lack: null,
  }
}

interface Twice {
  amount: number
  proof: Pick<SavingProof, 'Basis' | 'Bills' | 'Then' | 'Union' | 'UnionDays'>
}

function ofYear(
  look: HomeLook,
  year: YearBills,
  union: Float64Array,
  allowed: Parameters<YearBills['least']>[1],
): Twice {
  const Union = unionByClass(look, union)
  const { bills, agreed } = year.least(yearWithout(year.loads, Union, look.offPeakDays), allowed)
  const months = sumOf(year.periods.map(({ Months }) => Months))
  const was = year.was.map(({ Total }) => Total)
  return {
    amount: (sumOf(was) - sumOf(bills)) / months,
    proof: {
      Basis: 'year',
      Then: agreed,
      Union,
      UnionDays: [],
      Bills: year.periods.map(({ FromDay, EndDay, Months }, i) => ({
        From: formatDay(FromDay),
        Through: formatDay(EndDay - 1),
        Months,
        Was: was[i] as number,
        Without: bills[i] as number,
      })),
    },
  }
}

function ofDays(look: HomeLook, now: Agreed, union: Float64Array, isBetter: boolean): Twice {
  const better = isBetter ? BEST_POWER_FACTOR : now.PowerFactor
  const was = look.bills?.ofDays(look.profile, look.from, look.end).Total as number
  const without = billWithout(look, union, better ?? undefined)
  return {
    amount: monthly(was - without),
    proof: {
      Basis: 'days',
      Then: { ...now, PowerFactor: better },
      Union: [],
      UnionDays: daysOf(look, union),
      Bills: [
        {
          From: formatDay(look.from),
          Through: formatDay(look.end - 1),
          Months: CLAIM_DAYS / 30,
          Was: was,
          Without: without,
        },
      ],
    },
  }
}

/** The union day by day, as long as each is. */
function daysOf(look: HomeLook, union: Float64Array): SavingProof['UnionDays'] {
  let at = 0
  return claimedDays(look).map((day) => {
    const length = look.profile.get(day)?.kWh.length ?? 0
    return { Date: formatDay(day), kWh: Array.from(union.subarray(at, (at += length))) }
  })
}

/** Why nothing can be said of a home; null where it can. */
async function lackOf(look: HomeLook): Promise<Headline['lack']> {
  const { ports, tenant, home, end, profile, from } = look
  const first = await ports.energy.firstDay(tenant, home)
  const have = first === undefined ? 0 : Math.max(0, end - first)
  if (have < CLAIM_DAYS)
    return {
      Reason: 'days',
      Have: have,
      Needed: CLAIM_DAYS,
      EnoughOn: first === undefined ? null : formatDay(first + CLAIM_DAYS),
    }
  const known = knownShare(profile.values())
  if (known < KNOWN) {
    // Each whole day from now on takes the place of one of these.
    const days = Math.ceil((KNOWN - known) * CLAIM_DAYS)
    const gaps = [...profile.values()].filter((day) => day.total > 0 && day.known < day.total).length
    return {
      Reason: 'coverage',
      Have: known,
      Needed: KNOWN,
      EnoughOn: gaps ? formatDay(from + CLAIM_DAYS + days) : null,
    }
  }
  return look.bills ? null : { Reason: 'tariff', Have: 0, Needed: 1, EnoughOn: null }
}

const cents = (amount: number): number => Math.round(amount * 100) / 100
