import { FLOW_LINES, type FlowLine } from '../../../../contract/tariffs/explain-change.ts'
import { SIGNS, type Term, TERMS } from '../../../../contract/devices/meter-roles.ts'
import {
  type GroupBy,
  type MembershipPeriod,
  hasSameMembers,
  type MeterGroups,
  groupHome,
  UNTRACKED,
} from '../meters/meter-groups.ts'
import type { Member } from '../meters/members.ts'
import type { Meter } from '../meters/meters.ts'
import { type BalanceMembers, flowsOfHome, type HomeFlows } from '../meters/home-flows.ts'

const FLOW_OF: Readonly<Record<Exclude<Term, 'import'>, FlowLine>> = {
  generation: 'generation',
  discharge: 'storage',
  charge: 'storage',
  export: 'export',
}

/** Purchased energy of a home, divided into the consumption of its lines and its signed flows. */
export interface BoughtLines {
  lines: MeterGroups
  /** Index of the first flow line; the flow lines have the order of FLOW_LINES. */
  firstFlow: number
  flows: HomeFlows
}

/**
 * Divides the purchased energy of a home into the consumption of its lines and the flows of generation, storage and surplus: I = C − G − D
 * + E + H. A home without a balance has only the lines. Without an import meter the sum may differ from the assumed purchase: see
 * `unmeteredPurchase`.
 *
 * zone  IANA zone of the home
 */
export function boughtLines(meters: readonly Meter[], by: GroupBy, zone: string): BoughtLines {
  const flows = flowsOfHome(meters, zone)
  const used = groupHome(meters, by, zone)
  if (!flows.hasBalance) return { lines: used, firstFlow: used.keys.length, flows }
  const own = used.keys.includes(UNTRACKED) ? used.keys : [...used.keys, UNTRACKED]
  const rest = own.indexOf(UNTRACKED)
  const lineOf = (term: Exclude<Term, 'import'>) => own.length + FLOW_LINES.indexOf(FLOW_OF[term])
  const epochs: MembershipPeriod[] = []
  for (const [at, { from, to }] of flows.of.import.epochs.entries())
    for (const epoch of used.epochs) {
      const [begin, end] = [Math.max(from, epoch.from), Math.min(to, epoch.to)]
      if (begin >= end) continue
      const balance = flows.balance[at] as BalanceMembers
      const members = [...consumers(epoch.members, balance, rest), ...flowMembers(balance, lineOf)]
      const before = epochs.at(-1)
      if (before && hasSameMembers(before.members, members)) before.to = end
      else epochs.push({ from: begin, to: end, members })
    }
  const included = new Set([...used.meters, ...flows.of.consumption.meters, ...flows.of.import.meters])
  return {
    lines: { keys: [...own, ...FLOW_LINES], epochs, meters: [...included] },
    firstFlow: own.length,
    flows,
  }
}

/** Members of the consumption lines. Where a meter measures the import, the untracked line is what the other lines leave of the balance. */
function consumers(members: readonly Member[], { terms }: BalanceMembers, rest: number): Member[] {
  if (terms.import.length === 0) return [...members]
  const tracked = members.filter(({ line }) => line !== rest)
  return [
    ...tracked,
    ...tracked.map((member): Member => ({ ...member, line: rest, weight: member.weight === 1 ? -1 : 1 })),
    ...TERMS.flatMap((term) =>
      terms[term].map((member): Member => ({ ...member, line: rest, weight: SIGNS[term] })),
    ),
  ]
}

/** Members of the flow lines, which turn consumption into purchase. */
function flowMembers({ terms }: BalanceMembers, lineOf: (term: Exclude<Term, 'import'>) => number): Member[] {
  return TERMS.flatMap((term) =>
    term === 'import'
      ? []
      : terms[term].map((member): Member => ({
          ...member,
          line: lineOf(term),
          weight: SIGNS[term] === 1 ? -1 : 1,
        })),
  )
}
