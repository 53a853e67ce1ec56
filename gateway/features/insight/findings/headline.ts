import type { SavingProof } from '../../../../contract/findings/calls.ts'
import { formatDay } from '../../../../contract/time/periods.ts'
import { sharesOf } from '../logic/detected.ts'
import {
  NON_HEADLINE_KINDS,
  BILL_KINDS,
  CLAIM_DAYS,
  monthly,
  scaled,
} from '../../../../contract/findings/finding-life.ts'
import { sumOf } from '../logic/robust-statistics.ts'
import type { ContractTerms, YearBills } from '../logic/ports.ts'
import {
  adviceYear,
  claimedDays,
  type HomeSnapshot,
  type Lack,
  lacksOfMeters,
} from './kinds/home-snapshot.ts'
import { billWithout, homeUnion, type PricedFinding, unionByClass, yearWithout } from './price.ts'

/** Stored headline of a home: NT$ a month to the cent, with the data to recompute it; `lack` if there is none. */
export interface Headline {
  amount: number | null
  low: number | null
  high: number | null
  proof: SavingProof | null
  lack: Lack | null
  /** Data missing to examine a part of the home; absent in results of an earlier release. */
  lacks?: Lack[]
  /** NT$ of the amount for each finding that is in it, by FindingID, at most its own amount; together they are at most the amount. */
  counted?: Record<string, number>
}

/** A finding that counts toward a headline. */
export interface OpenFinding {
  FindingID: string
  found: PricedFinding
}

/** Power factor of bills once its improvement is advised, %. */
const BEST_POWER_FACTOR = 95

/**
 * Whether a finding counts toward the headline of its home: not of low confidence, with an amount, and of a kind that
 * headlines include.
 */
export const isInHeadline = ({ confidence, amount, kind, claims }: PricedFinding): boolean =>
  confidence !== 'low' &&
  amount !== null &&
  !NON_HEADLINE_KINDS.has(kind) &&
  (claims.length > 0 || BILL_KINDS.has(kind))

/**
 * Combined saving of all open findings of a home: the bills of 12 months under the present contract, less the bills
 * without the union of all claims and with the advised contract; if 12 months do not allow advice, the same for the
 * claimed days.
 */
export async function computeHeadline(
  snapshot: HomeSnapshot,
  open: readonly OpenFinding[],
): Promise<Headline> {
  const lacks = snapshot.lack ? [] : await lacksOfMeters(snapshot)
  const lack = lackOf(snapshot)
  if (lack || !snapshot.bills)
    return { amount: null, low: null, high: null, proof: null, lack, lacks, counted: {} }
  const counted = open.filter(({ found }) => isInHeadline(found))
  const claims = counted.flatMap(({ found }) => found.claims)
  const allowed = {
    plan: counted.some(({ found }) => found.kind === 'plan'),
    contract: counted.some(({ found }) => found.kind === 'contract'),
    powerFactor: counted.some(({ found }) => found.kind === 'powerFactor'),
  }
  const year = adviceYear(snapshot)
  const bill =
    year !== undefined
      ? (union: Float64Array) => ofYear(snapshot, year, union, allowed)
      : (union: Float64Array) =>
          ofDays(snapshot, snapshot.bills?.now as ContractTerms, union, allowed.powerFactor)
  const union = await homeUnion(snapshot, claims)
  const [mid, low, high] = [
    bill(union),
    bill(await homeUnion(snapshot, scaled(claims, 'low'))),
    bill(await homeUnion(snapshot, scaled(claims, 'high'))),
  ]
  // Findings about the contract have no claims: their range is that of their bills.
  const ofBills = counted.filter(({ found }) => found.claims.length === 0)
  const [less, more] = [
    sumOf(ofBills.map(({ found }) => (found.amount ?? 0) - (found.low ?? found.amount ?? 0))),
    sumOf(ofBills.map(({ found }) => (found.high ?? found.amount ?? 0) - (found.amount ?? 0))),
  ]
  const amount = cents(Math.max(0, mid.amount))
  const shares = sharesOf(
    amount,
    counted.map(({ found }) => Math.max(0, found.amount ?? 0)),
  )
  return {
    amount,
    low: cents(Math.max(0, Math.min(mid.amount, low.amount) - less)),
    high: cents(Math.max(mid.amount, high.amount) + more),
    // What findings save only together is no part of one of them.
    counted: Object.fromEntries(
      counted.map(({ FindingID, found }, i) => [
        FindingID,
        Math.min(shares[i] as number, cents(Math.max(0, found.amount ?? 0))),
      ]),
    ),
    lacks,
    proof: {
      ...mid.proof,
      UnionKwh: sumOf(union),
      Findings: counted.map(({ FindingID }) => FindingID),
    },
    lack: null,
  }
}

interface Twice {
  amount: number
  proof: Pick<SavingProof, 'Basis' | 'Bills' | 'Now' | 'IsBestContract' | 'Then' | 'Union' | 'UnionDays'>
}

function ofYear(
  snapshot: HomeSnapshot,
  year: YearBills,
  union: Float64Array,
  allowed: Parameters<YearBills['minimizeBills']>[1],
): Twice {
  const Union = unionByClass(snapshot, union)
  // A plan counts with its saving beyond the best contract of the present plan, which is a finding of its own.
  const contract = allowed.contract || allowed.plan
  const IsBestContract = allowed.plan && !allowed.contract
  const { bills, agreed } = year.minimizeBills(yearWithout(year.loads, Union, snapshot.offPeakDays), {
    ...allowed,
    contract,
  })
  const months = sumOf(year.periods.map(({ Months }) => Months))
  const best = IsBestContract
    ? year.minimizeBills(year.loads, { plan: false, contract, powerFactor: false })
    : undefined
  const current = best?.bills ?? year.actual.map(({ Total }) => Total)
  return {
    amount: (sumOf(current) - sumOf(bills)) / months,
    proof: {
      Basis: 'year',
      Now: best?.agreed ?? (snapshot.bills?.now as ContractTerms),
      ...(IsBestContract && { IsBestContract }),
      Then: agreed,
      Union,
      UnionDays: [],
      Bills: year.periods.map(({ FromDay, EndDay, Months }, i) => ({
        From: formatDay(FromDay),
        Through: formatDay(EndDay - 1),
        Months,
        Was: current[i] as number,
        Without: bills[i] as number,
      })),
    },
  }
}

function ofDays(snapshot: HomeSnapshot, now: ContractTerms, union: Float64Array, isBetter: boolean): Twice {
  const better = isBetter ? BEST_POWER_FACTOR : now.PowerFactor
  const current = snapshot.bills?.ofDays(snapshot.profile, snapshot.from, snapshot.end).Total as number
  const without = billWithout(snapshot, union, better ?? undefined)
  return {
    amount: monthly(current - without),
    proof: {
      Basis: 'days',
      Now: now,
      Then: { ...now, PowerFactor: better },
      Union: [],
      UnionDays: daysOf(snapshot, union),
      Bills: [
        {
          From: formatDay(snapshot.from),
          Through: formatDay(snapshot.end - 1),
          Months: CLAIM_DAYS / 30,
          Was: current,
          Without: without,
        },
      ],
    },
  }
}

/** The union by day, with as many intervals as each day has. */
function daysOf(snapshot: HomeSnapshot, union: Float64Array): SavingProof['UnionDays'] {
  let at = 0
  return claimedDays(snapshot).map((day) => {
    const length = snapshot.profile.get(day)?.kWh.length ?? 0
    return { Date: formatDay(day), kWh: Array.from(union.subarray(at, (at += length))) }
  })
}

/** Data missing for any statement about a home; null if nothing is missing. */
const lackOf = ({ lack, bills }: HomeSnapshot): Headline['lack'] =>
  lack ?? (bills ? null : { Reason: 'tariff', Have: 0, Needed: 1, EnoughOn: null })

const cents = (amount: number): number => Math.round(amount * 100) / 100
