import { DAY_MS, QUARTER_MS } from '../../../../contract/time/periods.ts'
import type { RawRows } from './rows.ts'
import { instantsOf, MINUTE_MS, zoneOffset } from './time.ts'

/** Hours that clocks skip or repeat, as the rows of a file have them. */
export interface ClockChanges {
  /** Rows in an hour that clocks skip, and whether each such hour has as many as the hour before. */
  skipped: number
  isSkippedFull: boolean
  /** Local times in a repeated hour that occur once in their series, and twice. */
  once: number
  twice: number
  /** Rows in a repeated hour whose order does not tell which of the two it is. */
  ambiguous: number[]
  /** Whether the file has rows before and after an hour that clocks skip. */
  coversSkipped: boolean
}

/**
 * Timestamps of the rows in a zone. The first row of two equal local times in a series is the earlier one, or the later one if the
 * file goes back in time. A time that clocks skip is NaN.
 */
export function toInstants(raw: RawRows, zone: string): { instants: Float64Array; changes: ClockChanges } {
  const instants = new Float64Array(raw.count)
  const changes: ClockChanges = {
    skipped: 0,
    isSkippedFull: false,
    once: 0,
    twice: 0,
    ambiguous: [],
    coversSkipped: false,
  }
  const offsets = new Map<number, number | undefined>()
  const seen = new Map<string, number[]>()
  const skipped: number[] = []
  const onChangeDays = new Map<string, number[]>()
  const isDescending = raw.count > 1 && (raw.walls[raw.count - 1] as number) < (raw.walls[0] as number)
  for (let at = 0; at < raw.count; at++) {
    const wall = raw.walls[at] as number
    const stated = raw.offsets?.[at]
    if (stated !== undefined && !Number.isNaN(stated)) {
      instants[at] = wall - stated
      continue
    }
    if (raw.elapsed) {
      instants[at] = (instantsOf(wall, zone)[0] ?? Number.NaN) + (raw.elapsed[at] as number)
      continue
    }
    const day = Math.floor(wall / DAY_MS)
    let offset = offsets.get(day)
    if (offset === undefined && !offsets.has(day)) {
      offset = constantOffset(day, zone)
      offsets.set(day, offset)
    }
    if (offset !== undefined) {
      instants[at] = wall - offset
      continue
    }
    const [earlier, later] = instantsOf(wall, zone)
    instants[at] = earlier ?? Number.NaN
    if (earlier === undefined) skipped.push(at)
    const key = `${raw.series[at]} ${wall}`
    const rows = onChangeDays.get(key) ?? []
    rows.push(at)
    onChangeDays.set(key, rows)
    if (later !== undefined) seen.set(key, rows)
  }
  readSkippedHours(raw, instants, skipped, onChangeDays, zone, changes)
  readRepeatedEnds(raw, instants, onChangeDays, isDescending, zone, changes)
  const shuffled = shuffledHours(raw, seen, isDescending)
  for (const [key, rows] of seen) {
    const [earlier, later] = instantsOf(Number(key.split(' ')[1]), zone) as [number, number]
    if (rows.length === 1) {
      changes.once++
      continue
    }
    changes.twice++
    const [first, ...rest] = isDescending ? rows.toReversed() : rows
    instants[first as number] = earlier
    for (const row of rest) instants[row] = later
    if (shuffled.has(key)) changes.ambiguous.push(...rows)
  }
  changes.coversSkipped = changes.skipped > 0 || coversSkippedHour(offsets, zone)
  return { instants, changes }
}

/** Minimum share of the rows of an hour that make it a full one. */
const MIN_FULL_SHARE = 0.75

/**
 * Counts the rows in hours that clocks skip. A row at the first ms of such an hour alone, without one at its end, is the end of the
 * interval before: 02:00 is then the same time as 03:00.
 *
 * known  series and local times of the rows about the change
 */
function readSkippedHours(
  raw: RawRows,
  instants: Float64Array,
  rows: readonly number[],
  known: ReadonlyMap<string, unknown>,
  zone: string,
  changes: ClockChanges,
): void {
  if (rows.length === 0) return
  const gaps = new Map<number, { from: number; to: number }>()
  const hours = new Map<string, { series: number; from: number; to: number; walls: Set<number> }>()
  for (const at of rows) {
    const [series, wall] = [raw.series[at] as number, raw.walls[at] as number]
    const gap = gaps.get(wall) ?? skippedSpan(wall, zone)
    gaps.set(wall, gap)
    const key = `${series} ${gap.from}`
    const hour = hours.get(key) ?? { series, ...gap, walls: new Set() }
    hours.set(key, hour)
    hour.walls.add(wall)
  }
  const isEnd = [...hours.values()].every(
    ({ series, from, to, walls }) => walls.size === 1 && walls.has(from) && !known.has(`${series} ${to}`),
  )
  if (isEnd) {
    for (const at of rows)
      instants[at] = (raw.walls[at] as number) - zoneOffset((raw.walls[at] as number) - DAY_MS, zone)
    return
  }
  changes.skipped = rows.length
  changes.isSkippedFull = [...hours.values()].every(({ series, from, to, walls }) => {
    let before = 0
    for (let wall = 2 * from - to; wall < from; wall += MINUTE_MS)
      if (known.has(`${series} ${wall}`)) before++
    return walls.size >= before * MIN_FULL_SHARE
  })
}

/**
 * Reads the first of two equal times at the end of a repeated hour, 03:00, as the end of its first pass, if the hour does not begin twice:
 * an interval that begins at 02:45 ends at 03:00 by its clock, which is 02:00 again.
 */
function readRepeatedEnds(
  raw: RawRows,
  instants: Float64Array,
  known: ReadonlyMap<string, readonly number[]>,
  isDescending: boolean,
  zone: string,
  changes: ClockChanges,
): void {
  for (const rows of known.values()) {
    const first = rows.at(isDescending ? -1 : 0) as number
    if (rows.length !== 2) continue
    const wall = raw.walls[first] as number
    const before = zoneOffset(wall - DAY_MS, zone)
    const repeated = before - zoneOffset(wall - before, zone)
    const isChange = repeated > 0 && zoneOffset(wall - before - 1, zone) === before
    if (!isChange || known.get(`${raw.series[first]} ${wall - repeated}`)?.length === 2) continue
    instants[first] = wall - before
    changes.twice++
  }
}

/** Local times that clocks skip about one of them; clocks change at whole quarter-hours. */
function skippedSpan(wall: number, zone: string): { from: number; to: number } {
  const [before, after] = [zoneOffset(wall - DAY_MS, zone), zoneOffset(wall + DAY_MS, zone)]
  let change = Math.floor((wall - after) / QUARTER_MS) * QUARTER_MS
  while (zoneOffset(change, zone) !== after) change += QUARTER_MS
  return { from: change + before, to: change + after }
}

/** Timestamps of the ends of intervals in the zone of the file: of two, the first after the start. */
export function endInstantsOf(raw: RawRows, instants: Float64Array, zone: string): Float64Array | undefined {
  const { ends } = raw
  if (!ends) return undefined
  return instants.map((start, at) => {
    const [end, wall] = [ends[at], raw.walls[at]] as [number, number]
    const stated = raw.offsets?.[at]
    if (stated !== undefined && !Number.isNaN(stated)) return end - stated
    const [, repeated] = instantsOf(wall, zone)
    if (repeated !== undefined) return endInRepeatedHour(start, repeated, wall, end, zone)
    return instantsOf(end, zone).find((each) => each >= start) ?? start + (end - wall)
  })
}

/**
 * End of an interval that begins in a repeated hour: behind 02:45 of its first pass, 02:00 is the beginning of the second one and not that
 * of the next day, and 03:00 is the same time.
 *
 * repeated   instant of the local time in the second pass
 * wall, end  local times of start and end; an end without a date is on the next day if it is before the start
 */
function endInRepeatedHour(start: number, repeated: number, wall: number, end: number, zone: string): number {
  const ends = [...instantsOf(end - DAY_MS, zone), ...instantsOf(end, zone)].filter((each) => each > start)
  const first = ends[0] ?? start + (end - wall)
  return start < repeated && end > wall ? Math.min(first, start + (end - wall)) : first
}

/**
 * Repeated local times, by series and wall, whose rows are shuffled: in order a series passes through the hour twice, or has its two
 * equal times beside each other.
 */
function shuffledHours(
  raw: RawRows,
  seen: ReadonlyMap<string, readonly number[]>,
  isDescending: boolean,
): ReadonlySet<string> {
  const bySeriesDay = new Map<string, { rows: number[]; keys: string[] }>()
  for (const [key, rows] of seen) {
    const [series, wall] = key.split(' ')
    const group = `${series} ${Math.floor(Number(wall) / DAY_MS)}`
    const entry = bySeriesDay.get(group) ?? { rows: [], keys: [] }
    entry.rows.push(...rows)
    entry.keys.push(key)
    bySeriesDay.set(group, entry)
  }
  const shuffled = new Set<string>()
  for (const { rows, keys } of bySeriesDay.values()) {
    const walls = rows
      .toSorted((a, b) => (isDescending ? b - a : a - b))
      .map((row) => raw.walls[row] as number)
    const falls = walls.filter((wall, at) => at > 0 && wall < (walls[at - 1] as number)).length
    if (falls > 1) for (const key of keys) shuffled.add(key)
  }
  return shuffled
}

/** Offset of a whole local day; undefined if clocks change on it or beside it. */
function constantOffset(day: number, zone: string): number | undefined {
  const start = day * DAY_MS
  const [first] = instantsOf(start - DAY_MS / 2, zone)
  const [last] = instantsOf(start + 1.5 * DAY_MS, zone)
  if (first === undefined || last === undefined) return undefined
  const [before, after] = [start - DAY_MS / 2 - first, start + 1.5 * DAY_MS - last]
  return before === after ? before : undefined
}

/** Whether the file has rows on a day on which clocks are put forward. */
function coversSkippedHour(days: ReadonlyMap<number, number | undefined>, zone: string): boolean {
  for (const [day, offset] of days) {
    if (offset !== undefined) continue
    const [start] = instantsOf(day * DAY_MS, zone)
    const [end] = instantsOf((day + 1) * DAY_MS, zone)
    if (start !== undefined && end !== undefined && end - start < DAY_MS) return true
  }
  return false
}
