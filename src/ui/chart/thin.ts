import { lowerBound, type Figures, type ChartView } from './model.ts'

/** Marks a break of a line between two indexes. */
export const BREAK = -1

interface Line {
  times: ArrayLike<number>
  values: Figures
  gapMs?: number
}

/**
 * Indexes of a line that must be drawn: all if they are few, else the first, minimum, maximum and last of each pixel column, so that no
 * peak is lost. For drawing only, never for sums.
 *
 * view     one index beyond either edge is kept, so that the line continues through it
 * columns  width of the view in pixels
 * returns  ascending indexes, BREAK if values are missing or `gapMs` passes without one; a break narrower than a column is
 *          not visible and is omitted if there is more than one index per half column
 */
export function thin({ times, values, gapMs = Infinity }: Line, view: ChartView, columns: number): number[] {
  const first = Math.max(0, lowerBound(times, view.from) - 1)
  const last = Math.min(times.length, lowerBound(times, view.to) + 1)
  const few = last - first <= columns * 2
  const width = (view.to - view.from) / columns
  const places: number[] = []
  let before = Number.NaN
  let broken = false
  let [edge, floor, ceiling] = [-Infinity, 0, 0]
  let [start, least, most, end] = [-1, -1, -1, -1]

  const flush = () => {
    if (start < 0) return
    places.push(start)
    const [one, other] = least < most ? [least, most] : [most, least]
    if (one !== start && one !== end) places.push(one)
    if (other !== one && other !== start && other !== end) places.push(other)
    if (end !== start) places.push(end)
    start = -1
  }

  for (let i = first; i < last; i++) {
    const value = values[i] as number | null
    if (value === null || Number.isNaN(value)) {
      broken = true
      continue
    }
    const at = times[i] as number
    if (at - before > gapMs) broken = true
    if (few) {
      if (broken && places.length > 0) places.push(BREAK)
      places.push(i)
    } else {
      const seen = broken && at - before > width
      const inside = at < edge
      if (!inside || seen) flush()
      if (seen && places.length > 0) places.push(BREAK)
      if (start < 0) {
        if (!inside) edge = view.from + (Math.floor((at - view.from) / width) + 1) * width
        start = least = most = end = i
        floor = ceiling = value
      } else {
        end = i
        if (value < floor) {
          floor = value
          least = i
        } else if (value > ceiling) {
          ceiling = value
          most = i
        }
      }
    }
    broken = false
    before = at
  }
  flush()
  return places
}
