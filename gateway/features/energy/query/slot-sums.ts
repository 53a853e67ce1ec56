import { monthOfDay } from '../../../../contract/rules/energy/periods.ts'
import { createDayClock, type DayPlan, type Window } from './day-plans.ts'
import type { EnergyOptions } from './energy.ts'
import { createExpectation, firstDays } from './expected-intervals.ts'
import { type Lines, linesOfHome } from './lines.ts'
import { type HomeClock, countedMetersOf } from './meters.ts'
import { sumEpochs } from './sum-lines.ts'
import { createSumCache, type Sums } from './sums.ts'

/** A whole day that is over with its parts, in order. */
export interface SlotDay {
  day: number
  windows: readonly Window[]
}

/** What a meter counted as part of a line, by slot. */
export interface MemberLine {
  key: string
  /** The line that it is part of: a room, a meter or a category, `untracked` for what no sub-meter saw. */
  line: string
  /** With the meter's weight: what sub-meters take from `untracked` is below 0. */
  kWh: Float64Array
  /** Intervals that are known, and that should be; those of a day may stand in its first slot. */
  known: Float64Array
  due: Float64Array
}

/** Sums of a home's lines by slots of days, each meter of a line by itself: what one of them lacks is its own. */
export function createSlotSums({ db, settle, clock }: Pick<EnergyOptions, 'db' | 'settle' | 'clock'>) {
  const cache = createSumCache()
  return async function slotsOfMembers(
    tenant: string,
    { HomeID, zone }: HomeClock,
    by: 'room' | 'meter' | 'category',
    days: readonly SlotDay[],
    slots: number,
  ): Promise<MemberLine[]> {
    const { lines, names } = byMember(linesOfHome(await countedMetersOf(db, tenant, HomeID), by, zone))
    const first = days[0]
    if (!first || names.length === 0) return []
    await settle(
      db,
      lines.meters.flatMap(({ meterId }) => (meterId === null ? [] : [meterId])),
    )
    const dayClock = createDayClock(zone, clock.now())
    const plans = days.map(({ day, windows }): DayPlan => {
      const quarters = dayClock.quartersOf(day)
      return { day, quarters, ended: quarters, windows }
    })
    const sums = await sumEpochs(db, cache, lines, plans, { slots, exact: false, clock: dayClock })
    const begun = await firstDays(db, lines.meters, monthOfDay(first.day), zone)
    const expected = createExpectation(lines, plans, dayClock, slots, begun)
    return names.map((line, i) => memberOf(`${lines.keys[i]}`, line, sums[i] as Sums, expected(i)))
  }
}

const memberOf = (key: string, line: string, sums: Sums, expected: Int32Array): MemberLine => ({
  key,
  line,
  kWh: sums.kwh,
  known: Float64Array.from(
    sums.measured,
    (measured, i) =>
      measured + (sums.between[i] as number) + (sums.estimated[i] as number) + (sums.corrected[i] as number),
  ),
  due: Float64Array.from(expected, (due, i) => due + (sums.past[i] as number)),
})

/** Lines divided by the meters that they are made of, and the line that each of these is part of. */
function byMember({ keys, epochs, meters }: Lines): { lines: Lines; names: string[] } {
  const found = new Map<string, { index: number; line: string }>()
  const divided = epochs.map((epoch) => ({
    ...epoch,
    members: epoch.members.map((member) => {
      const line = keys[member.line] as string
      const key = `${line}/${member.meterId}/${member.weight}`
      const known = found.get(key) ?? { index: found.size, line }
      found.set(key, known)
      return { ...member, line: known.index }
    }),
  }))
  return {
    lines: { keys: [...found.keys()], epochs: divided, meters },
    names: [...found.values()].map(({ line }) => line),
  }
}
