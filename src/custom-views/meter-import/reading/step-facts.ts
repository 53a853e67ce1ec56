import { DAY_MS } from '../../../../contract/time/periods.ts'
import { type Facts, oneOfValues } from './facts.ts'
import { intervalOf, intervalOfText } from './headings.ts'
import type { TableLayout } from './layout.ts'
import type { SeriesOrder } from './rows.ts'
import { timeHeading } from './time-facts.ts'
import { calendarStep, HOUR_MS, MINUTE_MS, type Step, zoneOffset } from './time.ts'
import type { Sources } from './value-facts.ts'

/** Minimum share of steps of the usual length, or a multiple of it, between the rows of a meter. */
const MIN_REGULAR_SHARE = 0.9
/** Minimum share of the usual step itself: everything is a multiple of a minute. */
const MIN_USUAL_SHARE = 0.3

/**
 * Usual step between the rows of a series; undefined if there is none. Days begin at midnight, and months on their first or last day:
 * days from 8:00 to 8:00 are 24 hours, and bills by the dates of their readings have no step.
 *
 * zones  of the file and of the site
 */
export function usualStepOf(
  { order, spans }: SeriesOrder,
  instants: Float64Array,
  { matrix }: TableLayout,
  series: number,
  zones: readonly string[],
): Step | undefined {
  if (matrix) return matrix.step
  const span = spans[series]
  if (!span) return undefined
  const counts = new Map<number, number>()
  for (let place = span.from + 1; place < span.to; place++) {
    const step =
      (instants[order[place] as number] as number) - (instants[order[place - 1] as number] as number)
    if (step > 0) counts.set(calendarStep(step), (counts.get(calendarStep(step)) ?? 0) + 1)
  }
  const [usual] = [...counts].toSorted((a, b) => b[1] - a[1])
  if (!usual) return undefined
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const regular = [...counts].reduce((sum, [step, count]) => sum + (step % usual[0] === 0 ? count : 0), 0)
  if (usual[1] < MIN_USUAL_SHARE * total) return undefined
  if (usual[0] < 28 * DAY_MS && regular < MIN_REGULAR_SHARE * total) return undefined
  if (usual[0] !== DAY_MS && usual[0] !== 30 * DAY_MS) return usual[0]
  const isMonth = usual[0] !== DAY_MS
  const rows = order.subarray(span.from, span.to)
  const edges = rows.filter((at) => zones.some((zone) => isEdge(instants[at] as number, zone, isMonth)))
  if (edges.length >= MIN_REGULAR_SHARE * rows.length) return isMonth ? 'month' : 'day'
  return isMonth ? undefined : DAY_MS
}

/** Whether a time is the beginning of a day, or its last minute; of a month, a time of its first or last day. */
function isEdge(instant: number, zone: string, isMonth: boolean): boolean {
  const wall = instant + zoneOffset(instant, zone)
  if (!isMonth) return ((wall % DAY_MS) + DAY_MS + MINUTE_MS) % DAY_MS <= MINUTE_MS
  return new Date(wall).getUTCDate() === 1 || new Date(wall + DAY_MS).getUTCDate() === 1
}

/** Steps from which intervals without a regular length are those of bills, in ms. */
const MIN_BILL_MS = 20 * DAY_MS

/** Whether the usual distance of rows is that of bills. */
function areBilled({ order, instants }: Sources): boolean {
  const steps = order.spans.flatMap(({ from, to }) =>
    Array.from({ length: Math.max(0, to - from - 1) }, (_, at) => {
      const [before, after] = [order.order[from + at], order.order[from + at + 1]] as [number, number]
      return (instants[after] as number) - (instants[before] as number)
    }),
  )
  const sorted = steps.toSorted((a, b) => a - b)
  return sorted.length > 0 && (sorted[sorted.length >> 1] as number) >= MIN_BILL_MS
}

const STEP_ANSWERS: Readonly<Record<string, Step>> = {
  1: MINUTE_MS,
  5: 5 * MINUTE_MS,
  10: 10 * MINUTE_MS,
  15: 15 * MINUTE_MS,
  20: 20 * MINUTE_MS,
  30: 30 * MINUTE_MS,
  60: HOUR_MS,
  day: 'day',
  month: 'month',
}

export const STEP_VALUES = Object.keys(STEP_ANSWERS)

const stepName = (step: Step): string =>
  step === DAY_MS ? 'day' : typeof step === 'number' ? String(step / MINUTE_MS) : step

/** Steps of all series, and the series whose rows have none: their energy is unknown. */
export interface Steps {
  steps: (Step | undefined)[]
  uneven: ReadonlySet<number>
  /** Whether an interval has the length of the step to its neighbor, because the steps change within the file. */
  isChanging: boolean
  /** Whether the rows are bills whose lengths are not those of months. */
  areBills: boolean
}

/** Steps of all series. A series with one row or two has that of the others. */
export function decideStep(sources: Sources, facts: Facts): Steps {
  const { steps, raw, layout, order, instants } = sources
  const fixed = (step: Step | undefined) => ({
    steps: steps.map(() => step),
    uneven: NONE,
    isChanging: false,
    areBills: false,
  })
  if (raw.ends) {
    facts.add('interval', 'ownEnd', 'stated', 'endOfInterval')
    return { ...fixed(undefined), steps: [...steps] }
  }
  const answer =
    facts.answer('interval', oneOfValues(...STEP_VALUES)) ??
    facts.profile('interval', oneOfValues(...STEP_VALUES))
  if (answer !== undefined) return fixed(STEP_ANSWERS[answer])
  const known = steps.filter((step) => step !== undefined)
  const stated = statedStep(layout)
  // Rows may be missing, but none may be between two others.
  if (stated && known.every((step) => isStepOf(step, stated.step))) {
    facts.add('interval', stepName(stated.step), 'stated', stated.evidence, stated.text)
    return fixed(stated.step)
  }
  const runs = layout.matrix
    ? []
    : order.spans.map((span) => runsOf(order.order.subarray(span.from, span.to), instants).steps)
  const isChanging = runs.some((each) => each.size > 1)
  const [usual] = known
  if (usual !== undefined || isChanging) {
    const found = new Set<Step | undefined>([
      ...known,
      ...(isChanging ? runs.flatMap((each) => [...each]) : []),
    ])
    for (const step of found)
      if (step !== undefined)
        facts.add('interval', stepName(step), 'derived', isChanging ? 'runsOfSteps' : 'everyStep')
    const isUneven = (series: number) => {
      const { from, to } = order.spans[series] as SeriesOrder['spans'][number]
      return steps[series] === undefined && to - from > 2 && (runs[series]?.size ?? 0) === 0
    }
    return {
      steps: steps.map((step) => step ?? usual),
      uneven: new Set([...steps.keys()].filter(isUneven)),
      isChanging,
      areBills: false,
    }
  }
  // Any answer would be wrong for some of them.
  if (areBilled(sources)) return { ...fixed(undefined), areBills: true }
  facts.ask({
    fact: 'interval',
    example: new Date(raw.walls[0] ?? 0).toISOString().slice(0, 16).replace('T', ' '),
    options: STEP_VALUES.map((value) => ({ value, kWh: null })),
    suggested: '15',
  })
  return fixed(15 * MINUTE_MS)
}
const NONE: ReadonlySet<number> = new Set()

/** Minimum number of equal steps in a row that are intervals, not gaps. */
const MIN_RUN = 8

/** Steps that follow each other often enough, and whether the step to each row is in such a run. */
function runsOf(rows: Uint32Array, instants: Float64Array) {
  const steps = new Set<Step>()
  const isInRun = new Uint8Array(rows.length)
  const stepTo = (place: number) =>
    calendarStep(
      (instants[rows[place] as number] as number) - (instants[rows[place - 1] as number] as number),
    )
  for (let start = 1; start < rows.length;) {
    const step = stepTo(start)
    let end = start + 1
    while (end < rows.length && stepTo(end) === step) end++
    if (end - start >= MIN_RUN && step > 0) {
      steps.add(step === DAY_MS ? 'day' : step === 30 * DAY_MS ? 'month' : step)
      isInRun.fill(1, start, end)
    }
    start = end
  }
  return { steps, isInRun }
}

/** Lengths of the intervals of rows whose steps change: to the next row if a time is a start, from the one before if it is an end. */
export function changingLengths({ raw, order, instants }: Sources, stamp: 'begin' | 'end'): Float64Array {
  const lengths = new Float64Array(raw.count)
  for (const span of order.spans) {
    const rows = order.order.subarray(span.from, span.to)
    const { isInRun } = runsOf(rows, instants)
    const lengthAt = (place: number): number | undefined => {
      const later = stamp === 'begin' ? place + 1 : place
      if (later < 1 || later >= rows.length || !isInRun[later]) return undefined
      return (instants[rows[later] as number] as number) - (instants[rows[later - 1] as number] as number)
    }
    let length =
      Array.from(rows.keys())
        .map(lengthAt)
        .find((each) => each !== undefined) ?? HOUR_MS
    for (const [place, at] of rows.entries()) {
      length = lengthAt(place) ?? length
      lengths[at] = length
    }
  }
  return lengths
}

/** Interval that the heading of the times, or a text above the table, states. */
function statedStep(layout: TableLayout) {
  const heading = timeHeading(layout)
  const ofHeading = intervalOf(heading)
  const step = STEP_ANSWERS[ofHeading ?? intervalOfText(layout.title) ?? '']
  if (step === undefined) return undefined
  return ofHeading === undefined
    ? { step, evidence: 'title', text: layout.title }
    : { step, evidence: 'heading', text: heading }
}

/** Whether times in these steps may be those of intervals, some of which are missing. */
function isStepOf(step: Step, interval: Step): boolean {
  const [ms, intervalMs] = [step, interval].map((each) =>
    each === 'day' ? DAY_MS : each === 'month' ? 30 * DAY_MS : each,
  ) as [number, number]
  return typeof interval === 'number' ? ms % intervalMs === 0 : ms >= intervalMs - HOUR_MS
}
