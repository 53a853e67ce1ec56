import { atTop, standsOf } from '../../../../contract/rules/meter/meter-tree.ts'
import { QUARTER } from '../../../../contract/rules/energy/periods.ts'
import type { Grouping } from '../../../../contract/procedures/meter-data.ts'
import type { Member } from './members.ts'
import type { Meter, VirtualTerms } from './meters.ts'

/** The key of what main meters counted and no meter below them did. */
export const UNTRACKED = 'untracked'
/** The key of meters of which nobody remembers what they were. */
const UNKNOWN = 'unknown'

/** A time in which the same meters stand above the same others. */
export interface Epoch {
  /** Epoch ms, whole quarters; `to` is exclusive. */
  from: number
  to: number
  members: Member[]
}

/** The lines of an answer and what each is made of. */
export interface Lines {
  keys: string[]
  /** Without gaps, in order. */
  epochs: Epoch[]
  /** Every meter that takes part. */
  meters: Meter[]
}

/**
 * Divides the total of a home (meter-tree.ts): into one line, or by meter, room or category, where what sub-meters leave
 * is `untracked`. A meter under one that was removed moves up from then on.
 */
export function linesOfHome(meters: readonly Meter[], by: Exclude<Grouping, 'band'>): Lines {
  const lines = createLines()
  const taking = new Set<Meter>()
  const byUid = new Map(meters.map((meter) => [meter.PeripheralUID, meter]))
  const epochs = timesOf(meters).map(([from, to]): Epoch => {
    const stands = standsOf(
      meters.map(({ PeripheralUID, ParentMeter }) => ({
        PeripheralUID,
        ParentMeter: parentAt(byUid, ParentMeter, from),
      })),
    )
    const members = meters.flatMap((meter) => {
      const stand = stands.get(meter.PeripheralUID)
      const parts: [key: string, weight: 1 | -1][] = []
      if (by === 'home') {
        if (atTop(stand)) parts.push(['', 1])
      } else {
        if (stand === 'alone' || stand === 'sub') parts.push([keyOf(meter, by), 1])
        if (stand === 'main') parts.push([UNTRACKED, 1])
        if (stand === 'sub') parts.push([UNTRACKED, -1])
      }
      if (parts.length) taking.add(meter)
      return parts.flatMap(([key, weight]) => memberOf(meter, lines.at(key), weight))
    })
    return { from, to, members }
  })
  if (by === 'home') lines.at('')
  return { keys: lines.keys(), epochs, meters: [...taking] }
}

/** What was asked for by id. */
export type Wanted =
  { id: string; meter: Meter } | { id: string; terms: readonly (readonly [Meter, 1 | -1])[] }

/** Lines of meters that are each counted as themselves; a virtual meter stands under its own id, whatever divides. */
export function linesOfMeters(wanted: readonly Wanted[], by: Exclude<Grouping, 'band'>): Lines {
  const lines = createLines()
  const taking = new Set<Meter>()
  const members = wanted.flatMap((one) => {
    const terms = 'meter' in one ? [[one.meter, 1] as const] : one.terms
    const line = lines.at(by === 'home' ? '' : 'meter' in one ? keyOf(one.meter, by) : one.id)
    return terms.flatMap(([meter, weight]) => {
      taking.add(meter)
      return memberOf(meter, line, weight)
    })
  })
  return { keys: lines.keys(), epochs: [{ from: -Infinity, to: Infinity, members }], meters: [...taking] }
}

/** The terms of a virtual meter that are still known. */
export const termsOf = (
  { Terms }: VirtualTerms,
  meters: ReadonlyMap<string, Meter>,
): (readonly [Meter, 1 | -1])[] =>
  Terms.flatMap(({ PeripheralUID, Factor }) => {
    const meter = meters.get(PeripheralUID)
    return meter ? [[meter, Factor] as const] : []
  })

function createLines() {
  const found = new Map<string, number>()
  return {
    at(key: string): number {
      const line = found.get(key) ?? found.size
      found.set(key, line)
      return line
    },
    keys: () => [...found.keys()],
  }
}

const keyOf = (meter: Meter, by: 'home' | 'meter' | 'room' | 'category'): string =>
  by === 'meter'
    ? meter.PeripheralUID
    : by === 'room'
      ? String(meter.roomId)
      : by === 'category'
        ? (meter.category ?? UNKNOWN)
        : ''

/** Nothing can be added up of a meter before its first reading. */
const memberOf = ({ meterId, removedAt }: Meter, line: number, weight: 1 | -1): Member[] =>
  meterId === null ? [] : [{ meterId, line, weight, removed: removedAt !== null }]

/** When a removed meter's last interval ends. */
const endOf = (removedAt: number): number => Math.ceil(removedAt / QUARTER) * QUARTER

/** The times between the removals of meters that had others below them. */
function timesOf(meters: readonly Meter[]): [from: number, to: number][] {
  const parents = new Set(meters.map(({ ParentMeter }) => ParentMeter))
  const ends = meters.flatMap(({ PeripheralUID, removedAt }) =>
    removedAt !== null && parents.has(PeripheralUID) ? [endOf(removedAt)] : [],
  )
  const edges = [-Infinity, ...new Set(ends.toSorted((a, b) => a - b)), Infinity]
  return edges.slice(1).map((to, i) => [edges[i] as number, to])
}

/** The nearest meter above that was still there. */
function parentAt(meters: ReadonlyMap<string, Meter>, parent: string | null, from: number): string | null {
  // As many steps as there are meters: a tree is never deeper.
  for (let steps = 0; parent !== null && steps < meters.size; steps++) {
    const above = meters.get(parent)
    if (!above) return null
    if (above.removedAt === null || endOf(above.removedAt) > from) return parent
    parent = above.ParentMeter
  }
  return null
}
