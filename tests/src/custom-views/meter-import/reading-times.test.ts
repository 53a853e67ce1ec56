import { describe, expect, it } from 'vitest'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import type { ReadingContext } from '../../../../src/custom-views/meter-import/reading/facts.ts'
import { toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import { type Reading, readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'

const ZONE = 'Asia/Taipei'
const NOW = Date.parse('2026-11-29T00:00:00Z')
const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (bytes: Uint8Array, context: Partial<ReadingContext> = {}, answers: ReadingAnswers = {}) =>
  readMeaning(
    readText(bytes),
    { meters: [{ uid: 'm1', name: 'M' }], zone: ZONE, now: NOW, ...context },
    answers,
  )
/** Meaning of a text file; throws if it is refused. */
function meaning(text: string, zone = ZONE, answers: ReadingAnswers = {}): Reading {
  const reading = read(bytesOf(text), { zone }, answers)
  if ('refused' in reading) throw new Error(`Refused: ${reading.refused} ${reading.text}`)
  return reading
}
const refusal = (text: string) => {
  const reading = read(bytesOf(text))
  return 'refused' in reading ? reading.refused : undefined
}
const rowsOf = (reading: Reading) =>
  toImportRows(
    reading,
    reading.series.map((_, index) => `m${index}`),
    NOW,
  )
const asked = ({ questions }: Reading) => questions.map(({ fact }) => fact)
const fact = ({ facts }: Reading, name: string) => {
  const found = facts.find(({ Fact }) => Fact === name)
  return found && [found.Value, found.Source]
}
/** First start, last end, and number of rows. */
function spanOf(reading: Reading) {
  const { timestamps, quarters } = rowsOf(reading)
  const ends = timestamps.map((time, at) => time + (quarters[at] as number) * 15 * MINUTE_MS)
  const iso = (time: number) => new Date(time).toISOString().slice(0, 16)
  return [iso(Math.min(...timestamps)), iso(Math.max(...ends)), timestamps.length]
}
const two = (value: number) => String(value).padStart(2, '0')
const clockOf = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
/** Energy that rises and falls by place. */
const energyAt = (at: number) => (10 + ((at * 7) % 5) + 0.25).toFixed(2)
/** A file of one column; the text of each time is made from its day and its minutes since midnight. */
function fileOf(
  { days = 3, step = 30, first = 0, heading = 'Time', value = energyAt, delimiter = ',' },
  textAt: (day: number, minutes: number) => string,
) {
  const count = (days * DAY_MINUTES) / step
  const lines = Array.from({ length: count }, (_, at) => {
    const minutes = first + at * step
    return `${textAt(1 + Math.floor(minutes / DAY_MINUTES), minutes % DAY_MINUTES)}${delimiter}${value(at)}`
  })
  return `${heading}${delimiter}Usage (kWh)\n${lines.join('\n')}\n`
}

describe('a range in one cell', () => {
  const SPAN = ['2026-05-31T16:00', '2026-06-03T16:00', 144]
  it.each([
    ['00:00-00:30', (from: string, to: string) => `${from}-${to}`],
    ['00:00 -00:30', (from: string, to: string) => `${from} -${to}`],
    ['00:00~00:30', (from: string, to: string) => `${from}~${to}`],
    ['00:00～00:30', (from: string, to: string) => `${from}～${to}`],
    ['00:00〜00:30', (from: string, to: string) => `${from}〜${to}`],
    ['00:00–00:30', (from: string, to: string) => `${from}–${to}`],
    ['00:00至00:30', (from: string, to: string) => `${from}至${to}`],
    ['00:00 to 00:30', (from: string, to: string) => `${from} to ${to}`],
    ['00:00 a 00:30', (from: string, to: string) => `${from} a ${to}`],
  ])('is the start and the end of the interval: %s', (_, range) => {
    const cell = (day: number, minutes: number) =>
      `2026/06/0${day} ${range(clockOf(minutes), clockOf(minutes + 30))}`
    expect(spanOf(meaning(fileOf({}, cell)))).toEqual(SPAN)
    const inColumns = (day: number, minutes: number) =>
      `2026/06/0${day},${range(clockOf(minutes), clockOf(minutes + 30))}`
    expect(spanOf(meaning(fileOf({ heading: 'Date,Period' }, inColumns)))).toEqual(SPAN)
  })

  it('is read from two rows', () => {
    const reading = meaning('Time,Usage (kWh)\n2026-06-01 00:00-01:00,1\n2026-06-01 01:00-02:00,2')
    expect(spanOf(reading)).toEqual(['2026-05-31T16:00', '2026-05-31T18:00', 2])
  })

  it('may have dates alone', () => {
    const reading = meaning(
      '期間,用電量(度)\n115/03/01~115/03/31,310\n115/04/01~115/04/30,300\n115/05/01~115/05/31,310',
    )
    expect(spanOf(reading)).toEqual(['2026-02-28T16:00', '2026-05-31T16:00', 3])
  })

  it.each(['-05:00', '-03:30'])('is none if the end is the same UTC offset in all rows: %s', (offset) => {
    const file = fileOf({}, (day, minutes) => `2026-06-0${day} ${clockOf(minutes)}${offset}`)
    const reading = meaning(file, 'UTC')
    expect(fact(reading, 'zone')).toEqual([`UTC${offset}`, 'stated'])
    expect(rowsOf(reading).timestamps[0]).toBe(Date.parse(`2026-06-01T00:00:00${offset}`))
  })

  it('is none if the offset changes with summer time, or is that of several sites', () => {
    const offsets = ['-05:00', '-06:00', '-07:00', '-08:00']
    for (const count of [2, 4]) {
      const file = fileOf(
        { step: 60 },
        (day, minutes) => `2026-06-0${day} ${clockOf(minutes)}${offsets[(minutes / 60) % count]}`,
      )
      expect(read(bytesOf(file))).toHaveProperty('zone', 'UTC-05:00')
    }
  })

  it('is none if no zone has the offset', () => {
    expect(refusal('Time,Usage (kWh)\n2026-06-01 00:00-00:30,1')).toBe('noTime')
  })
})
