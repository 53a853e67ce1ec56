import { DAY_MS } from '../../../../contract/time/periods.ts'
import { type Facts, oneOf } from './facts.ts'
import { intervalOf, intervalOfText } from './headings.ts'
import type { TableLayout } from './layout.ts'
import type { RawRows, SeriesOrder } from './rows.ts'
import { timeHeading } from './time-facts.ts'
import { HOUR_MS, MINUTE_MS, type Step } from './time.ts'

/** Minimum share of steps of the usual length, or a multiple of it, between the rows of a meter. */
const MIN_REGULAR_SHARE = 0.9

/** Usual step between the rows of a series; undefined if there is none. */
export function stepOf(
  { order, spans }: SeriesOrder,
  instants: Float64Array,
  { matrix }: TableLayout,
  series: number,
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
  if (usual[0] < 28 * DAY_MS && regular < MIN_REGULAR_SHARE * total) return undefined
  if (usual[0] === DAY_MS) return 'day'
  return usual[0] === 30 * DAY_MS ? 'month' : usual[0]
}

/** A day of 23 or 25 hours is a day, and 28 to 31 days are a month. */
function calendarStep(step: number): number {
  if (Math.abs(step - DAY_MS) <= HOUR_MS) return DAY_MS
  return step >= 28 * DAY_MS - HOUR_MS && step <= 31 * DAY_MS + HOUR_MS ? 30 * DAY_MS : step
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

const stepName = (step: Step): string => (typeof step === 'number' ? String(step / MINUTE_MS) : step)

/** Steps of all series. A series with a single row has that of the others. */
export function decideStep(
  steps: readonly (Step | undefined)[],
  raw: RawRows,
  layout: TableLayout,
  facts: Facts,
): (Step | undefined)[] | undefined {
  if (raw.ends) {
    facts.add('interval', 'ownEnd', 'stated', 'endOfInterval')
    return undefined
  }
  const answer =
    facts.answer('interval', oneOf(...STEP_VALUES)) ?? facts.profile('interval', oneOf(...STEP_VALUES))
  if (answer !== undefined) return steps.map(() => STEP_ANSWERS[answer])
  const known = steps.filter((step) => step !== undefined)
  const stated = statedStep(layout)
  // Rows may be missing, but none may be between two others.
  if (stated && known.every((step) => isStepOf(step, stated.step))) {
    facts.add('interval', stepName(stated.step), 'stated', stated.evidence, stated.text)
    return steps.map(() => stated.step)
  }
  const [usual] = known
  if (usual !== undefined) {
    for (const step of new Set(known)) facts.add('interval', stepName(step), 'derived', 'everyStep')
    return steps.map((step) => step ?? usual)
  }
  facts.ask({
    fact: 'interval',
    example: new Date(raw.walls[0] ?? 0).toISOString().slice(0, 16).replace('T', ' '),
    options: STEP_VALUES.map((value) => ({ value, kWh: null })),
    suggested: '15',
  })
  return steps.map(() => 15 * MINUTE_MS)
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
