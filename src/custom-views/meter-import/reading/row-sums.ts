import { DAY_MS } from '../../../../contract/time/periods.ts'
import { addProblem, type RawRows } from './rows.ts'

/** Rejects rows that are the sum of other rows. */
export function rejectSums(raw: RawRows): void {
  const sums = new Set([...datedSums(raw), ...periodSums(raw)])
  if (sums.size === 0) return
  for (const at of sums)
    addProblem(
      raw.problems,
      raw.lines[at] as number,
      raw.columns[at] as number,
      'summary',
      String(raw.values[at]),
    )
  keepRows(raw, (at) => !sums.has(at))
}

/**
 * Rows of a date alone are those of midnight, unless midnight has a row of its own, or most of them are the sums of the other rows of
 * their days.
 */
function datedSums({ count, series, walls, values, dateOnly }: RawRows): readonly number[] {
  if (dateOnly.length === 0) return []
  const own = new Set(dateOnly)
  const midnights = new Set<string>()
  const days = new Map<string, number>()
  const dayOf = (at: number) => `${series[at]} ${Math.floor((walls[at] as number) / DAY_MS)}`
  for (let at = 0; at < count; at++) {
    if (own.has(at)) continue
    if ((walls[at] as number) % DAY_MS === 0) midnights.add(dayOf(at))
    days.set(dayOf(at), (days.get(dayOf(at)) ?? 0) + (values[at] as number))
  }
  if (dateOnly.some((at) => midnights.has(dayOf(at)))) return dateOnly
  const positive = dateOnly.filter((at) => (values[at] as number) > 0)
  const sums = positive.filter((at) => isClose(days.get(dayOf(at)) ?? 0, values[at] as number))
  return sums.length > 0 && sums.length >= MIN_SUM_SHARE * positive.length ? dateOnly : []
}

/** Minimum number of rows in a sum. */
const MIN_SUMMED_ROWS = 5
/** Minimum share of the rows in question that must be sums, and maximum deviation of a sum, which rounding causes. */
const MIN_SUM_SHARE = 2 / 3
const MAX_SUM_DEVIATION = 0.005
const isClose = (sum: number, value: number): boolean =>
  sum > 0 && Math.abs(sum - value) <= MAX_SUM_DEVIATION * sum

/** Rows with the time of the row before or after them in the file, and the sum of the rows up to the next such row. */
function periodSums(raw: RawRows): number[] {
  const { count, series, walls, offsets, values } = raw
  const last = new Int32Array(raw.sources.length).fill(-1)
  const isOpen = new Uint8Array(raw.sources.length)
  const isSameTime = (a: number, b: number) =>
    walls[a] === walls[b] && (!offsets || offsets[a] === offsets[b] || Number.isNaN(offsets[a]))
  for (let at = 0; at < count; at++) {
    const before = last[series[at] as number] as number
    if (before >= 0 && isSameTime(before, at) && values[before] !== values[at])
      isOpen[series[at] as number] = 1
    last[series[at] as number] = at
  }
  return raw.sources.flatMap((_, index) => {
    if (isOpen[index] !== 1) return []
    const rows: number[] = []
    for (let at = 0; at < count; at++) if (series[at] === index) rows.push(at)
    const valueOf = (place: number) => values[rows[place] as number] as number
    const [above, below]: [number[], number[]] = [[0], []]
    for (let place = 0; place + 1 < rows.length; place++) {
      if (!isSameTime(rows[place] as number, rows[place + 1] as number)) continue
      if (valueOf(place) > valueOf(place + 1)) above.push(place)
      else if (valueOf(place) < valueOf(place + 1)) below.push(place + 1)
    }
    below.push(rows.length - 1)
    const isSum = (place: number, from: number, to: number) => {
      let sum = 0
      for (let each = from; each < to; each++) sum += valueOf(each)
      return to - from >= MIN_SUMMED_ROWS && isClose(sum, valueOf(place))
    }
    const found = [
      [...new Set(above)].map((place, at, all) => ({
        place,
        isSum: isSum(place, place + 1, all[at + 1] ?? rows.length),
      })),
      [...new Set(below)].map((place, at, all) => ({
        place,
        isSum: isSum(place, (all[at - 1] ?? -1) + 1, place),
      })),
    ].find(
      (each) => each.filter(({ isSum: is }) => is).length >= Math.max(1, MIN_SUM_SHARE * (each.length - 1)),
    )
    return found?.filter((each) => each.isSum).map(({ place }) => rows[place] as number) ?? []
  })
}

/** Keeps some of the rows, and the series that have any. */
export function keepRows(raw: RawRows, isKept: (at: number) => boolean): void {
  const { series, lines, columns, walls, offsets, ends, elapsed, values } = raw
  const arrays = [series, lines, columns, walls, offsets, ends, elapsed, values].filter(
    (array) => array !== undefined,
  )
  let count = 0
  for (let at = 0; at < raw.count; at++) {
    if (!isKept(at)) continue
    for (const array of arrays) array[count] = array[at] as number
    count++
  }
  raw.count = count
  const used = new Set(series.subarray(0, count))
  const indexes = new Map(
    [...raw.sources.keys()].filter((index) => used.has(index)).map((index, at) => [index, at]),
  )
  raw.sources = raw.sources.filter((_, index) => used.has(index))
  for (let at = 0; at < count; at++) series[at] = indexes.get(series[at] as number) as number
}
