import { isTopMeter, type MeterPosition, meterPositions } from '../../../../contract/meters/meter-tree.ts'
import { dayOf, QUARTER_MS, startOfDay } from '../../../../contract/time/periods.ts'
import {
  SINCE_ALWAYS,
  type DatedValue,
  type MeterUse,
  valueOn,
} from '../../../../contract/meters/meter-facts.ts'
import type { Grouping } from '../../../../contract/energy/meter-data-calls.ts'
import { defaultRoleOf, type MeterRole } from '../../../../contract/devices/meter-roles.ts'
import type { Member, Meter, Places } from './meters.ts'

/** Key of the energy that main meters measured and no meter below them did. */
export const UNTRACKED = 'untracked'
/** Key of meters without a known use, and of those whose type is no longer known. */
const UNKNOWN = 'unknown'

/** A period in which the hierarchy of the meters does not change. */
export interface MembershipPeriod {
  /** Epoch ms, whole 15-minute intervals; `to` is exclusive. */
  from: number
  to: number
  members: Member[]
}

/** Lines of an answer and the members of each. */
export interface MeterGroups {
  keys: string[]
  /** Without gaps, in order. */
  epochs: MembershipPeriod[]
  /** All meters that are part of any line. */
  meters: Meter[]
  /** For a home as a whole: the part under which its days and months are stored (`partOf`). */
  part?: number
}

/** Grouping of the total of a home. */
export type GroupBy = Exclude<Grouping, 'band' | 'source'>

/**
 * Divides the consumption of a home's loads (meter-tree.ts) into one line, or by meter, room, use or category. The `untracked` line holds what
 * sub-meters leave of their main meter, and what the loads leave of a balance (`distributeBalance`). A meter below a removed one moves up
 * from the removal on; a moved meter counts at the place that it had on each day.
 *
 * zone  IANA zone of the home, in which days begin
 */
export function groupHome(meters: readonly Meter[], by: GroupBy, zone: string): MeterGroups {
  const lines = createLines()
  const included = new Set<Meter>()
  const tree = createTree(meters)
  const epochs: MembershipPeriod[] = []
  for (const [from, to] of timesOf(meters, by, zone)) {
    const day = dayAt(from, zone)
    const positions = tree.positionsAt(from, day, 'load')
    const parts = meters.flatMap((meter) => {
      const of = partsOf(positions.get(meter.PeripheralUID), by, () => keyOf(meter, by, day))
      if (of.length) for (const register of registersOf(meter)) included.add(register)
      return of.flatMap(([key, weight]) => memberOf(meter, lines.at(key), weight, day))
    })
    const members = positions.hasVirtual ? mergeMembers(parts) : parts
    const before = epochs.at(-1)
    // A move that makes no difference here does not start a new period.
    if (before && hasSameMembers(before.members, members)) before.to = to
    else epochs.push({ from, to, members })
  }
  if (by === 'home') lines.at('')
  // A balance always has an untracked rest, whether or not a load has sub-meters.
  else if (meters.some((meter) => hasReadings(meter) && everHadRole(meter, 'gridImport'))) lines.at(UNTRACKED)
  return { keys: lines.keys(), epochs, meters: [...included] }
}

/** Lines that a meter belongs to, with weights, by its position in the hierarchy. */
function partsOf(
  position: MeterPosition | undefined,
  by: GroupBy,
  key: () => string,
): [key: string, weight: 1 | -1][] {
  if (by === 'home') return isTopMeter(position) ? [['', 1]] : []
  if (position === 'alone') return [[key(), 1]]
  if (position === 'main') return [[UNTRACKED, 1]]
  return position === 'sub'
    ? [
        [key(), 1],
        [UNTRACKED, -1],
      ]
    : []
}

/** Physical meters that make up a meter: itself, or all terms of a virtual meter. */
export const registersOf = (meter: Meter): Meter[] =>
  meter.terms ? [...new Set(meter.terms.flatMap(({ value }) => value.map(([one]) => one)))] : [meter]

/** Merges the members of one meter in a line and adds up their weights; drops those with weight 0. */
function mergeMembers(members: readonly Member[]): Member[] {
  const merged = new Map<string, Member>()
  for (const member of members) {
    const key = `${member.line} ${member.meterId}`
    merged.set(key, { ...member, weight: (merged.get(key)?.weight ?? 0) + member.weight })
  }
  return [...merged.values()].filter(({ weight }) => weight !== 0)
}

export const hasSameMembers = (a: readonly Member[], b: readonly Member[]): boolean =>
  a.length === b.length &&
  a.every((one, i) => {
    const other = b[i] as Member
    return one.meterId === other.meterId && one.line === other.line && one.weight === other.weight
  })

/** Number of the day on which a period begins. */
const dayAt = (from: number, zone: string): number => (from === -Infinity ? SINCE_ALWAYS : dayOf(from, zone))

/** Role of a meter on a day; undefined for a virtual meter without a configured role, which is in no total. */
const roleOn = ({ places, PeripheralUID, terms }: Meter, day: number): MeterRole | undefined =>
  (places?.role && valueOn(places.role, day)) ?? (terms ? undefined : defaultRoleOf(PeripheralUID))

/** Whether a meter, or any of its terms, has readings. */
export const hasReadings = (meter: Meter): boolean =>
  registersOf(meter).some(({ meterId }) => meterId !== null)

/** Whether a meter was ever configured with the role. */
export const everHadRole = ({ places }: Meter, role: MeterRole): boolean =>
  places?.role?.some(({ value }) => value === role) ?? false

/**
 * Top-level meters of each role, which make up its total, by period.
 *
 * returns  without gaps, in order
 */
export function topMetersByRole(
  meters: readonly Meter[],
  roles: readonly MeterRole[],
  zone: string,
): { from: number; to: number; tops: Map<MeterRole, Member[]> }[] {
  const trees = new Map(roles.map((role) => [role, createTree(meters)]))
  return timesOf(meters, 'home', zone).map(([from, to]) => {
    const day = dayAt(from, zone)
    const tops = new Map(
      [...trees].map(([role, tree]) => {
        const positions = tree.positionsAt(from, day, role)
        const top = meters.filter(({ PeripheralUID }) => isTopMeter(positions.get(PeripheralUID)))
        const members = top.flatMap((meter) => memberOf(meter, 0, 1, day))
        return [role, positions.hasVirtual ? mergeMembers(members) : members]
      }),
    )
    return { from, to, tops }
  })
}

/** Groups the total of a role into one line. */
export function groupRole(meters: readonly Meter[], role: MeterRole, zone: string): MeterGroups {
  const epochs = topMetersByRole(meters, [role], zone).map(({ from, to, tops }): MembershipPeriod => ({
    from,
    to,
    members: tops.get(role) ?? [],
  }))
  const included = meters.filter((meter) => everHadRole(meter, role)).flatMap(registersOf)
  return { keys: [''], epochs, meters: [...new Set(included)] }
}

/** Positions of meters, and whether any of them is virtual: then a physical meter may be part of several lines. */
interface Positions {
  get(uid: string): MeterPosition | undefined
  hasVirtual: boolean
}

/**
 * Computes the positions of a home's meters within a role; meters of other roles have none. Recomputes only after a move, a removal or a
 * change of role.
 */
function createTree(meters: readonly Meter[]) {
  const byUid = new Map(meters.map((meter) => [meter.PeripheralUID, meter]))
  let known: { parents: (string | null | undefined)[]; positions: Positions } | undefined
  return {
    positionsAt(from: number, day: number, role: MeterRole): Positions {
      const parents = meters.map((meter) =>
        roleOn(meter, day) === role ? parentAt(byUid, parentOn(meter, day), from, day) : undefined,
      )
      if (known?.parents.every((parent, i) => parent === parents[i])) return known.positions
      const found = meterPositions(
        meters.flatMap(({ PeripheralUID }, i) => {
          const ParentMeter = parents[i]
          return ParentMeter === undefined ? [] : [{ PeripheralUID, ParentMeter }]
        }),
      )
      const hasVirtual = meters.some(({ terms }, i) => terms !== undefined && parents[i] !== undefined)
      const positions = { get: (uid: string) => found.get(uid), hasVirtual }
      known = { parents, positions }
      return positions
    },
  }
}

/** A meter or virtual meter that was requested by id. */
export type RequestedMeter =
  | { id: string; meter: Meter }
  | { id: string; terms: readonly DatedValue<readonly (readonly [Meter, 1 | -1])[]>[] }

/** Groups requested meters, each counted as itself; a virtual meter keeps its own id as key, whatever the grouping. */
export function groupMeters(requested: readonly RequestedMeter[], by: GroupBy, zone: string): MeterGroups {
  const lines = createLines()
  const included = new Set<Meter>()
  const placedMeters = requested.flatMap((one) => ('meter' in one ? [one.meter] : []))
  const dated = requested.flatMap((one) => ('terms' in one ? one.terms.map(({ from }) => from) : []))
  const times = timesBetween([
    ...datesOf(placedMeters, LINE_FACTS[by] ?? [], zone),
    ...dated.filter((day) => day !== SINCE_ALWAYS).map((day) => startOfDay(day, zone)),
  ])
  const epochs = times.map(([from, to]): MembershipPeriod => {
    const day = dayAt(from, zone)
    const members = requested.flatMap((one) => {
      const terms = 'meter' in one ? [[one.meter, 1] as const] : (valueOn(one.terms, day) ?? [])
      const line = lines.at(by === 'home' ? '' : 'meter' in one ? keyOf(one.meter, by, day) : one.id)
      return terms.flatMap(([meter, weight]) => {
        included.add(meter)
        return memberOf(meter, line, weight, day)
      })
    })
    return { from, to, members }
  })
  return { keys: lines.keys(), epochs, meters: [...included] }
}

/** Restricts lines to a time range: lines without a member in it are dropped. `from` and `to` in epoch ms, `to` exclusive. */
export function restrictToRange(lines: MeterGroups, from: number, to: number): MeterGroups {
  const epochs = lines.epochs.filter((epoch) => epoch.from < to && epoch.to > from)
  if (epochs.length === lines.epochs.length) return lines
  const used = new Set<number>()
  for (const { members } of epochs) for (const { line } of members) used.add(line)
  if (used.size === lines.keys.length) return lines
  const members = epochs.flatMap((epoch) => epoch.members)
  const places = [...used].toSorted((a, b) => a - b)
  const lineOf = new Map(places.map((line, i) => [line, i]))
  const counted = new Set(members.map(({ meterId }) => meterId))
  return {
    keys: places.map((line) => lines.keys[line] as string),
    epochs: epochs.map((epoch, i) => ({
      from: i === 0 ? -Infinity : epoch.from,
      to: i === epochs.length - 1 ? Infinity : epoch.to,
      members: epoch.members.map((member) => ({ ...member, line: lineOf.get(member.line) as number })),
    })),
    meters: lines.meters.filter(({ meterId }) => meterId === null || counted.has(meterId)),
  }
}

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

const keyOf = (meter: Meter, by: GroupBy, day: number): string =>
  by === 'meter'
    ? meter.PeripheralUID
    : by === 'room'
      ? String((meter.places?.room && valueOn(meter.places.room, day)) ?? meter.roomId)
      : by === 'use'
        ? (useOn(meter, day) ?? UNKNOWN)
        : by === 'category'
          ? (meter.category ?? UNKNOWN)
          : ''

/** Use of a meter on a day: as configured, else by its name; of a virtual meter without one, that of all meters that it adds. */
function useOn({ places, nameUse, terms }: Meter, day: number): MeterUse | undefined {
  const configuredUse = places?.use && valueOn(places.use, day)
  if (configuredUse || !terms) return configuredUse ?? nameUse
  const added = (valueOn(terms, day) ?? []).flatMap(([meter, factor]) => (factor > 0 ? [meter] : []))
  const uses = new Set(added.map((meter) => useOn(meter, day)))
  return uses.size === 1 ? [...uses][0] : undefined
}

/** Facts besides the hierarchy that determine the lines of a grouping. */
const LINE_FACTS: Partial<Record<GroupBy, readonly (keyof Places)[]>> = { room: ['room'], use: ['use'] }

/** Members for a meter: none before its first reading; the terms of the day for a virtual meter. */
function memberOf(meter: Meter, line: number, weight: 1 | -1, day: number): Member[] {
  const { meterId, removedAt, terms } = meter
  if (terms)
    return (valueOn(terms, day) ?? []).flatMap(([one, factor]) =>
      memberOf(one, line, weight === factor ? 1 : -1, day),
    )
  return meterId === null ? [] : [{ meterId, line, weight, removed: removedAt !== null }]
}

/** End of the last interval of a removed meter. */
const endOf = (removedAt: number): number => Math.ceil(removedAt / QUARTER_MS) * QUARTER_MS

/** Periods between removals of parent meters and between moves that affect the grouping. */
function timesOf(meters: readonly Meter[], by: GroupBy, zone: string): [from: number, to: number][] {
  const parents = new Set(
    meters.flatMap(({ ParentMeter, places }) => [
      ParentMeter,
      ...(places?.parent ?? []).map(({ value }) => value),
    ]),
  )
  const ends = meters.flatMap(({ PeripheralUID, removedAt }) =>
    removedAt !== null && parents.has(PeripheralUID) ? [endOf(removedAt)] : [],
  )
  return timesBetween([...ends, ...datesOf(meters, ['parent', 'role', ...(LINE_FACTS[by] ?? [])], zone)])
}

/** Start times of the dated facts of some meters, including the terms of virtual meters. */
function datesOf(meters: readonly Meter[], facts: readonly (keyof Places)[], zone: string): number[] {
  const days = new Set(
    meters.flatMap(({ places, terms = [] }) =>
      [terms, ...facts.map((fact) => places?.[fact] ?? [])].flatMap((history) =>
        history.map(({ from }) => from),
      ),
    ),
  )
  days.delete(SINCE_ALWAYS)
  return [...days].map((day) => startOfDay(day, zone))
}

function timesBetween(times: readonly number[]): [from: number, to: number][] {
  const edges = [-Infinity, ...new Set(times.toSorted((a, b) => a - b)), Infinity]
  return edges.slice(1).map((to, i) => [edges[i] as number, to])
}

const parentOn = ({ places, ParentMeter }: Meter, day: number): string | null =>
  places?.parent ? (valueOn(places.parent, day) ?? null) : ParentMeter

/** Nearest parent meter that still existed. */
function parentAt(
  meters: ReadonlyMap<string, Meter>,
  parent: string | null,
  from: number,
  day: number,
): string | null {
  // Bounded by the number of meters: the hierarchy cannot be deeper.
  for (let steps = 0; parent !== null && steps < meters.size; steps++) {
    const above = meters.get(parent)
    if (!above) return null
    if (above.removedAt === null || endOf(above.removedAt) > from) return parent
    parent = parentOn(above, day)
  }
  return null
}
