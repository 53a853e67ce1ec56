import { monthOfDay, startOfDay } from '../../../../contract/time/periods.ts'
import { SIGNS, TERMS, type Term } from '../../../../contract/devices/meter-roles.ts'
import type { Db } from '../../../kernel/db.ts'
import { meterIdsOf } from '../query/context.ts'
import { createDayClock, type DayPlan, type Window } from '../query/day-plans.ts'
import { expectedIntervals } from '../query/coverage.ts'
import { firstDays, epochOf, type HomeKey, knownBefore, sumBefore } from '../rollup/home-days.ts'
import { readFlowDays } from '../rollup/balance-months.ts'
import { type HomeFlows, type BalanceMembers, flowsOfHome } from '../meters/home-flows.ts'
import { type EnergyDeps, ensureFresh } from '../rollup/freshness.ts'
import {
  type MeterGroups,
  type GroupBy,
  type MembershipPeriod,
  hasSameMembers,
  groupHome,
  UNTRACKED,
} from '../meters/meter-groups.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { readCountedMeters, type Member, type Meter } from '../meters/meters.ts'
import { sumEpochs } from '../query/sum-lines.ts'
import { createSumCache, type EnergySums } from '../query/sums.ts'
import { FLOW_LINES, type FlowLine } from '../../../../contract/tariffs/explain-change.ts'

const FLOW_OF: Readonly<Record<Exclude<Term, 'import'>, FlowLine>> = {
  generation: 'generation',
  discharge: 'storage',
  charge: 'storage',
  export: 'export',
}

/** Purchased energy of a home, divided into the consumption of its lines and its signed flows. */
interface BoughtLines {
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
function boughtLines(meters: readonly Meter[], by: GroupBy, zone: string): BoughtLines {
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

/** A day that has ended, with its parts in order. */
export interface SlotDay {
  day: number
  windows: readonly Window[]
}

/** Energy of a meter as part of a line, by slot. */
interface MemberLine {
  key: string
  /** Line that it belongs to: a room, meter or category, `untracked` for the rest without a sub-meter, or one of FLOW_LINES. */
  line: string
  /** Whether the line is a flow of a balance. */
  isFlow: boolean
  /** Identifies the same meter across lines. */
  meter: string
  /** Signed by the meter's weight: negative for what sub-meters subtract from `untracked`, and for generation. */
  kWh: Float64Array
  /** Number of known intervals, and number of expected ones; those of a day may be counted in its first slot. */
  known: Float64Array
  due: Float64Array
}

/** Purchased energy of a home, meter by meter. */
export interface BoughtByMember {
  members: MemberLine[]
  /** kWh by slot that the members lack to the purchase if it is only partly known; undefined if nothing is lacking. */
  lacking: Float64Array | undefined
}

/**
 * Sums the purchased energy of a home by slots of days: its lines and the flows of a balance, with each meter of a line separate, so that
 * gaps are attributed to their meter.
 */
export function createSlotSums(deps: EnergyDeps) {
  const { db, clock } = deps
  const cache = createSumCache()
  return async function boughtByMember(
    tenant: string,
    { HomeID, zone }: HomeClock,
    by: 'room' | 'meter' | 'category',
    days: readonly SlotDay[],
    slots: number,
  ): Promise<BoughtByMember> {
    const {
      lines: whole,
      firstFlow,
      flows,
    } = boughtLines(await readCountedMeters(db, tenant, HomeID), by, zone)
    const { lines, names } = byMember(whole)
    const [first, last] = [days[0], days.at(-1)]
    if (!first || !last || names.length === 0) return { members: [], lacking: undefined }
    const home = { tenant, HomeID, zone, flows }
    const ranges = flows.hasBalance ? [{ from: monthOfDay(first.day), through: monthOfDay(last.day) }] : []
    await ensureFresh(deps, meterIdsOf(lines.meters), { scope: home, ranges })
    const dayClock = createDayClock(zone, clock.now())
    const plans = days.map(({ day, windows }): DayPlan => {
      const quarters = dayClock.quartersOf(day)
      return { day, quarters, ended: quarters, windows }
    })
    const sums = await sumEpochs(db, cache, lines, plans, { slots, exact: false, clock: dayClock })
    const firstDayByMeter = await firstDays(db, lines.meters, monthOfDay(first.day), zone)
    const expected = expectedIntervals(lines, plans, dayClock, slots, firstDayByMeter)
    const members = names.map(({ line, meter }, i) => ({
      key: `${lines.keys[i]}`,
      line: whole.keys[line] as string,
      isFlow: line >= firstFlow,
      meter,
      ...countedOf(sums[i] as EnergySums, expected[i] as Int32Array),
    }))
    if (!flows.hasBalance) return { members, lacking: undefined }
    const rest = await unmeteredPurchase(db, home, flows, zone, days, slots)
    if (!rest) return { members, lacking: undefined }
    const { lacking, unseen: kWh, known, due } = rest
    const unseen = { key: UNSEEN, line: 'export', isFlow: true, meter: UNSEEN, kWh, known, due }
    return { members: [...members, unseen], lacking }
  }
}

/** Key of a surplus that no meter measured. */
const UNSEEN = 'unseen'

const countedOf = (sums: EnergySums, expected: Int32Array): Pick<MemberLine, 'kWh' | 'known' | 'due'> => ({
  kWh: sums.kwh,
  known: Float64Array.from(
    sums.measured,
    (measured, i) =>
      measured + (sums.between[i] as number) + (sums.estimated[i] as number) + (sums.corrected[i] as number),
  ),
  due: Float64Array.from(expected, (due, i) => due + (sums.past[i] as number)),
})

/** Splits lines into one line per meter, and names the original line and meter of each. */
function byMember({ keys, epochs, meters }: MeterGroups): {
  lines: MeterGroups
  names: { line: number; meter: string }[]
} {
  const found = new Map<string, { index: number; line: number; meter: string }>()
  const divided = epochs.map((epoch) => ({
    ...epoch,
    members: epoch.members.map((member) => {
      const meter = `${member.meterId}/${member.weight}`
      const key = `${keys[member.line]}/${member.line}/${meter}`
      const known = found.get(key) ?? { index: found.size, line: member.line, meter }
      found.set(key, known)
      return { ...member, line: known.index }
    }),
  }))
  return {
    lines: { keys: [...found.keys()], epochs: divided, meters },
    names: [...found.values()].map(({ line, meter }) => ({ line, meter })),
  }
}

/** Difference, per slot, between the lines of a home and its assumed purchase where no meter measures that. */
interface UnmeteredPurchase {
  /** kWh of a surplus that no meter measured: energy that came in beyond the consumption. */
  unseen: Float64Array
  /** Number of intervals with a known purchase, and number of intervals that should be known. */
  known: Float64Array
  due: Float64Array
  /** kWh of the intervals whose purchase is only partly known. */
  lacking: Float64Array
}

/**
 * Computes the purchase of days without an import meter: the need of the loads beyond generation and battery, never below 0, known only if
 * all its meters are. The days must have been rolled up before (`rollUpHome`).
 *
 * returns  undefined if a meter measures the import on all of the days
 */
async function unmeteredPurchase(
  db: Db,
  key: HomeKey,
  { balance, of }: HomeFlows,
  zone: string,
  days: readonly Pick<DayPlan, 'day' | 'windows'>[],
  slots: number,
): Promise<UnmeteredPurchase | undefined> {
  // On a day on which meters change their place, the purchase is the sum of its meters.
  const estimatedDays = days.filter(({ day }) => {
    const epoch = epochOf(of.import.epochs, startOfDay(day, zone), startOfDay(day + 1, zone))
    return epoch && balance[of.import.epochs.indexOf(epoch)]?.terms.import.length === 0
  })
  const [first, last] = [estimatedDays[0], estimatedDays.at(-1)]
  if (!first || !last) return undefined
  const storedDays = await readFlowDays(db, key, first.day, last.day + 1)
  const rest: UnmeteredPurchase = {
    unseen: new Float64Array(slots),
    known: new Float64Array(slots),
    due: new Float64Array(slots),
    lacking: new Float64Array(slots),
  }
  for (const { day, windows } of estimatedDays) {
    const [bought, used] = [storedDays.import.get(day), storedDays.consumption.get(day)]
    const at = (one: typeof bought, i: number) =>
      one ? sumBefore(one.kWh, i + 1) - sumBefore(one.kWh, i) : 0
    for (const { slot, from, to } of windows)
      for (let i = from; i < to; i++) {
        let needed = at(used, i)
        for (const term of TERMS)
          if (term !== 'import') needed -= SIGNS[term] * at(storedDays[term].get(day), i)
        const isKnown = bought !== undefined && knownBefore(bought, i + 1) > knownBefore(bought, i)
        const sums = isKnown ? rest.unseen : rest.lacking
        ;(sums[slot] as number) += at(bought, i) - needed
        ;(rest.due[slot] as number) += 1
        if (isKnown) (rest.known[slot] as number) += 1
      }
  }
  return rest
}
