import { DAY_MS } from '../../../../contract/time/periods.ts'
import type { OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import { type Facts, oneOf, type ReadingContext } from './facts.ts'
import { DAY_FIRST_WORDS, stampOf, stampOfText, zoneOf } from './headings.ts'
import type { TableLayout } from './layout.ts'
import type { DecimalMark } from './numbers.ts'
import { type ClockChanges, type RawRows, readTime, type SeriesOrder, toInstants } from './rows.ts'
import { cellText, fixedZone, isZoneName, type TimeFormat, zoneOffset } from './time.ts'
import type { Sources } from './value-facts.ts'

/** Times before are not read. */
export const OLDEST = Date.UTC(1990, 0, 1)
const YEAR_MS = 365 * DAY_MS

/** Years of two digits are of this many years before now, if only one reading is. */
const RECENT_MS = 15 * YEAR_MS

/** Format of the dates: the one that reads most lines, then the one in which they follow each other most regularly. */
export function decideFormat(
  file: OpenedFile,
  layout: TableLayout,
  mark: DecimalMark,
  context: ReadingContext,
  facts: Facts,
): TimeFormat {
  const [onlyFormat = 'ymd', ...others] = layout.time.formats
  const example = exampleTime(file, layout)
  const formatOf = oneOf(...layout.time.formats)
  const answer = facts.answer('dateOrder', formatOf) ?? facts.profile('dateOrder', formatOf)
  if (answer) return answer
  if (others.length === 0) {
    facts.add('dateOrder', onlyFormat, 'derived', 'everyLine', example)
    return onlyFormat
  }
  let candidates = layout.time.formats.map((format) => judgeFormat(file, layout, format))
  const narrow = (isBetter: (candidate: (typeof candidates)[number]) => boolean, evidence: string) => {
    const better = candidates.filter(isBetter)
    if (better.length === 0 || better.length === candidates.length) return undefined
    candidates = better
    if (candidates.length > 1) return undefined
    facts.add('dateOrder', candidates[0]?.format ?? '', 'derived', evidence, example)
    return candidates[0]?.format
  }
  const mostRead = Math.max(...candidates.map(({ read }) => read))
  const fewestBreaks = () => Math.min(...candidates.map(({ breaks }) => breaks))
  const headings = `${layout.title} ${layout.headings.join(' ')}`
  const isDayFirst = mark === ',' || DAY_FIRST_WORDS.test(headings) || /^\d{1,2}\.\d{1,2}\./.test(example)
  const decided =
    narrow(({ read }) => read === mostRead, 'everyLine') ??
    narrow(({ first, last }) => first >= OLDEST && last <= context.now + 2 * DAY_MS, 'notInFuture') ??
    narrow(({ first }) => first >= context.now - RECENT_MS, 'recent') ??
    narrow(({ breaks }) => breaks === fewestBreaks(), 'regular') ??
    (isDayFirst ? narrow(({ format }) => format === 'dmy' || format === 'dmy2', 'language') : undefined)
  if (decided) return decided
  const isMonthFirst = context.zone.startsWith('America/')
  const suggested =
    candidates.find(({ format }) => format.startsWith(isMonthFirst ? 'mdy' : 'dmy'))?.format ??
    candidates[0]?.format ??
    onlyFormat
  facts.ask({
    fact: 'dateOrder',
    example,
    options: candidates.map(({ format }) => ({ value: format, kWh: null })),
    suggested,
  })
  return suggested
}

function exampleTime({ grid }: OpenedFile, { first, time }: TableLayout): string {
  // A date whose parts differ shows the difference between the readings.
  const texts = grid.slice(first, first + 200).map((line) => cellText(line[time.column]))
  return texts.find((text) => /^(\d+)\D(?!\1\D)\d+/.test(text)) ?? texts[0] ?? ''
}

/** Counts the times that a format reads, and the irregular steps between them. */
function judgeFormat({ grid }: OpenedFile, layout: TableLayout, format: TimeFormat) {
  let [read, first, last] = [0, Infinity, -Infinity]
  let previous: number | undefined
  const steps = new Map<number, number>()
  for (let line = layout.first; line < grid.length; line++) {
    const wall = readTime(grid[line] ?? [], layout, format)
    if (typeof wall === 'string') continue
    read++
    first = Math.min(first, wall.utc)
    last = Math.max(last, wall.utc)
    if (previous !== undefined && wall.utc !== previous) {
      // Days and months of any length count as one step each.
      const days = Math.abs(wall.utc - previous) / DAY_MS
      const step = days >= 28 && days <= 31 ? 30 * DAY_MS : Math.abs(wall.utc - previous)
      steps.set(step, (steps.get(step) ?? 0) + 1)
    }
    previous = wall.utc
  }
  const counts = [...steps.values()]
  const breaks = counts.reduce((sum, count) => sum + count, 0) - Math.max(0, ...counts)
  return { format, read, first, last, breaks }
}

const zoneAnswer = (value: string): string | undefined => (isZoneName(value) ? value : undefined)

export function decideZone(layout: TableLayout, raw: RawRows, context: ReadingContext, facts: Facts): string {
  const answer = facts.answer('zone', zoneAnswer)
  if (answer !== undefined) return answer
  if (raw.offsets && !raw.offsets.subarray(0, raw.count).some(Number.isNaN)) {
    // Days and months begin in a local zone: the site's, if it has the offsets that the file states.
    const isSite = raw.walls.subarray(0, raw.count).every((wall, at) => {
      const offset = (raw.offsets as Float64Array)[at] as number
      return offset === 0 || zoneOffset(wall - offset, context.zone) === offset
    })
    const zone = isSite ? context.zone : fixedZone(raw.offsets[0] as number)
    facts.add('zone', zone, 'stated', 'everyTime')
    return zone
  }
  const heads = [layout.time.column, layout.time.clockColumn, layout.time.endColumn]
    .map((column) => (column === null ? '' : (layout.headings[column] ?? '')))
    .join(' ')
  const stated = zoneOf(heads) ?? zoneOf(layout.title)
  if (stated) {
    facts.add('zone', stated, 'stated', 'heading', zoneOf(heads) ? heads.trim() : layout.title)
    return stated
  }
  const profile = facts.profile('zone', zoneAnswer)
  if (profile !== undefined) return profile
  const { changes } = toInstants(raw, context.zone)
  return decideLocalZone(changes, raw, context, facts)
}

/** Zone of a file that names none: the site's, unless its hours on days of a clock change show another. */
function decideLocalZone(
  changes: ClockChanges,
  raw: RawRows,
  { zone, now }: ReadingContext,
  facts: Facts,
): string {
  const standard = fixedZone(
    Math.min(zoneOffset(yearStart(now), zone), zoneOffset(yearStart(now) + YEAR_MS / 2, zone)),
  )
  if (changes.skipped > 0 && changes.twice === 0) {
    facts.add('zone', standard, 'derived', 'skippedHour')
    return standard
  }
  if (changes.once > 0 && changes.twice === 0 && !changes.coversSkipped) {
    facts.ask({
      fact: 'zone',
      example: new Date(raw.walls[0] ?? 0).toISOString().slice(0, 10),
      options: [
        { value: zone, kWh: null },
        { value: standard, kWh: null },
      ],
      suggested: zone,
    })
    return zone
  }
  facts.add('zone', zone, 'derived', changes.twice > 0 ? 'repeatedHour' : 'site')
  return zone
}

const yearStart = (now: number): number => Date.UTC(new Date(now).getUTCFullYear(), 0, 1)

const stampAnswer = oneOf('begin', 'end')

/** Whether the times of a file are the starts or the ends of their intervals. */
export function decideStamp(
  { layout, raw, order, instants, steps, zone }: Omit<Sources, 'units'> & { zone: string },
  siteZone: string,
  facts: Facts,
): 'begin' | 'end' {
  const answer = facts.answer('stamp', stampAnswer)
  if (answer !== undefined) return answer
  const { matrix, time, headings } = layout
  if (matrix) {
    facts.add('stamp', matrix.stamp, matrix.isStampStated ? 'stated' : 'derived', 'timesInHeadings')
    return matrix.stamp
  }
  if (raw.ends) {
    facts.add(
      'stamp',
      'begin',
      'stated',
      'endOfInterval',
      headings[time.endColumn ?? time.endClockColumn ?? 0],
    )
    return 'begin'
  }
  const heading = timeHeading(layout)
  const stated = stampOf(heading) ?? stampOfText(layout.title)
  if (stated) {
    facts.add(
      'stamp',
      stated,
      'stated',
      stampOf(heading) ? 'heading' : 'title',
      stampOf(heading) ? heading : layout.title,
    )
    return stated
  }
  const profile = facts.profile('stamp', stampAnswer)
  if (profile !== undefined) return profile
  const [step] = steps
  if (typeof step !== 'number') {
    facts.add('stamp', 'begin', 'derived', 'namesItsDay')
    return 'begin'
  }
  const derived =
    stampOfSpan(raw.firstWall, raw.lastWall, step) ??
    stampOfDays(order, instants, step, zone) ??
    stampOfDays(order, instants, step, siteZone)
  if (derived) {
    facts.add('stamp', derived, 'derived', derived === 'end' ? 'endsAtMidnight' : 'beginsAtMidnight')
    return derived
  }
  facts.ask({
    fact: 'stamp',
    example: clockText(instants[order.order[0] ?? 0] ?? 0, zone),
    options: [
      { value: 'begin', kWh: null },
      { value: 'end', kWh: null },
    ],
    suggested: 'begin',
  })
  return 'begin'
}

export const timeHeading = ({ time, headings }: TableLayout): string =>
  [time.column, time.clockColumn]
    .map((column) => (column === null ? '' : (headings[column] ?? '')))
    .join(' ')
    .trim()

/** A file begins and ends with whole days: by local times from 00:00 to 23:45, or from 00:15 to 00:00. */
function stampOfSpan(first: number, last: number, step: number): 'begin' | 'end' | undefined {
  const [firstTime, lastTime] = [timeOfDay(first), timeOfDay(last)]
  if (firstTime === 0 && lastTime !== 0) return 'begin'
  if (firstTime === step && lastTime === 0) return 'end'
  return lastTime === DAY_MS - step ? 'begin' : undefined
}

const timeOfDay = (wall: number): number => ((wall % DAY_MS) + DAY_MS) % DAY_MS

/** The same from the rows of each series, if all agree. */
function stampOfDays(
  { order, spans }: SeriesOrder,
  instants: Float64Array,
  step: number,
  zone: string,
): 'begin' | 'end' | undefined {
  const wallOf = (place: number) => {
    const at = instants[order[place] as number] as number
    return at + zoneOffset(at, zone)
  }
  const votes = spans.flatMap(({ from, to }) =>
    to > from ? [stampOfSpan(wallOf(from), wallOf(to - 1), step)] : [],
  )
  return votes.length > 0 && votes.every((each) => each === votes[0]) ? votes[0] : undefined
}

const clockText = (at: number, zone: string): string =>
  new Date(at + zoneOffset(at, zone)).toISOString().slice(11, 16)
