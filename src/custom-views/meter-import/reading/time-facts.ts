import { DAY_MS, QUARTER_MS } from '../../../../contract/time/periods.ts'
import type { OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import { type Facts, oneOfValues, type ReadingContext } from './facts.ts'
import { DAY_FIRST_HEAD, DAY_FIRST_WORDS, stampOf, stampOfText } from './headings.ts'
import { type ClockChanges, toInstants } from './instants.ts'
import type { TableLayout } from './layout.ts'
import type { DecimalMark } from './numbers.ts'
import { type RawRows, readTime, type SeriesOrder } from './rows.ts'
import {
  calendarStep,
  cellText,
  fixedZone,
  hasClock,
  HOUR_MS,
  isZoneName,
  MINUTE_MS,
  offsetOfLetters,
  offsetsOfLetters,
  readWall,
  type Step,
  type TimeFormat,
  zoneOffset,
} from './time.ts'
import { titleZones } from './title.ts'
import type { Sources } from './value-facts.ts'
import { type ZoneGroups, zonesOf } from './zone-words.ts'

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
  const formatOf = oneOfValues(...layout.time.formats)
  const answer = facts.answer('dateOrder', formatOf) ?? facts.profile('dateOrder', formatOf)
  if (answer) return answer
  if (others.length === 0) {
    facts.add('dateOrder', onlyFormat, 'derived', 'everyLine', example)
    return onlyFormat
  }
  let candidates = layout.time.formats.map((format) => measureFormat(file, layout, format))
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
  const isDayFirst = mark === ',' || /^\d{1,2}\.\d{1,2}\./.test(example)
  const isDayFirstLanguage =
    DAY_FIRST_WORDS.test(layout.headings.join(' ')) ||
    DAY_FIRST_HEAD.test((layout.headings[layout.time.column] ?? '').trim())
  // The same lines may be days in one format and months in the other; a language alone does not decide that.
  const areDaysOrMonths = () => new Set(candidates.map(({ isMonthly }) => isMonthly)).size > 1
  const decided =
    narrow(({ read }) => read === mostRead, 'everyLine') ??
    narrow(({ first, last }) => first >= OLDEST && last <= context.now + 2 * DAY_MS, 'notInFuture') ??
    narrow(({ first }) => first >= context.now - RECENT_MS, 'recent') ??
    narrow(({ breaks }) => breaks === fewestBreaks(), 'regular') ??
    (isDayFirst || (isDayFirstLanguage && !areDaysOrMonths())
      ? narrow(({ format }) => format === 'dmy' || format === 'dmy2', 'language')
      : undefined)
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

/** Whether the times of a file contain a time of day. */
export const isClockWritten = (file: OpenedFile, layout: TableLayout, format: TimeFormat): boolean =>
  layout.time.clockColumn !== null || hasClock(exampleTime(file, layout), format)

/** Time of the file as it is written there. */
export function exampleTime({ grid }: OpenedFile, { first, time }: TableLayout): string {
  // A date whose parts differ shows the difference between the readings.
  const texts = grid.slice(first, first + 200).map((line) => cellText(line[time.column]))
  return texts.find((text) => /^(\d+)\D(?!\1\D)\d+/.test(text)) ?? texts[0] ?? ''
}

/** Counts the times that a format reads, and the irregular steps between them. */
function measureFormat({ grid }: OpenedFile, layout: TableLayout, format: TimeFormat) {
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
      const step = calendarStep(Math.abs(wall.utc - previous))
      steps.set(step, (steps.get(step) ?? 0) + 1)
    }
    previous = wall.utc
  }
  const counts = [...steps.values()]
  const breaks = counts.reduce((sum, count) => sum + count, 0) - Math.max(0, ...counts)
  const [usual] = [...steps].toSorted((a, b) => b[1] - a[1])
  return { format, read, first, last, breaks, isMonthly: (usual?.[0] ?? 0) >= 28 * DAY_MS }
}

/**
 * First date of another format in a file whose dates a spreadsheet has swapped: it takes 12/06/2026 for December 6, and leaves 13/06/2026
 * as text. No date that was read has a day above 12, and every other one has.
 */
export function swappedDate({ problems, walls, count }: RawRows, { time }: TableLayout): string | undefined {
  const others = problems.listed
    .filter(({ reason, column }) => reason === 'notTime' && column === time.column)
    .flatMap(({ value }) => SWAPPED_FORMATS.map((format) => ({ value, wall: readWall(value, format) })))
    .flatMap(({ value, wall }) => (typeof wall === 'string' ? [] : [{ value, day: dayOfMonth(wall.utc) }]))
  if (others.length < 2 || others.some(({ day }) => day <= 12)) return undefined
  for (let at = 0; at < count; at++) if (dayOfMonth(walls[at] as number) > 12) return undefined
  return others[0]?.value
}
const SWAPPED_FORMATS = ['dmy', 'mdy', 'dmy2', 'mdy2'] as const
const dayOfMonth = (wall: number): number => new Date(wall).getUTCDate()

/** Whether the clock has twelve hours without AM and PM: on one date 1:00 follows 12:45, or 0:00 follows 11:45, and no hour is above 12. */
export function hasTwelveHours({ walls, series, count, elapsed, sources }: RawRows): boolean {
  if (elapsed) return false
  const last = new Float64Array(sources.length).fill(Number.NaN)
  let [rises, falls, wraps, wrapsBack] = [0, 0, 0, 0]
  for (let at = 0; at < count; at++) {
    const wall = walls[at] as number
    if (hourOf(wall) > 12) return false
    const before = last[series[at] as number] as number
    last[series[at] as number] = wall
    if (wall > before) rises++
    if (wall < before) falls++
    if (isWrap(before, wall)) wraps++
    if (isWrap(wall, before)) wrapsBack++
  }
  return (rises >= falls ? wraps : wrapsBack) > 0
}

const hourOf = (wall: number): number => Math.floor(timeOfDay(wall) / HOUR_MS)
const isWrap = (before: number, after: number): boolean =>
  before > after &&
  hourOf(before) >= 11 &&
  hourOf(after) <= 1 &&
  before - timeOfDay(before) === after - timeOfDay(after)

/**
 * Rows whose abbreviations of zones have the meaning that is an offset of the site; without offsets if one of them has none, so that the
 * zone is asked: EST is UTC-5 in New York, and UTC+10 in Brisbane.
 */
export function resolveZoneLetters(raw: RawRows, siteZone: string): RawRows {
  if (raw.zoneLetters.size === 0) return raw
  const meanings = new Map<number, number>()
  for (const letters of raw.zoneLetters) {
    const [usual = 0] = offsetsOfLetters(letters)
    const ofSite = offsetOfLetters(letters, siteZone, raw.walls[0] ?? 0)
    if (ofSite === undefined) return { ...raw, offsets: undefined }
    meanings.set(usual, ofSite)
  }
  return { ...raw, offsets: raw.offsets?.map((offset) => meanings.get(offset) ?? offset) }
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
  const ofHeading = zonesOf(heads)
  const statement = ofHeading
    ? { value: ofHeading, text: heads.trim(), isSure: true }
    : titleZones(layout.titleLines)
  const stated =
    statement && decideStatedZone(statement, ofHeading ? 'heading' : 'title', raw, context, facts)
  if (stated !== undefined) return stated
  const profile = facts.profile('zone', zoneAnswer)
  if (profile !== undefined) return profile
  const [letters] = raw.zoneLetters
  if (letters !== undefined && !raw.offsets) {
    const zones = offsetsOfLetters(letters).map(fixedZone)
    return askZone(facts, letters.toUpperCase(), [context.zone, ...zones])
  }
  if (layout.time.hasOtherClock) return askZone(facts, firstTime(raw), [context.zone, fixedZone(0)])
  const { changes } = toInstants(raw, context.zone)
  return decideLocalZone(changes, raw, context, facts)
}

/** Zone that a text states; asked if it may mean several that differ in this file, or is not known. */
function decideStatedZone(
  { value, text, isSure }: { value: ZoneGroups; text: string; isSure: boolean },
  evidence: string,
  raw: RawRows,
  { zone, now }: ReadingContext,
  facts: Facts,
): string {
  const own = value.filter((group) => group.some((each) => areSameZones(each, zone, raw, now)))
  const ofText = (own.length > 0 ? own : value).flat()
  const zones =
    isSure && ofText.length > 0 ? ofText : [zone, ...(ofText.length > 0 ? ofText : [fixedZone(0)])]
  const different = zones.filter(
    (each, at) => !zones.slice(0, at).some((other) => areSameZones(each, other, raw, now)),
  )
  const [first = zone, ...others] = different
  // A repeated hour that occurs twice is in local time.
  const changesOf = (each: string) => toInstants(raw, each).changes
  const local = others.length > 0 ? ofText.find((each) => changesOf(each).twice > 0) : undefined
  // A time that clocks skip is in standard time all year.
  const standard = ofText.some((each) => changesOf(each).skipped > 0)
    ? ofText.find((each) => changesOf(each).skipped === 0)
    : undefined
  const shown = others.length === 0 ? first : (local ?? standard)
  if (shown !== undefined) {
    facts.add('zone', shown, 'stated', evidence, text)
    return shown
  }
  const profile = facts.profile('zone', zoneAnswer)
  if (profile !== undefined) return profile
  const suggested = different.find((each) => areSameZones(each, zone, raw, now)) ?? first
  facts.ask({
    fact: 'zone',
    example: text,
    options: different.map((each) => ({ value: each, kWh: null })),
    suggested,
  })
  return suggested
}

/** Whether two zones have the same offsets on all days of a file. */
function areSameZones(one: string, other: string, { firstWall, lastWall }: RawRows, now: number): boolean {
  if (one === other) return true
  const [first, last] = [Math.max(firstWall, OLDEST), Math.min(lastWall, now + 2 * DAY_MS)]
  for (let at = first; at < last; at += DAY_MS)
    if (zoneOffset(at, one) !== zoneOffset(at, other)) return false
  return zoneOffset(last, one) === zoneOffset(last, other)
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
    if (!changes.isSkippedFull) return askZone(facts, firstDay(raw), [zone, standard])
    facts.add('zone', standard, 'derived', 'skippedHour')
    return standard
  }
  if (changes.once > 0 && changes.twice === 0 && !changes.coversSkipped) {
    return askZone(facts, firstDay(raw), [zone, standard])
  }
  facts.add('zone', zone, 'derived', changes.twice > 0 ? 'repeatedHour' : 'site')
  return zone
}

/** Asks the zone, of which the first is suggested. */
function askZone(facts: Facts, example: string, zones: readonly [string, ...string[]]): string {
  facts.ask({
    fact: 'zone',
    example,
    options: zones.map((value) => ({ value, kWh: null })),
    suggested: zones[0],
  })
  return zones[0]
}

const firstTime = ({ walls }: RawRows): string =>
  new Date(walls[0] ?? 0).toISOString().slice(0, 16).replace('T', ' ')
const firstDay = (raw: RawRows): string => firstTime(raw).slice(0, 10)

const yearStart = (now: number): number => Date.UTC(new Date(now).getUTCFullYear(), 0, 1)

/** Headings of days: below them a spreadsheet writes the clock of midnight only as part of its format. */
const DATE_HEAD = /^(?:用電|抄表)?日期$|^(?:date|day|datum|tag|fecha|día|data|jour|giorno|dia|dag)$/i

const stampAnswer = oneOfValues('begin', 'end')

/** Whether the times of a file are the starts or the ends of their intervals. */
export function decideStamp(
  { layout, raw, order, instants, steps, zone }: Omit<Sources, 'units'> & { zone: string },
  siteZone: string,
  isClockWritten: boolean,
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
  const [step] = steps
  const isContradicted = typeof step === 'number' && isOtherSpan(raw.firstWall, raw.lastWall, step, stated)
  if (stated && !isContradicted) {
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
  const early = earlyMs(raw, layout)
  if (early > 0) {
    facts.add(
      'stamp',
      'end',
      'derived',
      'justBefore',
      new Date(raw.walls[0] ?? 0).toISOString().slice(11, 23),
    )
    return 'end'
  }
  const derived = raw.hasEndOfDay
    ? 'end'
    : (stampOfSpan(raw.firstWall, raw.lastWall, step) ??
      stampOfDays(order, instants, step, zone) ??
      stampOfDays(order, instants, step, siteZone))
  const isDay = typeof step !== 'number'
  const isNamedByDate = isDay && DATE_HEAD.test(heading)
  if (
    isDay &&
    !(
      isClockWritten &&
      !isNamedByDate &&
      beginsAtMidnight(instants[order.order[0] ?? 0] ?? 0, zone, siteZone)
    )
  ) {
    facts.add('stamp', 'begin', 'derived', 'namesItsDay')
    return 'begin'
  }
  if (derived && !stated) {
    const evidence = isDay ? 'wholeMonths' : derived === 'end' ? 'endsAtMidnight' : 'beginsAtMidnight'
    facts.add('stamp', derived, 'derived', raw.hasEndOfDay ? 'endsAtMidnight' : evidence)
    return derived
  }
  const suggested = stated ?? 'begin'
  const text = clockText(instants[order.order[0] ?? 0] ?? 0, zone, isDay ? 0 : 11)
  facts.ask({
    fact: 'stamp',
    example: text,
    options: [
      { value: 'begin', kWh: null },
      { value: 'end', kWh: null },
    ],
    suggested,
  })
  return suggested
}

/** Whether the readings of a counter are those of the starts or of the ends of their lines. */
export function decideReadingEnd(raw: RawRows, facts: Facts): 'begin' | 'end' {
  const answer = facts.answer('stamp', stampAnswer) ?? facts.profile('stamp', stampAnswer)
  if (answer !== undefined) return answer
  facts.ask({
    fact: 'stamp',
    example: new Date(raw.ends?.[0] ?? 0).toISOString().slice(11, 16),
    options: [
      { value: 'begin', kWh: null },
      { value: 'end', kWh: null },
    ],
    suggested: 'end',
  })
  return 'end'
}

/** Times this much before a whole minute, or a minute before a whole quarter-hour, are the last of their intervals. */
const EARLY_MS = [1, 1_000, MINUTE_MS]

/** Time from each time of the file to the end of its interval, if they name its last minute, second or ms; else 0. */
export function earlyMs({ walls, count, ends }: RawRows, { matrix, time }: TableLayout): number {
  if (ends || matrix || time.numbered || count === 0) return 0
  const isEarly = (ms: number) => {
    const grid = ms < MINUTE_MS ? MINUTE_MS : QUARTER_MS
    for (let at = 0; at < count; at++) if (((walls[at] as number) + ms) % grid !== 0) return false
    return true
  }
  return EARLY_MS.find(isEarly) ?? 0
}

/** Zone of the days and months of a file: the site's if the first time is midnight there, but not in the zone of the file. */
export function calendarZoneOf(
  { order }: SeriesOrder,
  instants: Float64Array,
  zone: string,
  siteZone: string,
): string {
  const first = instants[order[0] ?? 0] ?? 0
  return !beginsAtMidnight(first, zone) && beginsAtMidnight(first, siteZone) ? siteZone : zone
}

const beginsAtMidnight = (instant: number, ...zones: readonly string[]): boolean =>
  zones.some((zone) => timeOfDay(instant + zoneOffset(instant, zone)) === 0)

export const timeHeading = ({ time, headings }: TableLayout): string =>
  [time.column, time.clockColumn]
    .map((column) => (column === null ? '' : (headings[column] ?? '')))
    .join(' ')
    .trim()

/**
 * A file begins and ends with whole days: by local times from 00:00 to 23:45, or from 00:15 to 00:00. Days are those of whole months, from
 * the first to the last or from the second to the first, and months those of whole years.
 */
function stampOfSpan(first: number, last: number, step: Step | undefined): 'begin' | 'end' | undefined {
  const [firstTime, lastTime] = [timeOfDay(first), timeOfDay(last)]
  if (typeof step === 'number') {
    if (firstTime === 0 && lastTime !== 0) return 'begin'
    if (firstTime === step) return lastTime === 0 ? 'end' : undefined
    return lastTime === DAY_MS - step ? 'begin' : undefined
  }
  if (firstTime !== 0 || lastTime !== 0) return undefined
  const [from, through, next] = [first, last, last + DAY_MS].map((wall) => {
    const date = new Date(wall)
    return step === 'month' ? date.getUTCMonth() + 1 : date.getUTCDate()
  })
  if (from === 1 && (step === 'month' ? through === 12 : next === 1)) return 'begin'
  return from === 2 && through === 1 ? 'end' : undefined
}

/** Whether whole days from the first to the last time are those of the other stamp: 00:00 to 23:45 are no ends. */
const isOtherSpan = (
  first: number,
  last: number,
  step: number,
  stated: 'begin' | 'end' | undefined,
): boolean =>
  stated === 'end'
    ? timeOfDay(first) === 0 && timeOfDay(last) === DAY_MS - step
    : timeOfDay(first) === step && timeOfDay(last) === 0

const timeOfDay = (wall: number): number => ((wall % DAY_MS) + DAY_MS) % DAY_MS

/** The same from the rows of each series, if all agree. */
function stampOfDays(
  { order, spans }: SeriesOrder,
  instants: Float64Array,
  step: Step | undefined,
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

/** Local time of a timestamp, from a place on of `2026-06-01 00:00:00`. */
const clockText = (at: number, zone: string, from: number): string =>
  new Date(at + zoneOffset(at, zone)).toISOString().slice(from, 16).replace('T', ' ')
