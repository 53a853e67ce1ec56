import { monthOfDay, QUARTER_MS, startOfDay } from '../../../../contract/time/periods.ts'
import { QUARTERS_OF_HOUR } from '../../../domain/energy/resolved-hours.ts'
import { TERMS } from '../../../../contract/devices/meter-roles.ts'
import { numberArray } from '../../../store/sql.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import {
  firstDays,
  epochOf,
  type HomeDay,
  knownBefore,
  sumBefore,
  readHomeDays,
} from '../rollup/home-days.ts'
import type { HomeClock } from '../../../domain/homes/find-home.ts'
import { flowsOfHome, type HomeFlows } from '../meters/home-flows.ts'
import { type Member, readCountedMeters } from '../meters/meters.ts'
import { type EnergyDeps, ensureFresh, pendingDays } from '../rollup/freshness.ts'
import type { MembershipPeriod, MeterGroups } from '../meters/meter-groups.ts'
import { isMeasuredHour, readResolvedHours } from '../rollup/resolved-hours.ts'

export interface ProfileDay {
  /** kWh per 15-minute interval. */
  kWh: Float64Array
  /** Number of known intervals of its meters, and number expected: from the day of a meter's first reading until its removal. */
  known: number
  total: number
  /** Number of intervals that are known and not estimated. */
  complete: number
  /** Whether no meter measured the purchase, so that it is computed from the other terms. */
  isUnmetered: boolean
  /** Number of meters that measured each interval. */
  measured: Int32Array
  /** Number of meters whose hour is resolved, per interval (gateway/domain/energy/resolved-hours.ts). */
  resolved: Int32Array
  /** 1 for each interval that every expected meter reported. */
  isKnown: Uint8Array
}

/**
 * Purchase or consumption of a home per 15 minutes, by day; both are the same if no meter takes part in a balance. Sub-meters are not
 * counted twice.
 *
 * fromDay, endDay  day numbers (`dayOf`), `endDay` exclusive
 * flow             import (the basis of bills) or consumption
 * returns          every day of the range, zeros where nothing is known
 */
export async function loadProfile(
  deps: EnergyDeps,
  tenant: string,
  { HomeID, zone }: HomeClock,
  fromDay: number,
  endDay: number,
  flow: 'import' | 'consumption' = 'import',
): Promise<Map<number, ProfileDay>> {
  const { db } = deps
  const flows = flowsOfHome(await readCountedMeters(db, tenant, HomeID), zone)
  const lines = flows.of[flow]
  const meters = [...flows.of.import.meters, ...flows.of.consumption.meters]
  const ids = [...new Set(meters.flatMap(({ meterId }) => meterId ?? []))]
  const home = { tenant, HomeID, zone, flows }
  const months = { from: monthOfDay(fromDay), through: monthOfDay(endDay - 1) }
  const isFresh = await ensureFresh(deps, ids, { scope: home, ranges: fromDay < endDay ? [months] : [] })
  const profile = new Map<number, ProfileDay>()
  if (fromDay >= endDay) return profile
  const storedDays = await readHomeDays(db, home, fromDay, endDay, lines.part)
  const first = await firstDays(db, lines.meters, monthOfDay(fromDay), zone)
  const removedByDay = await leftByRemoved(db, lines, fromDay, endDay)
  /** Days whose sums do not show how many meters resolve each hour, by membership period. */
  const unclear = new Map<MembershipPeriod, number[]>()
  const present = lines.epochs.at(-1)?.members.filter(({ removed }) => !removed).length ?? 0
  for (let day = fromDay; day < endDay; day++) {
    const [start, next] = [startOfDay(day, zone), startOfDay(day + 1, zone)]
    const quarters = (next - start) / QUARTER_MS
    const one = emptyDay(quarters)
    profile.set(day, one)
    const whole = epochOf(lines.epochs, start, next)
    const sums = storedDays.get(day)
    one.isUnmetered = flow === 'import' && isUnmetered(flows, start)
    if (whole) {
      for (const { meterId, removed } of whole.members)
        one.total += removed
          ? (removedByDay.get(meterId)?.get(day) ?? 0)
          : hasBegun(first, meterId, day)
            ? quarters
            : 0
      // If no meter had begun, nothing is known of the home.
      if (one.total === 0) one.total = Math.max(1, present) * quarters
      if (!sums) continue
      const due = dueEach(whole.members, (meterId, removed) =>
        removed ? (removedByDay.get(meterId)?.get(day) ?? 0) >= quarters : hasBegun(first, meterId, day),
      )
      for (let i = 0; i < quarters; i++) {
        one.kWh[i] = sumBefore(sums.kWh, i + 1) - sumBefore(sums.kWh, i)
        one.measured[i] = sumBefore(sums.measured, i + 1) - sumBefore(sums.measured, i)
        one.isKnown[i] = isWhole(knownBefore(sums, i + 1) - knownBefore(sums, i), due)
      }
      if (!addResolved(one, sums, whole.members.length))
        unclear.set(whole, [...(unclear.get(whole) ?? []), day])
      one.known = Math.min(one.total, knownBefore(sums, quarters))
      one.complete = Math.min(one.known, knownBefore(sums, quarters) - sumBefore(sums.estimated, quarters))
      continue
    }
    // A day on which meters change their place is computed part by part.
    for (const { from, to, members } of lines.epochs) {
      const [begin, end] = [Math.max(from, start), Math.min(to, next)].map(
        (at) => (at - start) / QUARTER_MS,
      ) as [number, number]
      if (begin >= end) continue
      const rows = await readDay(db, day, members)
      const due = dueEach(members, (meterId, removed) => !removed && hasBegun(first, meterId, day))
      const knownAt = new Int32Array(quarters)
      for (const { meterId, removed, weight } of members) {
        const row = rows.get(meterId)
        if (row) addPart(one, knownAt, row, { begin, end, weight })
        one.total += removed
          ? Math.max(0, Math.min(end, row?.quality.length ?? 0) - begin)
          : hasBegun(first, meterId, day)
            ? end - begin
            : 0
      }
      for (let i = begin; i < end; i++) one.isKnown[i] = isWhole(knownAt[i] as number, due)
    }
  }
  if (!isFresh) markPending(profile, ids.length, await pendingDays(db, ids, fromDay, endDay, zone))
  for (const [{ members }, days] of unclear) {
    const ids = [...new Set(members.map(({ meterId }) => meterId))]
    const hours = await readResolvedHours(db, ids, days, zone)
    for (const day of days)
      profile.get(day)?.resolved.forEach((_, i, resolved) => {
        resolved[i] = hours.get(day)?.[Math.floor(i / QUARTERS_OF_HOUR)] ?? 0
      })
  }
  return profile
}

/** Lowers the known intervals of days on which meters still wait to be rolled up. */
function markPending(
  profile: ReadonlyMap<number, ProfileDay>,
  meters: number,
  pending: ReadonlyMap<number, number>,
): void {
  for (const [day, count] of pending) {
    const one = profile.get(day)
    if (!one) continue
    const maxKnown = Math.floor(one.total * (1 - count / meters))
    one.known = Math.min(one.known, maxKnown)
    one.complete = Math.min(one.complete, maxKnown)
    one.isKnown.fill(0)
  }
}

/**
 * Adds the number of meters that resolve each hour.
 *
 * returns  false if the sums of all meters do not show it: several meters measured different intervals, or there is a correction
 */
function addResolved({ measured, resolved }: ProfileDay, { corrected }: HomeDay, meters: number): boolean {
  let isClear = true
  for (let i = 0; i < measured.length; i += QUARTERS_OF_HOUR) {
    const end = Math.min(i + QUARTERS_OF_HOUR, measured.length)
    const hour = measured.subarray(i, end)
    const [maxOfHour, sum] = [Math.max(...hour), hour.reduce((all, one) => all + one, 0)]
    resolved.fill(Math.min(maxOfHour, meters), i, end)
    if (maxOfHour < meters && (sum > maxOfHour || sumBefore(corrected, end) > sumBefore(corrected, i)))
      isClear = false
  }
  return isClear
}

/** Whether a home has a balance but no import meter at a time. */
const isUnmetered = ({ balance, of }: HomeFlows, moment: number): boolean => {
  const terms = balance[of.import.epochs.findIndex(({ from, to }) => from <= moment && moment < to)]?.terms
  return terms !== undefined && terms.import.length === 0 && TERMS.some((term) => terms[term].length > 0)
}

export const emptyDay = (quarters: number): ProfileDay => ({
  kWh: new Float64Array(quarters),
  known: 0,
  total: 0,
  complete: 0,
  isUnmetered: false,
  measured: new Int32Array(quarters),
  resolved: new Int32Array(quarters),
  isKnown: new Uint8Array(quarters),
})

/** Number of meters that should report each interval of a day. */
const dueEach = (members: readonly Member[], isDue: (meterId: number, removed: boolean) => boolean): number =>
  members.filter(({ meterId, removed }) => isDue(meterId, removed)).length

/** 1 if at least one meter reported and all expected ones did. */
const isWhole = (known: number, due: number): number => Number(known > 0 && known >= due)

const hasBegun = (first: ReadonlyMap<number, number>, meterId: number, day: number): boolean =>
  (first.get(meterId) ?? Infinity) <= day

/** Number of intervals, known or not, that removed meters have on each day; no more are expected of them. */
async function leftByRemoved(
  db: Db,
  { epochs }: MeterGroups,
  fromDay: number,
  endDay: number,
): Promise<Map<number, Map<number, number>>> {
  const removedByDay = new Map<number, Map<number, number>>()
  for (const { members } of epochs)
    for (const { meterId, removed } of members) if (removed) removedByDay.set(meterId, new Map())
  if (removedByDay.size === 0) return removedByDay
  const rows = await db.query<{ meterId: number; day: number; intervals: number }>(sql`
    select meter_id as "meterId", day, measured + d.between + estimated + corrected + missing as intervals from meter_days d
    where meter_id = any(${numberArray([...removedByDay.keys()])}::int[]) and day >= ${fromDay}::int and day < ${endDay}::int`)
  for (const { meterId, day, intervals } of rows) removedByDay.get(meterId)?.set(day, intervals)
  return removedByDay
}

interface Row {
  meterId: number
  /** kWh from the start of the day to the end of each known interval. */
  cumulative: number[]
  quality: string
}

async function readDay(db: Db, day: number, members: readonly Member[]): Promise<Map<number, Row>> {
  const rows = await db.query<Row>(sql`select meter_id as "meterId", cumulative, quality from meter_days
    where meter_id = any(${numberArray(members.map(({ meterId }) => meterId))}::int[]) and day = ${day}::int`)
  return new Map(rows.map((row) => [row.meterId, row]))
}

/** Adds a range of intervals of a meter's day. */
function addPart(
  one: ProfileDay,
  knownAt: Int32Array,
  { cumulative, quality }: Row,
  { begin, end, weight }: { begin: number; end: number; weight: number },
): void {
  for (let i = begin; i < Math.min(end, quality.length); i++) {
    one.kWh[i] =
      (one.kWh[i] as number) +
      weight * ((cumulative[i] as number) - (i > 0 ? (cumulative[i - 1] as number) : 0))
    if (quality[i] === 'm') (one.measured[i] as number) += 1
    if (isMeasuredHour(quality, Math.floor(i / QUARTERS_OF_HOUR))) (one.resolved[i] as number) += 1
    if (quality[i] === '-' || quality[i] === 'q') continue
    one.known += 1
    if (quality[i] !== 'e') one.complete += 1
    ;(knownAt[i] as number) += 1
  }
}
