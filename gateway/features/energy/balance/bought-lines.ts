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

/** What a home bought, divided: what its lines used, and its flows with their signs. */
export interface BoughtLines {
  lines: MeterGroups
  /** From which of the lines on they are those of FLOW_LINES, in their order. */
  firstFlow: number
  flows: HomeFlows
}

/**
 * Divides what a home bought into what its lines used and what generation, storage and surplus take from that or add to it:
 * I = C − G − D + E + H. Of a home without a balance the lines are all there is. Where no meter sees the import, the lines come to
 * more or less than is taken for it: see `restOfBought`.
 *
 * zone  of the home's clock
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
  const taking = new Set([...used.meters, ...flows.of.consumption.meters, ...flows.of.import.meters])
  return {
    lines: { keys: [...own, ...FLOW_LINES], epochs, meters: [...taking] },
    firstFlow: own.length,
    flows,
  }
}

/** What was used: where a meter sees the import the untracked line is what its meters leave of the balance, as `divideBalance` has it. */
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

/** What makes of what was used what was bought. */
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
