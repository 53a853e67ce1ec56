import {
  FLOWS,
  type Flow,
  type MeterRole,
  METER_ROLES,
  partOf,
  SIGNS,
  type Term,
  termOf,
  TERMS,
} from '../../../../contract/devices/meter-roles.ts'
import {
  type MembershipPeriod,
  everHadRole,
  hasReadings,
  hasSameMembers,
  type MeterGroups,
  groupHome,
  topMetersByRole,
} from './meter-groups.ts'
import type { Member, Meter } from './meters.ts'

/** Energy flows of a home as a whole, one line each; all have the same membership periods. */
export interface HomeFlows {
  /**
   * Whether any meter of the home ever takes part in a balance. Otherwise the consumption is the sum of the loads, and all of it is bought.
   */
  hasBalance: boolean
  of: Readonly<Record<Flow, MeterGroups>>
  /** Meters of the balance in each membership period; empty for a home without a balance. */
  balance: readonly BalanceMembers[]
}

/** Meters of a balance in one membership period: those of each term, and the top-level loads. */
export interface BalanceMembers {
  terms: Readonly<Record<Term, Member[]>>
  loads: Member[]
}

const ROLE_OF = Object.fromEntries(
  METER_ROLES.flatMap((role) => {
    const term = termOf(role)
    return term ? [[term, role]] : []
  }),
) as Record<Term, MeterRole>

/**
 * Derives the flows of a home from its meters.
 *
 * zone  IANA zone of the home, in which days begin
 */
export function flowsOfHome(meters: readonly Meter[], zone: string): HomeFlows {
  if (
    !meters.some((meter) => hasReadings(meter) && TERMS.some((term) => everHadRole(meter, ROLE_OF[term])))
  ) {
    const loads: MeterGroups = { ...groupHome(meters, 'home', zone), part: partOf('consumption') }
    return { hasBalance: false, of: { ...NONE, consumption: loads, import: loads }, balance: [] }
  }
  const times: { from: number; to: number; at: BalanceMembers }[] = []
  const roles: MeterRole[] = ['load', ...TERMS.map((term) => ROLE_OF[term])]
  for (const { from, to, tops } of topMetersByRole(meters, roles, zone)) {
    const membersOf = (role: MeterRole) => tops.get(role) ?? []
    const at: BalanceMembers = {
      terms: ofTerms((term) => membersOf(ROLE_OF[term])),
      loads: membersOf('load'),
    }
    const before = times.at(-1)
    // A move that makes no difference here does not start a new period.
    if (before && isSameBalance(before.at, at)) before.to = to
    else times.push({ from, to, at })
  }
  const linesOf = (flow: Flow, membersOf: (at: BalanceMembers) => Member[]): MeterGroups => {
    const epochs = times.map(({ from, to, at }): MembershipPeriod => ({ from, to, members: membersOf(at) }))
    const ids = new Set(epochs.flatMap(({ members }) => members.map(({ meterId }) => meterId)))
    const included = meters.filter(({ meterId }) => meterId !== null && ids.has(meterId))
    return { keys: [''], epochs, meters: included, part: partOf(flow) }
  }
  return {
    hasBalance: true,
    of: {
      ...ofTerms((term) => linesOf(term, ({ terms }) => terms[term])),
      consumption: linesOf('consumption', usedBy),
      import: linesOf('import', boughtBy),
    },
    balance: times.map(({ at }) => at),
  }
}

const ofTerms = <T>(of: (term: Term) => T): Record<Term, T> =>
  Object.fromEntries(TERMS.map((term) => [term, of(term)])) as Record<Term, T>

const isSameBalance = (a: BalanceMembers, b: BalanceMembers): boolean =>
  hasSameMembers(a.loads, b.loads) && TERMS.every((term) => hasSameMembers(a.terms[term], b.terms[term]))

const signed = (members: readonly Member[], weight: 1 | -1): Member[] =>
  members.map((member) => ({ ...member, weight }))

/** Members of the consumption: import, generation and discharge minus export and charge; without an import meter the loads. */
const usedBy = ({ terms, loads }: BalanceMembers): Member[] =>
  terms.import.length ? TERMS.flatMap((term) => signed(terms[term], SIGNS[term])) : loads

/** Members of the purchase: the import meters; without one, the loads minus the other terms. */
const boughtBy = ({ terms, loads }: BalanceMembers): Member[] =>
  terms.import.length
    ? terms.import
    : [...loads, ...TERMS.flatMap((term) => signed(terms[term], SIGNS[term] === 1 ? -1 : 1))]

const emptyGroups = (flow: Flow): MeterGroups => ({
  keys: [''],
  epochs: [{ from: -Infinity, to: Infinity, members: [] }],
  meters: [],
  part: partOf(flow),
})
const NONE = Object.fromEntries(FLOWS.map((flow) => [flow, emptyGroups(flow)])) as Record<Flow, MeterGroups>
