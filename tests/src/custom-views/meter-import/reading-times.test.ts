import { describe, expect, it } from 'vitest'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import type { ReadingContext } from '../../../../src/custom-views/meter-import/reading/facts.ts'
import { toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import { type Reading, readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'
import { parseNumber } from '../../../../src/custom-views/meter-import/reading/numbers.ts'
import { cellText, readWall } from '../../../../src/custom-views/meter-import/reading/time.ts'
import { decodeText } from '../../../../src/lib/spreadsheet/decode-text.ts'
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

describe('a time of day', () => {
  it.each([
    ['2026-06-01 오후 01:15', 'ymd', '2026-06-01T13:15'],
    ['2026년 6월 1일 오전 12:15', 'ymd', '2026-06-01T00:15'],
    ['2026. 6. 1. 오후 12:15', 'ymd', '2026-06-01T12:15'],
    ['2026年6月1日8時15分', 'ymd', '2026-06-01T08:15'],
    ['2026年6月1日 下午1时05分30秒', 'ymd', '2026-06-01T13:05'],
    ['2026年6月1日8点', 'ymd', '2026-06-01T08:00'],
    ['2026년 6월 1일 8시 15분', 'ymd', '2026-06-01T08:15'],
    ['民國115年6月1日8時15分', 'roc', '2026-06-01T08:15'],
    ['2026/06/01 午後0:15', 'ymd', '2026-06-01T12:15'],
    ['10/06/2026 12:15:00 a. m.', 'dmy', '2026-06-10T00:15'],
    ['10/06/2026 1:15:00 p.\u00a0m.', 'dmy', '2026-06-10T13:15'],
    ['1 juin 2026 8:15', 'named', '2026-06-01T08:15'],
    ['3 Okt. 2026', 'named', '2026-10-03T00:00'],
    ['Jan-26', 'month', '2026-01-01T00:00'],
    ['Dez 2025', 'month', '2025-12-01T00:00'],
    ['2026 August', 'month', '2026-08-01T00:00'],
    ['1780243200000000', 'epoch', '2026-05-31T16:00'],
    ['1780243200000000000', 'epoch', '2026-05-31T16:00'],
  ] as const)('is read in the words of its language: %s', (text, format, expected) => {
    const wall = readWall(cellText(text), format)
    expect(typeof wall === 'string' ? wall : new Date(wall.utc).toISOString().slice(0, 16)).toBe(expected)
  })

  it.each([
    ['Main-26', 'month'],
    ['8716867000012345', 'epoch'],
    ['2026-06-01 13:15 p. m.', 'ymd'],
  ] as const)('is none in another text: %s', (text, format) => {
    expect(readWall(text, format)).toBe('notTime')
  })

  it('is no month if figures change more often than names, as days do', () => {
    const file = (texts: readonly string[]) =>
      `Month,Usage (kWh)\n${texts.map((text, at) => `${text},${energyAt(at)}`).join('\n')}`
    expect(spanOf(meaning(file(['Jan-26', 'Feb-26', 'Mar-26'])))).toEqual([
      '2025-12-31T16:00',
      '2026-03-31T16:00',
      3,
    ])
    expect(refusal(file(['Jun-24', 'Jun-25', 'Jun-26']))).toBe('noTime')
  })
})

describe('a column of times of day', () => {
  const rows = (clock: (minutes: number) => string) =>
    Array.from(
      { length: 192 },
      (_, at) =>
        `${at < 96 ? '08.06.2026' : '09.06.2026'};${clock((at % 96) * 15)};${(2 + ((at * 7) % 5)).toFixed(1).replace('.', ',')}`,
    ).join('\n')

  it.each([
    ['without zeros in front', (minutes: number) => String(Number(clockOf(minutes).replace(':', '')))],
    ['without colons', (minutes: number) => `${clockOf(minutes).replace(':', '')}00`],
    ['with a word', (minutes: number) => `${clockOf(minutes)} Uhr`],
    ['with a letter', (minutes: number) => `T${clockOf(minutes)}`],
    ['with a point', (minutes: number) => clockOf(minutes).replace(':', '.')],
  ])('may be written %s', (_, clock) => {
    const reading = meaning(`Datum;Uhrzeit;Verbrauch (kWh)\n${rows(clock)}`)
    expect(spanOf(reading)).toEqual(['2026-06-07T16:00', '2026-06-09T16:00', 192])
    expect(asked(reading)).toEqual([])
  })

  it('may be beside dates with the clock of midnight', () => {
    const text = rows(clockOf).replaceAll('.06.2026;', '.06.2026 00:00:00;')
    expect(spanOf(meaning(`Datum;Uhrzeit;Verbrauch (kWh)\n${text}`))).toEqual([
      '2026-06-07T16:00',
      '2026-06-09T16:00',
      192,
    ])
  })

  it.each([
    '6/8/2026, 12:15:00 AM',
    '08.06.2026, 00:15:00',
    '08.06.2026 - 00:15',
    '08/06/2026 à 00:15',
    'Mo 08.06.2026 00:15',
  ])('may be behind the date: %s', (text) => {
    const format = text.endsWith('AM') ? 'mdy' : 'dmy'
    expect(readWall(text, format)).toMatchObject({ utc: Date.UTC(2026, 5, 8, 0, 15) })
  })
})

describe('the abbreviation of a zone', () => {
  const file = (letters: string) =>
    fileOf({ step: 60 }, (day, minutes) => `2026-06-0${day} ${clockOf(minutes)} ${letters}`)
  it.each([
    ['EST', 'America/New_York', '2026-06-01T05:00'],
    ['EST', 'Australia/Brisbane', '2026-05-31T14:00'],
    ['CST', 'Asia/Taipei', '2026-05-31T16:00'],
    ['CST', 'America/Chicago', '2026-06-01T06:00'],
    ['IST', 'Asia/Kolkata', '2026-05-31T18:30'],
    ['PST', 'Asia/Manila', '2026-05-31T16:00'],
    ['SGT', 'Asia/Taipei', '2026-05-31T16:00'],
    ['KST', 'Asia/Taipei', '2026-05-31T15:00'],
    ['UTC', 'Asia/Taipei', '2026-06-01T00:00'],
  ])('has the meaning that fits the site: %s in %s', (letters, zone, first) => {
    const reading = meaning(file(letters), zone)
    expect([asked(reading), spanOf(reading)[0]]).toEqual([[], first])
  })

  it('is asked if none of its meanings fits', () => {
    const reading = meaning(file('EST'))
    expect(reading.questions).toMatchObject([{ fact: 'zone', example: 'EST', suggested: ZONE }])
    expect(reading.questions[0]?.options.map(({ value }) => value)).toEqual([ZONE, 'UTC-05:00', 'UTC+10:00'])
    expect(spanOf(meaning(file('EST'), ZONE, { zone: 'UTC-05:00' }))[0]).toBe('2026-06-01T05:00')
  })
})

describe('the hour that clocks skip', () => {
  const ZONE_OF_SITE = 'Europe/Berlin'
  /** Two days about the change of 2026-03-29 by a clock that leaves out some times. */
  const file = (step: number, first: number, isWritten: (clock: string) => boolean) => {
    const lines = fileOf(
      { days: 2, step, first },
      (day, minutes) => `2026-03-${27 + day} ${clockOf(minutes)}`,
    )
    return lines
      .split('\n')
      .filter((line) => !line.startsWith('2026-03-29') || isWritten(line.slice(11, 16)))
      .join('\n')
  }
  it.each([
    [15, (clock: string) => clock <= '02:00' || clock > '03:00'],
    [60, (clock: string) => clock !== '03:00'],
  ])('has one row if times are ends by the local clock: %i minutes', (step, isWritten) => {
    const reading = meaning(file(step, step, isWritten), ZONE_OF_SITE)
    expect([asked(reading), fact(reading, 'zone')]).toEqual([[], [ZONE_OF_SITE, 'derived']])
    expect(spanOf(reading)).toEqual(['2026-03-27T23:00', '2026-03-29T22:00', (47 * 60) / step])
    expect(rowsOf(reading).problems).toEqual([])
  })

  it.each([15, 60])('has all rows if it is standard time all year: %i minutes', (step) => {
    const reading = meaning(
      file(step, step, () => true),
      ZONE_OF_SITE,
    )
    expect(fact(reading, 'zone')).toEqual(['UTC+01:00', 'derived'])
  })

  it('is asked if it has some rows', () => {
    const some = (clock: string) => !['02:30', '02:45'].includes(clock)
    expect(asked(meaning(file(15, 0, some), ZONE_OF_SITE))).toEqual(['zone'])
  })
})

describe('the hour that clocks repeat', () => {
  it.each([15, 60])('may end with 03:00 in both passes: %i minutes', (step) => {
    const starts = Array.from({ length: (25 * 60) / step }, (_, at) => at * step)
    // By the clock of the start of each interval, plus its length.
    const lines = starts.map((minutes, at) => {
      const wall = minutes < 180 ? minutes : minutes - 60
      const end = wall + step
      return `2026-10-${25 + Math.floor(end / DAY_MINUTES)} ${clockOf(end % DAY_MINUTES)},${energyAt(at)}`
    })
    for (const rows of [lines, lines.toReversed()]) {
      const reading = meaning(`Time,Usage (kWh)\n${rows.join('\n')}\n`, 'Europe/Berlin')
      expect([asked(reading), fact(reading, 'stamp')]).toEqual([[], ['end', 'derived']])
      expect(spanOf(reading)).toEqual(['2026-10-24T22:00', '2026-10-25T23:00', starts.length])
      expect(rowsOf(reading).problems).toEqual([])
      expect(new Set(rowsOf(reading).timestamps).size).toBe(starts.length)
    }
  })
})

describe('the ends of intervals in the hour that clocks repeat', () => {
  const starts = [
    '01:30',
    '01:45',
    '02:00',
    '02:15',
    '02:30',
    '02:45',
    '02:00',
    '02:15',
    '02:30',
    '02:45',
    '03:00',
  ]

  it.each(['02:00', '03:00'])('are 15 minutes behind their starts if the first pass ends at %s', (turn) => {
    const ends = starts.map((_, at) => (at === 5 ? turn : (starts[at + 1] ?? '03:15')))
    const lines = starts.map((start, at) => `26.10.2025;${start};${ends[at]};4,5`)
    const reading = meaning(
      `Datum;Uhrzeit von;Uhrzeit bis;Leistung [kW]\n${lines.join('\n')}`,
      'Europe/Berlin',
    )
    expect(rowsOf(reading).quarters).toEqual(starts.map(() => 1))
    expect(reading.series[0]?.kWh).toBeCloseTo((starts.length * 4.5) / 4, 6)
  })
})

describe('the end of an interval', () => {
  const days = (from: string, count: number, clock: string) =>
    `Time,Daily usage (kWh)\n${Array.from({ length: count }, (_, at) => {
      const date = new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10)
      return `${date}${clock},${energyAt(at)}`
    }).join('\n')}`
  it.each([
    ['日期', []],
    ['Date', []],
    ['Timestamp', ['stamp']],
  ])('is asked for days at midnight, unless the heading names them: %s', (heading, questions) => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => `2026-05-${two(at + 5)} 00:00:00,${2 + ((at * 7) % 5)}`,
    )
    expect(asked(meaning(`${heading},用電量(度)\n${lines.join('\n')}`))).toEqual(questions)
  })

  it.each([
    ['2026-06-02', 30, ' 00:00', [], '2026-05-31T16:00'],
    ['2026-06-01', 30, ' 00:00', [], '2026-05-31T16:00'],
    ['2026-06-10', 10, ' 00:00', ['stamp'], '2026-06-09T16:00'],
    ['2026-06-10', 10, '', [], '2026-06-09T16:00'],
    ['2026-06-10', 10, ' 23:59:59', [], '2026-06-09T16:00'],
    ['2026-06-10', 10, ' 24:00', [], '2026-06-09T16:00'],
  ])(
    'is asked for days at 00:00 that are no whole months: %s, %i days%s',
    (from, count, clock, open, first) => {
      const reading = meaning(days(from, count, clock))
      expect(asked(reading)).toEqual(open)
      expect(spanOf(reading)[0]).toBe(first)
    },
  )

  it('of a day is asked with its date', () => {
    const file = days('2026-06-10', 10, ' 00:00')
    expect(meaning(file).questions[0]?.example).toBe('2026-06-10 00:00')
    expect(spanOf(meaning(file, ZONE, { stamp: 'end' }))).toEqual([
      '2026-06-08T16:00',
      '2026-06-18T16:00',
      10,
    ])
  })

  it('of a day is midnight at the site, also in a file in UTC', () => {
    const file = days('2026-05-31', 30, ' 16:00').replace('Time', 'Time (UTC)')
    expect(spanOf(meaning(file))).toEqual(['2026-05-31T16:00', '2026-06-30T16:00', 30])
  })

  it('of a month follows from whole years', () => {
    const months = (first: number, count: number) =>
      `Time,Usage (kWh)\n${Array.from({ length: count }, (_, at) => `${new Date(Date.UTC(2025, first + at, 1)).toISOString().slice(0, 10)} 00:00,${300 + ((at * 7) % 5)}`).join('\n')}`
    expect(asked(meaning(months(1, 12)))).toEqual([])
    expect(spanOf(meaning(months(1, 12)))[0]).toBe('2024-12-31T16:00')
    expect(asked(meaning(months(3, 9)))).toEqual(['stamp'])
  })

  it('is asked if the file neither begins nor ends at midnight', () => {
    const lines = fileOf({ step: 15, first: 15 }, (day, minutes) => `2026-06-0${day} ${clockOf(minutes)}`)
    const cut = lines.trim().split('\n').slice(0, -1).join('\n')
    expect([asked(meaning(lines)), fact(meaning(lines), 'stamp')]).toEqual([[], ['end', 'derived']])
    expect(asked(meaning(cut))).toEqual(['stamp'])
  })

  it.each([
    [15, ':59'],
    [15, ':59.999'],
    [30, ':59'],
    [60, ''],
  ])('may be named by its last minute, second or millisecond: %i minutes, %s', (step, seconds) => {
    const file = fileOf(
      { step, first: step - 1 },
      (day, minutes) => `2026-06-0${day} ${clockOf(minutes)}${seconds}`,
    )
    const reading = meaning(file)
    expect([asked(reading), fact(reading, 'stamp')]).toEqual([[], ['end', 'derived']])
    expect(spanOf(reading)).toEqual(['2026-05-31T16:00', '2026-06-03T16:00', (3 * DAY_MINUTES) / step])
  })

  it('is 24:00 wherever the file begins', () => {
    const file = fileOf({ first: 600 }, (day, minutes) =>
      minutes === 0 ? `2026-06-0${day - 1} 24:00` : `2026-06-0${day} ${clockOf(minutes)}`,
    )
    expect(fact(meaning(file), 'stamp')).toEqual(['end', 'derived'])
  })
})

describe('times a few seconds off', () => {
  const DAYS = 3
  /** Seconds behind the step by place: at most 9. */
  const lateAt = (at: number) => (at * 4) % 10
  const timesOf = (step: number, secondsAt: (at: number) => number) =>
    Array.from({ length: (DAYS * DAY_MINUTES) / step }, (_, at) =>
      new Date(Date.UTC(2026, 5, 1) + at * step * MINUTE_MS + secondsAt(at) * 1_000)
        .toISOString()
        .slice(0, 19)
        .replace('T', ' '),
    )
  const file = (times: readonly string[], heading = 'Usage (kWh)', valueAt = energyAt) =>
    `Time,${heading}\n${times.map((time, at) => `${time},${valueAt(at)}`).join('\n')}\n`
  const rounding = ({ facts }: Reading) => facts.find(({ Evidence }) => Evidence === 'offStep')?.Text

  it.each([5, 15, 60])(
    'are rounded to the step, and the largest difference is a fact: %i minutes',
    (step) => {
      const reading = meaning(file(timesOf(step, lateAt)))
      expect(asked(reading)).toEqual([])
      expect(spanOf(reading).slice(0, 2)).toEqual(['2026-05-31T16:00', '2026-06-03T16:00'])
      expect(rowsOf(reading).problemCount).toBe(0)
      expect(rounding(reading)).toBe('8')
    },
  )

  it('are rounded to whole hours if they are half a minute behind', () => {
    const reading = meaning(file(timesOf(60, () => 30)))
    expect([spanOf(reading)[0], rounding(reading)]).toEqual(['2026-05-31T16:00', '30'])
  })

  it('are rounded up as well, and in several columns', () => {
    const times = timesOf(15, (at) => (at % 2 === 0 ? 3 : -2))
    const reading = meaning(
      file(times, 'Hall (kWh),Office (kWh)', (at) => `${energyAt(at)},${energyAt(at + 1)}`),
    )
    expect(asked(reading)).toEqual([])
    expect(rowsOf(reading).timestamps).toHaveLength(2 * times.length)
    expect(rounding(reading)).toBe('3')
  })

  it('are rounded for a counter, unless one of them is off by more or two would be the same time', () => {
    const counter = (times: readonly string[]) =>
      meaning(file(times, 'Meter reading (kWh)', (at) => String(1_000 + at)))
    const areQuarters = (reading: Reading) =>
      rowsOf(reading).timestamps.every((time) => time % (15 * MINUTE_MS) === 0)
    const late = counter(timesOf(15, lateAt))
    expect([late.kind, areQuarters(late), rounding(late)]).toEqual(['counter', true, '8'])
    const off = counter(timesOf(15, (at) => (at === 40 ? 31 : lateAt(at))))
    expect([areQuarters(off), rounding(off)]).toEqual([false, undefined])
    const twice = counter([...timesOf(15, lateAt), '2026-06-03 23:45:09'])
    expect([areQuarters(twice), rounding(twice)]).toEqual([false, undefined])
  })
})

describe('dates and clocks that cannot be trusted', () => {
  /** Hours of 18 days from June 1 of which those up to the 12th have been taken for months. */
  const swapped = (rest: (day: number) => string) =>
    fileOf(
      { days: 18, step: 60 },
      (day, minutes) => `${day <= 12 ? `2026-${two(day)}-06` : rest(day)} ${clockOf(minutes)}`,
    )
  it('are refused if a spreadsheet has swapped days and months', () => {
    expect(refusal(swapped((day) => `${day}/06/2026`))).toBe('swappedDates')
    expect(refusal(swapped((day) => `06/${day}/2026`))).toBe('swappedDates')
  })

  it('are read if another line has a date of another format', () => {
    const file = `${fileOf({}, (day, minutes) => `2026-06-0${day} ${clockOf(minutes)}`)}20/06/2026,1\n`
    expect(rowsOf(meaning(file)).problems).toMatchObject([{ reason: 'notTime', value: '20/06/2026' }])
  })

  const twelve = (minutes: number, hours = 12) =>
    clockOf((((minutes / 60 + 12 - hours / 12) % 12) | 0) * 60 + (hours / 12) * 60 + (minutes % 60))
  it.each([
    [15, 3, 12],
    [60, 3, 12],
    [30, 1, 12],
    [30, 2, 0],
  ])('are refused if the clock has twelve hours without AM and PM: %i minutes', (step, days, hours) => {
    const file = fileOf({ step, days }, (day, minutes) => `2026-06-0${day} ${twelve(minutes, hours)}`)
    expect(refusal(file)).toBe('twelveHours')
    const [head, ...lines] = file.trim().split('\n')
    expect(refusal([head, ...lines.toReversed()].join('\n'))).toBe('twelveHours')
  })

  it('are read if several meters have the same morning below each other', () => {
    const morning = (meter: string) =>
      fileOf({ step: 60 }, (day, minutes) => `2026-06-0${day} ${clockOf(minutes)},${meter}`)
        .split('\n')
        .slice(1, 13)
    const file = ['Time,Meter,Usage (kWh)', ...morning('A'), ...morning('B')].join('\n')
    expect(rowsOf(meaning(file)).values).toHaveLength(24)
  })

  it('are read with AM and PM, and in the hours of a morning', () => {
    const half = (minutes: number) => `${twelve(minutes)} ${minutes < 720 ? 'AM' : 'PM'}`
    const file = fileOf({ step: 60 }, (day, minutes) => `2026-06-0${day} ${half(minutes)}`)
    expect(spanOf(meaning(file))).toEqual(['2026-05-31T16:00', '2026-06-03T16:00', 72])
    const morning = Array.from({ length: 5 }, (_, at) => `2026-06-01 ${8 + at}:00,${energyAt(at)}`)
    expect(refusal(`Time,Usage (kWh)\n${morning.join('\n')}`)).toBeUndefined()
  })
})

describe('two columns with the same times', () => {
  const file = (heading: string) =>
    fileOf({ step: 60, heading }, (day, minutes) => {
      const utc = new Date(Date.UTC(2026, 5, day, 0, minutes) - 480 * MINUTE_MS).toISOString()
      return `${utc.slice(0, 16).replace('T', ' ')},2026-06-0${day} ${clockOf(minutes)}`
    })
  it.each([
    ['timestamp,local_timestamp', ZONE],
    ['時間,當地時間', ZONE],
    ['time_utc,time', 'UTC+00:00'],
  ])('are read from the one whose heading names its clock: %s', (heading, zone) => {
    const reading = meaning(file(heading))
    expect([asked(reading).filter((name) => name !== 'stamp'), reading.zone]).toEqual([[], zone])
    expect(spanOf(reading)[0]).toBe('2026-05-31T16:00')
  })

  it('are asked if no heading does', () => {
    const reading = meaning(file('time 1,time 2'))
    expect(asked(reading)).toContain('zone')
    expect(reading.questions[0]?.options.map(({ value }) => value)).toEqual([ZONE, 'UTC+00:00'])
  })

  it('are no start and end if only one is local', () => {
    const hours = fileOf({ step: 60, heading: 'timestamp,local_time' }, (day, minutes) => {
      const utc = new Date(Date.UTC(2026, 5, day, 0, minutes) - 60 * MINUTE_MS).toISOString()
      return `${utc.slice(0, 16).replace('T', ' ')},2026-06-0${day} ${clockOf(minutes)}`
    })
    const reading = meaning(hours, 'Europe/London')
    expect([fact(reading, 'interval'), spanOf(reading)[0]]).toEqual([['60', 'derived'], '2026-05-31T23:00'])
  })
})

describe('a column of times of day', () => {
  it('may have digits without zeros before them below HHMM', () => {
    const cell = (day: number, minutes: number) =>
      `2026060${day},${Math.floor(minutes / 60) * 100 + (minutes % 60)}`
    const reading = meaning(fileOf({ days: 5, step: 15, heading: 'Date,HHMM' }, cell))
    expect(reading.series).toHaveLength(1)
    expect(spanOf(reading)).toEqual(['2026-05-31T16:00', '2026-06-05T16:00', 480])
  })
})

describe('columns of year, month, day and time', () => {
  it.each([
    [60, 'Year,Month,Day,Hour', (day: number, minutes: number) => `2026,6,${day},${minutes / 60}`],
    [60, '年,月,日,時', (day: number, minutes: number) => `115,6,${day},${minutes / 60 + 1}`],
    [
      15,
      'Jahr,Monat,Tag,Stunde,Minute',
      (day: number, minutes: number) => `2026,6,${day},${Math.floor(minutes / 60)},${minutes % 60}`,
    ],
    [
      30,
      'Date,Hour,Minute',
      (day: number, minutes: number) => `2026-06-0${day},${Math.floor(minutes / 60)},${minutes % 60}`,
    ],
    [1_440, 'Year,Month,Day', (day: number) => `2026,6,${day}`],
  ])('are one time: %i minutes, %s', (step, heading, cells) => {
    const reading = meaning(fileOf({ step, heading }, cells))
    expect(spanOf(reading)).toEqual(['2026-05-31T16:00', '2026-06-03T16:00', (3 * DAY_MINUTES) / step])
  })

  it('are no figures if another column has dates', () => {
    const file = fileOf(
      { heading: 'Year,Month,Day,Time' },
      (day, minutes) => `2026,6,${day},2026-06-0${day} ${clockOf(minutes)}`,
    )
    expect(spanOf(meaning(file))).toEqual(['2026-05-31T16:00', '2026-06-03T16:00', 144])
  })
})

describe('figures', () => {
  const days = (values: readonly string[]) =>
    `Date,Usage (kWh)\n${values.map((value, at) => `2026-06-${two(at + 1)},${value}`).join('\n')}\n`
  it('are asked if a point may group thousands, also where commas separate the cells', () => {
    expect(asked(meaning(days(['1.234', '987', '1.018', '1.377'])))).toEqual(['decimal'])
    expect(asked(meaning(days(['1.234', '0.987', '1.018', '987'])))).toEqual([])
    expect(fact(meaning(days(['1.234', '0', '1.018', '1.377'])), 'decimal')).toEqual(['.', 'derived'])
  })

  it('may have groups of two digits above the thousands', () => {
    const values = ['"87,401.46"', '"1,00,778.29"', '"94,054.87"', '"12,34,567.5"']
    expect(rowsOf(meaning(days(values))).values).toEqual([87_401.46, 100_778.29, 94_054.87, 1_234_567.5])
    expect(parseNumber('1,00,77', '.')).toBeUndefined()
  })
})

describe('a file that ends early', () => {
  const lines = (value: (at: number) => string) =>
    fileOf({ step: 60, value }, (day, minutes) => `2026-06-0${day} ${clockOf(minutes)}`).trim()
  it('loses the row whose number has fewer decimals than all others, or which has fewer cells', () => {
    for (const cut of [lines(energyAt).slice(0, -3), lines((at) => `${energyAt(at)},x`).slice(0, -3)]) {
      const rows = rowsOf(meaning(cut))
      expect(rows.values).toHaveLength(71)
      expect(rows.problems).toMatchObject([{ line: 73, reason: 'cutOff' }])
    }
  })

  it('keeps the row if the line ends, or others have as few decimals', () => {
    const cut = lines(energyAt).slice(0, -3)
    expect(rowsOf(meaning(`${cut}\n`)).values).toHaveLength(72)
    expect(rowsOf(meaning(lines((at) => String(Number(energyAt(at)) * 4)))).values).toHaveLength(72)
    expect(rowsOf(meaning(lines(energyAt))).values).toHaveLength(72)
  })
})

it.each([
  [
    'shift_jis',
    '計測日時,0:00～0:30,使用量(kWh)',
    '8c7691aa93fa8e9e2c303a30308160303a33302c8e67977097ca286b576829',
  ],
  ['gb18030', '时间,用电量(kWh)', 'cab1bce42cd3c3b5e7c1bf286b576829'],
  ['gb18030', '电量', 'b5e7c1bf'],
  ['euc-kr', '일시,사용량(kWh)', 'c0cfbdc32cbbe7bfebb7ae286b576829'],
  ['windows-1252', 'Zählerstand;Größe m³', '5ae4686c65727374616e643b4772f6df65206db3'],
  ['big5', '鑫淼企業,用電量(度)', 'f8cad9e7a5f8b77e2ca5ceb971b67128abd729'],
])('reads %s: %s', (encoding, text, hex) => {
  expect(decodeText(Uint8Array.from(Buffer.from(hex, 'hex')))).toEqual({ encoding, text })
})

describe('two values of one time', () => {
  const file = (...extra: readonly string[]) => {
    const lines = fileOf(
      { days: 1, step: 60, value: (at) => `${energyAt(at)},Actual` },
      (day, minutes) => `2026-06-0${day} ${clockOf(minutes)}`,
    )
    const [head, first, ...rest] = lines.trim().split('\n')
    return [`${head},Read type`, ...extra, first, ...rest].join('\n')
  }
  it('are one if an actual value replaces an estimate', () => {
    const rows = rowsOf(meaning(file('2026-06-01 00:00,99.25,Estimated')))
    expect([rows.values.length, rows.values[0]]).toEqual([24, 10.25])
    expect(rows.problems).toMatchObject([{ line: 2, reason: 'replaced' }])
  })

  it('are both rejected if nothing says which is right', () => {
    for (const quality of ['Actual', '']) {
      const rows = rowsOf(meaning(file(`2026-06-01 00:00,99.25,${quality}`)))
      expect(rows.values).toHaveLength(23)
      expect(rows.problems.map(({ reason }) => reason)).toEqual(['duplicate', 'duplicate'])
    }
  })
})
