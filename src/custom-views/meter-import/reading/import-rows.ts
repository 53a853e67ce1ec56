import { MAX_IMPORT_QUARTERS, importFault } from '../../../../contract/meters/meter-import.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { ESTIMATED, FINAL, UNITS } from './headings.ts'
import type { Reading } from './infer.ts'
import { addProblem, type Problems, type RowFault, type RowProblem } from './rows.ts'
import { calendarSpan, cellText, HOUR_MS, MINUTE_MS, type Step } from './time.ts'
import { usableRows, type UsableRows } from './value-facts.ts'

/** Rows of an import as parallel arrays of equal length. */
export interface ReadRows {
  /** Index of the meter in `uids`. */
  meters: number[]
  timestamps: number[]
  quarters: number[]
  /** kWh. */
  values: number[]
  /** Line and column of each row in the table that was read, from 0. */
  lines: number[]
  columns: number[]
  uids: string[]
  /** The first problems, with their places in the file, and their total number. */
  problems: RowProblem[]
  problemCount: number
  tooMany: boolean
}

/** Interval of a row, epoch ms. */
interface Span {
  from: number
  to: number
}

/**
 * Rows of the import in kWh: power becomes energy, and steps shorter than a quarter of an hour are added up to the shortest interval
 * that consists of quarters. A sum that lacks a part is a problem, not a row.
 *
 * uids  meter of each series; null: not imported
 */
export function toImportRows(reading: Reading, uids: readonly (string | null)[], now: number): ReadRows {
  const { raw, order } = reading
  const end = raw.ends ? endOffset(reading) : 0
  const problems: Problems = { listed: [...raw.problems.listed], count: raw.problems.count }
  const rows: ReadRows = {
    meters: [],
    timestamps: [],
    quarters: [],
    values: [],
    lines: [],
    columns: [],
    uids: [...new Set(uids.filter((uid) => uid !== null))],
    problems: problems.listed,
    problemCount: 0,
    tooMany: raw.isTooMany,
  }
  for (const [series, uid] of uids.entries()) {
    if (!uid || !order.spans[series]) continue
    const usable = usableRows(reading, series)
    const add = createAdd(rows, problems, reading, rows.uids.indexOf(uid), now)
    const isPower = UNITS[reading.series[series]?.unit ?? 'kWh'].isPower
    // Power in a file of counters is no reading of one.
    if (reading.kind === 'counter' && isPower) {
      for (const at of usable.rows) reject(problems, raw, at, 'notCounter')
      continue
    }
    for (const [place, fault] of usable.faults) reject(problems, raw, usable.rows[place] as number, fault)
    if (reading.kind === 'counter') addCounter(reading, series, usable, add)
    else addIntervals(reading, series, usable, end, add, problems)
  }
  for (const at of order.excluded) if (uids[raw.series[at] as number]) rejectTime(reading, at, problems, now)
  sortByLine(rows)
  rows.problems = problems.listed
    .map((problem) => ({ ...problem, ...reading.placeOf(problem.line, problem.column) }))
    .concat(reading.skipped)
    .toSorted((a, b) => a.line - b.line)
  rows.problemCount = problems.count + reading.skipped.length
  return rows
}

type Add = (at: number, span: { from: number; quarters: number }, value: number) => void

function createAdd(
  rows: ReadRows,
  problems: Problems,
  { raw, kind }: Reading,
  meter: number,
  now: number,
): Add {
  return (at, { from, quarters }, value) => {
    const fault = importFault(kind, { timestamp: from, quarters, value }, now)
    if (fault) return reject(problems, raw, at, fault)
    rows.meters.push(meter)
    rows.timestamps.push(from)
    rows.quarters.push(quarters)
    rows.values.push(value)
    rows.lines.push(raw.lines[at] as number)
    rows.columns.push(raw.columns[at] as number)
  }
}

/** A time that does not exist, is not known, or lies in the future or before 1990. */
function rejectTime(
  { raw, instants, kind, ambiguous }: Reading,
  at: number,
  problems: Problems,
  now: number,
): void {
  const timestamp = instants[at] as number
  const fault = Number.isNaN(timestamp)
    ? ambiguous.has(at)
      ? 'ambiguousHour'
      : 'noSuchTime'
    : importFault(kind, { timestamp, quarters: 1, value: 0 }, now)
  reject(problems, raw, at, fault ?? 'noSuchTime')
}

const reject = (problems: Problems, raw: Reading['raw'], at: number, reason: RowFault): void =>
  addProblem(problems, raw.lines[at] as number, raw.columns[at] as number, reason, String(raw.values[at]))

function addCounter(
  { instants, endInstants, series, stamp }: Reading,
  index: number,
  { rows, values, faults }: UsableRows,
  add: Add,
): void {
  const factor = factorOf(series[index]?.unit)
  const times = stamp === 'end' ? (endInstants ?? instants) : instants
  for (const [place, at] of rows.entries())
    if (!faults.has(place))
      add(at, { from: times[at] as number, quarters: 1 }, (values[place] as number) * factor)
}

const factorOf = (unit: keyof typeof UNITS | undefined): number => UNITS[unit ?? 'kWh'].factor

function addIntervals(
  reading: Reading,
  index: number,
  { rows, values, faults }: UsableRows,
  end: number,
  add: Add,
  problems: Problems,
): void {
  const { raw, series, instants, endInstants, lengths, stamp, calendarZone: zone } = reading
  const { unit = 'kWh', step: usualStep } = series[index] ?? {}
  const { factor, isPower } = UNITS[unit]
  const partsByStep = new Map<Step | undefined, ReturnType<typeof createParts>>()
  const rivals = rejectRivals(reading, rows, problems)
  for (const [place, at] of rows.entries()) {
    if (faults.has(place) || rivals.has(at)) continue
    const step = lengths ? lengths[at] : usualStep
    if (!partsByStep.has(step)) partsByStep.set(step, createParts(step, raw, add, problems))
    const parts = partsByStep.get(step)
    const instant = instants[at] as number
    const span = endInstants
      ? { from: instant, to: endOf(endInstants[at] as number, end, zone) }
      : spanOf(instant, step, stamp, zone)
    const energy = (values[place] as number) * factor * (isPower ? (span.to - span.from) / HOUR_MS : 1)
    if (parts) parts.add(at, span, energy)
    else {
      const quarters = (span.to - span.from) / QUARTER_MS
      if (!Number.isInteger(quarters) || quarters < 1) reject(problems, raw, at, 'notQuarter')
      else if (quarters > MAX_IMPORT_QUARTERS) reject(problems, raw, at, 'tooLong')
      else add(at, { from: span.from, quarters }, energy)
    }
  }
  for (const parts of partsByStep.values()) parts?.flush()
}

/**
 * Rejects rows of a series that contradict another row of the same time: an actual value replaces estimated ones, and of others none
 * remains.
 */
function rejectRivals(reading: Reading, rows: Uint32Array, problems: Problems): ReadonlySet<number> {
  const { raw, instants, endInstants, grid } = reading
  const isSameTime = (a: number, b: number) =>
    instants[a] === instants[b] && (!endInstants || endInstants[a] === endInstants[b])
  const rejected = new Set<number>()
  const hasText = (at: number, pattern: RegExp) =>
    (grid[raw.lines[at] as number] ?? []).some((cell) => pattern.test(cellText(cell)))
  for (let first = 0; first + 1 < rows.length; first++) {
    let end = first + 1
    while (end < rows.length && isSameTime(rows[first] as number, rows[end] as number)) end++
    if (end === first + 1) continue
    const group = [...rows.subarray(first, end)]
    first = end - 1
    if (new Set(group.map((at) => raw.values[at])).size < 2) continue
    const estimated = group.filter((at) => hasText(at, ESTIMATED) && !hasText(at, FINAL))
    const final = group.filter((at) => hasText(at, FINAL) && !hasText(at, ESTIMATED))
    const isReplaced =
      estimated.length + final.length === group.length &&
      new Set(final.map((at) => raw.values[at])).size === 1
    for (const at of isReplaced ? estimated : group) {
      rejected.add(at)
      reject(problems, raw, at, isReplaced ? 'replaced' : 'duplicate')
    }
  }
  return rejected
}

/** End of a row's interval; the last day of a span ends with it, also if it has 23 or 25 hours. */
const endOf = (end: number, added: number, zone: string): number =>
  added === 24 * HOUR_MS ? calendarSpan('day', end, zone).to : end + added

/** Interval of a row without its own end. */
function spanOf(instant: number, step: Step | undefined, stamp: 'begin' | 'end', zone: string): Span {
  if (step === 'day' || step === 'month')
    return calendarSpan(step, stamp === 'end' ? instant - 1 : instant, zone)
  const length = step ?? QUARTER_MS
  return stamp === 'end' ? { from: instant - length, to: instant } : { from: instant, to: instant + length }
}

/** Time to add to the ends of intervals that name their last day, minute or second: they touch the start of the next one. */
function endOffset({ raw, order }: Reading): number {
  const gaps = new Map<number, number>()
  const ends = raw.ends as Float64Array
  for (const { from, to } of order.spans)
    for (let place = from + 1; place < to; place++) {
      const [before, at] = [order.order[place - 1] as number, order.order[place] as number]
      const gap = (raw.walls[at] as number) - (ends[before] as number)
      gaps.set(gap, (gaps.get(gap) ?? 0) + 1)
    }
  const [usual = 0] = [...gaps].toSorted((a, b) => b[1] - a[1])[0] ?? []
  if (gaps.size === 0) return ends[0] === raw.walls[0] || ends[0] === undefined ? 24 * HOUR_MS : 0
  return [1_000, MINUTE_MS, 24 * HOUR_MS].includes(usual) ? usual : 0
}

/** Adds steps of less than a quarter of an hour, or of ten or twenty minutes, up to intervals of whole quarters. */
function createParts(step: Step | undefined, raw: Reading['raw'], add: Add, problems: Problems) {
  if (typeof step !== 'number' || step % QUARTER_MS === 0) return undefined
  const length = [1, 2, 4].map((quarters) => quarters * QUARTER_MS).find((each) => each % step === 0)
  if (length === undefined) return undefined
  const count = length / step
  let [from, sum, found, first] = [Number.NaN, 0, 0, 0]
  const flush = () => {
    if (Number.isNaN(from)) return
    if (found === count) add(first, { from, quarters: length / QUARTER_MS }, sum)
    else reject(problems, raw, first, 'incomplete')
    from = Number.NaN
  }
  return {
    add(at: number, span: Span, value: number): void {
      const start = Math.floor(span.from / length) * length
      if (start !== from) {
        flush()
        ;[from, sum, found, first] = [start, 0, 0, at]
      }
      if (span.from !== start + found * step) found = Number.NaN
      sum += value
      found++
    },
    flush,
  }
}

/** Rows in the order of the file. */
function sortByLine(rows: ReadRows): void {
  const { lines, columns } = rows
  const isSorted = lines.every((line, at) => at === 0 || (lines[at - 1] as number) <= line)
  if (isSorted) return
  const order = lines
    .map((_, at) => at)
    .toSorted(
      (a, b) =>
        (lines[a] as number) - (lines[b] as number) || (columns[a] as number) - (columns[b] as number),
    )
  for (const key of ['meters', 'timestamps', 'quarters', 'values', 'lines', 'columns'] as const) {
    const values = rows[key]
    rows[key] = order.map((at) => values[at] as number)
  }
}
