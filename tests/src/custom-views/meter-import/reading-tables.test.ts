import { describe, expect, it } from 'vitest'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'
import type { ReadingContext } from '../../../../src/custom-views/meter-import/reading/facts.ts'
import { toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import { type Reading, readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'

const ONE = [{ uid: 'm1', name: '1F 總電表' }]
const NOW = Date.parse('2026-11-01T00:00:00Z')

const read = (text: string, context: Partial<ReadingContext> = {}, answers: ReadingAnswers = {}) =>
  readMeaning(
    readText(new TextEncoder().encode(text)),
    { meters: ONE, zone: 'Asia/Taipei', now: NOW, ...context },
    answers,
  )
function meaning(text: string, context?: Partial<ReadingContext>, answers?: ReadingAnswers): Reading {
  const reading = read(text, context, answers)
  if ('refused' in reading) throw new Error(`Refused: ${reading.refused} ${reading.text}`)
  return reading
}
const refusal = (text: string) => {
  const reading = read(text)
  return 'refused' in reading ? [reading.refused, reading.text] : undefined
}
/** Rows and energy of each series. */
function energies(reading: Reading) {
  const rows = toImportRows(
    reading,
    reading.series.map((_, at) => `s${at}`),
    NOW,
  )
  return reading.series.map(({ name }, at) => {
    const values = rows.values.filter((_, row) => rows.uids[rows.meters[row] as number] === `s${at}`)
    return [name, values.length, Math.round(values.reduce((sum, value) => sum + value, 0) * 1e6) / 1e6]
  })
}
const uids = ({ series }: Reading) => series.map(({ uid }) => uid)
const asked = ({ questions }: Reading) => questions.map(({ fact }) => fact)
const ignored = ({ layout }: Reading) => layout.ignored.map(({ heading, reason }) => [heading, reason])
const reasons = (reading: Reading) => [
  ...new Set(
    toImportRows(
      reading,
      reading.series.map((_, at) => `s${at}`),
      NOW,
    ).problems.map(({ reason }) => reason),
  ),
]

const two = (number: number) => String(number).padStart(2, '0')
const START = Date.UTC(2026, 5, 1)
/** Time of an interval since 2026-06-01 00:00. */
const time = (at: number, minutes = 60) =>
  new Date(START + at * minutes * 60_000).toISOString().slice(0, 16).replace('T', ' ')
const day = (at: number) => time(at, 1_440).slice(0, 10)
/** Lines of hours, with the cells of each. */
const hours = (count: number, cells: (at: number) => string, from = 0) =>
  Array.from({ length: count }, (_, at) => `${time(from + at)},${cells(from + at)}`).join('\n')
/** Figure that varies by the hour, and never looks like a counter. */
const figure = (at: number) => 2 + ((at * 7) % 5)
const sumOf = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => figure(from + at)).reduce((sum, each) => sum + each, 0)

describe('the body of a table', () => {
  it('begins with the first dated line, although most meters have no figures yet', () => {
    const lines = hours(60, (at) => (at < 24 ? `${figure(at)},,,` : `${figure(at)},1,1,1`))
    const reading = meaning(`Time,A (kWh),B (kWh),C (kWh),D (kWh)\n${lines}`)
    expect(energies(reading)[0]).toEqual(['A (kWh)', 60, sumOf(60)])
  })

  it('does not begin in the title, whose dates a heading separates from it', () => {
    const lines = hours(30, (at) => `${figure(at)},1,1`)
    const reading = meaning(`2026-05-01,5,,\nTime,A (kWh),B (kWh),C (kWh)\n${lines}`)
    expect(energies(reading)[0]).toEqual(['A (kWh)', 30, sumOf(30)])
  })

  it.each(['A (kWh),EV (kWh)', 'A,EV'])('has columns that have figures in a few lines only: %s', (heads) => {
    const lines = hours(3_000, (at) => `${figure(at)},${at >= 900 && at < 1_000 ? 1.5 : ''}`)
    const reading = meaning(`Time,${heads}\n${lines}`, {}, { unit: 'kWh' })
    expect(energies(reading)[1]).toEqual([heads.split(',')[1], 100, 150])
    expect(uids(reading)).toEqual([null, null])
  })

  it.each([
    ['A (kWh),Chiller (kWh)', 3],
    ['A,Chiller', 3],
    ['A (kWh),Chiller (kWh)', 2],
  ])('has columns with many faults, each of which is listed: %s', (heads, share) => {
    const lines = hours(48, (at) => `${figure(at)},${at % share === 0 ? 'Bad Input' : 2}`)
    const reading = meaning(`Unit: kWh\nTime,${heads}\n${lines}`)
    expect(energies(reading)[1]).toEqual([heads.split(',')[1], 48 - 48 / share, 2 * (48 - 48 / share)])
    expect(reasons(reading)).toEqual(['notNumber'])
    expect(uids(reading)).toEqual([null, null])
  })
})

describe('sums of other rows', () => {
  const days = (line: (at: number, lines: string) => string) =>
    [0, 1, 2]
      .map((at) =>
        line(
          at,
          hours(24, (hour) => String(figure(hour)), at * 24),
        ),
      )
      .join('\n')
  const sumOfDay = (at: number) => sumOf(24, at * 24)

  it.each([
    ['above their rows', (at: number, lines: string) => `${day(at)},${sumOfDay(at)}\n${lines}`],
    ['below their rows', (at: number, lines: string) => `${lines}\n${day(at)},${sumOfDay(at)}`],
    [
      'at the time of the first row',
      (at: number, lines: string) => `${time(at * 24)},${sumOfDay(at)}\n${lines}`,
    ],
    [
      'at the time of the last row',
      (at: number, lines: string) => `${lines}\n${time(at * 24 + 23)},${sumOfDay(at)}`,
    ],
  ])('are listed, and not read: %s', (_, line) => {
    const reading = meaning(`Time,Usage (kWh)\n${days(line)}`)
    expect(energies(reading)).toEqual([['Usage (kWh)', 72, sumOf(72)]])
    expect(reasons(reading)).toEqual(['summary'])
  })

  it.each(['本週合計', '小計', 'Total', 'Weekly total', 'Wochensumme', 'Total for the week'])(
    'are named by a text of their row: %s',
    (text) => {
      const lines = Array.from({ length: 28 }, (_, at) => {
        const sum = at % 7 === 0 ? [`${day(at)},${text},99`] : []
        return [...sum, `${day(at)},,${figure(at)}`].join('\n')
      })
      const reading = meaning(`日期,說明,用電量(kWh)\n${lines.join('\n')}`)
      expect(energies(reading)).toEqual([['用電量(kWh)', 28, sumOf(28)]])
      expect(reasons(reading)).toEqual(['summary'])
    },
  )

  it('are dates alone that have the sum of their day, also without a row of midnight', () => {
    const lines = [0, 1, 2].map((at) => {
      const from = at * 24 + 6
      return `${day(at)},${sumOf(12, from)}\n${hours(12, (hour) => String(figure(hour)), from)}`
    })
    const reading = meaning(`Time,Usage (kWh)\n${lines.join('\n')}`)
    expect(energies(reading)).toEqual([['Usage (kWh)', 36, sumOf(12, 6) + sumOf(12, 30) + sumOf(12, 54)]])
  })

  it('are none if midnight is written as a date alone', () => {
    const lines = Array.from(
      { length: 72 },
      (_, at) => `${time(at).replace(' 00:00', '')},${figure(at)}`,
    ).join('\n')
    expect(energies(meaning(`Time,Usage (kWh)\n${lines}`))).toEqual([['Usage (kWh)', 72, sumOf(72)]])
  })

  it.each(['Total loss of supply', '總計電表更換', 'sum checked by hand'])(
    'are none if the text is a remark: %s',
    (text) => {
      const lines = Array.from(
        { length: 14 },
        (_, at) => `${day(at)},${at === 5 ? text : ''},${figure(at)}`,
      ).join('\n')
      expect(energies(meaning(`Date,Event,Usage kWh\n${lines}`))).toEqual([['Usage kWh', 14, sumOf(14)]])
    },
  )

  it('are none if every row says so, or if the text names a meter', () => {
    const lines = Array.from({ length: 14 }, (_, at) => `${day(at)},${figure(at)},Total`).join('\n')
    expect(energies(meaning(`Date,Usage kWh,Type\n${lines}`))).toEqual([['Usage kWh', 14, sumOf(14)]])
    const meters = Array.from({ length: 14 }, (_, at) => `${day(at)},A,${figure(at)}\n${day(at)},Total,9`)
    expect(energies(meaning(`Date,Meter,kWh\n${meters.join('\n')}`))).toEqual([
      ['A', 14, sumOf(14)],
      ['Total', 14, 126],
    ])
  })
})

describe('several tables in one file', () => {
  const blocks = (first: string, second: string) =>
    `${first}\n${hours(24, (at) => `${figure(at)},1`)}\n${second}\n${hours(24, (at) => `${figure(at)},1`, 24)}`
  const HEAD = 'Time,Import (kWh),Export (kWh)'

  it.each([
    ['other order', HEAD, 'Time,Export (kWh),Import (kWh)', '26'],
    ['other units', HEAD, 'Time,Import (Wh),Export (Wh)', '26'],
    ['one of two lines', 'Time,Import,Export\n,kWh,kWh', 'Time,Export,Import\n,kWh,kWh', '27'],
    ['units without a heading of the time', 'Time,Import,Export\n,kWh,kWh', ',Wh,Wh', '27'],
    ['headings that the first table lacks', '', HEAD, '25'],
  ])('are refused if the second has other headings: %s', (_, first, second, line) => {
    expect(refusal(blocks(first, second).trimStart())).toEqual(['severalTables', line])
  })

  it.each([
    ['Meter: A', 'Meter: B'],
    ['電號：01-1111', '電號：01-2222'],
    ['Meter,1001', 'Meter,1002'],
    ['A棟', 'B棟'],
  ])('are refused if the second has another title: %s and %s', (first, second) => {
    expect(refusal(blocks(`${first}\n${HEAD}`, `${second}\n${HEAD}`))).toEqual(['severalTables', '27'])
  })

  it('are refused if the second has the title of another meter, and no headings', () => {
    expect(refusal(blocks(`Meter: A\n${HEAD}`, 'Meter: B'))).toEqual(['severalTables', '27'])
  })

  it.each([
    ['the same title', 'Meter: A', '\nMeter: A'],
    ['pages', 'Report', 'Page 1 of 2\nReport'],
    ['頁', '用電報表', '第 1 頁 共 2 頁\n用電報表'],
    ['periods', 'Period: 2026-06-01', 'Period: 2026-06-02'],
    ['months', '115年6月', '115年7月'],
  ])('are one if the headings and the title are the same: %s', (_, first, second) => {
    const reading = meaning(blocks(`${first}\n${HEAD}`, `${second}\n${HEAD}`))
    expect(energies(reading)).toEqual([
      ['Import (kWh)', 48, sumOf(48)],
      ['Export (kWh)', 48, 48],
    ])
  })

  it('are one if a unit is below the last row', () => {
    const reading = meaning(`Time,Usage (kWh)\n${hours(24, (at) => String(figure(at)))}\n,unit: Wh\n`)
    expect(energies(reading)).toEqual([['Usage (kWh)', 24, sumOf(24)]])
  })

  it('are one if the same headings of two lines occur again', () => {
    const head = 'Time,Import,Export\n,(kWh),(kWh)'
    const reading = meaning(blocks(head, head))
    expect(energies(reading)[0]).toEqual(['Import (kWh)', 48, sumOf(48)])
    expect(reasons(reading)).toEqual(['repeatedHeading'])
  })

  it('are read if each row names its meter', () => {
    const block = (from: number) => hours(24, (at) => `${at < 24 ? 'A' : 'B'},${figure(at)}`, from)
    const head = 'Time,Meter,Usage (kWh)'
    const reading = meaning(`Meter: A\n${head}\n${block(0)}\nMeter: B\n${head}\n${block(24)}`)
    expect(energies(reading).map(([name]) => name)).toEqual(['A', 'B'])
  })

  const sides = (line: (at: number) => string) => Array.from({ length: 14 }, (_, at) => line(at)).join('\n')
  it.each([
    ['days', '日期,用電量(kWh),,日期,用電量(kWh)', (at: number) => `${day(at)},5,,${day(at + 14)},6`, 'D'],
    [
      'a shorter one',
      'Date,kWh,,Date,kWh',
      (at: number) => (at < 6 ? `${day(at)},5,,${day(at + 14)},6` : `${day(at)},5,,,`),
      'D',
    ],
    [
      'digits',
      'Date,kWh,,Date,kWh',
      (at: number) => `${day(at)},5,,${day(at + 14)},6`.replaceAll('-', ''),
      'D',
    ],
    [
      'a time for each meter',
      'Time,A (kWh),Time,B (kWh)',
      (at: number) => `${time(at)},5,${time(at + 1)},6`,
      'C',
    ],
    [
      'a time of day for each meter',
      'Date,Time,A (kWh),Time,B (kWh)',
      (at: number) => `2026-06-01,${two(at)}:00,5,${two(at + 1)}:00,6`,
      'D',
    ],
    [
      'times of day',
      '日期,時間,kWh,,日期,時間,kWh',
      (at: number) => `2026-06-01,${two(at)}:00,5,,2026-06-02,${two(at)}:00,6`,
      'E',
    ],
  ])('are refused side by side: %s', (_, head, line, column) => {
    expect(refusal(`${head}\n${sides(line)}`)).toEqual(['sideBySide', column])
  })

  it.each([
    [
      'another clock',
      'Local time,UTC time,A (kWh),B (kWh)',
      (at: number) => `${time(at + 8)},${time(at)},1,2`,
    ],
    ['a time of storage', 'ts,A (kWh),stored,B (kWh)', (at: number) => `${time(at)}:00,1,${time(at)}:07,2`],
    ['a date of the bill', 'Date,A (kWh),Billed,Cost (EUR)', (at: number) => `${day(at)},1,2026-07-10,2`],
  ])('are one with a second column of dates: %s', (_, head, line) => {
    expect(energies(meaning(`${head}\n${sides(line)}`))[0]).toEqual(['A (kWh)', 14, 14])
  })

  it('are one with a second time of day, which ends the intervals only if the next ones begin at it', () => {
    const line = (end: number) => (at: number) => `2026-06-01,${two(at)}:00,${two(at + end)}:00,${figure(at)}`
    const [clock, ends] = [8, 1].map((end) => meaning(`Date,Time,Local,Usage (kWh)\n${sides(line(end))}`))
    expect(clock?.raw.ends).toBeUndefined()
    expect(ends?.raw.ends).toBeDefined()
  })
})

describe('headings', () => {
  it.each([
    ['時間,購電,,售電,\n,A,B,A,B', ['購電 A', '購電 B', '售電 A', '售電 B']],
    [',購電,,售電,\n時間,A,B,A,B', ['購電 A', '購電 B', '售電 A', '售電 B']],
    [
      '時間,購電,,,,售電,,,\n,A,B,C,D,A,B,C,D',
      ['A', 'B', 'C', 'D']
        .map((each) => `購電 ${each}`)
        .concat(['A', 'B', 'C', 'D'].map((each) => `售電 ${each}`)),
    ],
  ])('are merged over several columns: %s', (head, names) => {
    const reading = meaning(
      `${head}\n${hours(24, (at) => names.map((_, index) => figure(at + index)).join(','))}`,
      {},
      { unit: 'kWh' },
    )
    expect(reading.series.map(({ name }) => name)).toEqual(names)
    expect(reading.series.map(({ direction }) => direction)).toEqual(
      names.map((name) => (name.startsWith('購') ? 'import' : 'export')),
    )
  })

  it('are not below a title, which is about no column', () => {
    const lines = hours(24, (at) => `${figure(at)},1,1,1,1`)
    const reading = meaning(`Export,ACME,,,,\nTime,A kWh,B kWh,C kWh,D kWh,E kWh\n${lines}`)
    expect(new Set(reading.series.map(({ direction }) => direction))).toEqual(new Set([undefined]))
  })

  it('may begin with a number sign, as those of loggers', () => {
    const lines = Array.from({ length: 700 }, (_, at) => `${at + 1},${time(at)},${figure(at)}`)
    const reading = meaning(
      `"Plot Title: Panel 3"\n#,"Date Time, GMT+08:00","Usage, kWh"\n${lines.join('\n')}`,
    )
    expect(energies(reading)).toEqual([['Usage, kWh', 700, sumOf(700)]])
    expect(reading.zone).toBe('UTC+08:00')
    expect(asked(reading)).toEqual([])
    expect(energies(meaning(`# site\n# Time,Usage kWh\n${hours(24, (at) => String(figure(at)))}`))).toEqual([
      ['Usage kWh', 24, sumOf(24)],
    ])
  })
})

describe('columns', () => {
  it('of power are read if no other column is the energy of their meter', () => {
    const lines = hours(24, (at) => `${figure(at)},4,2`)
    const reading = meaning(`Time,Main (kWh),Chiller (kW),PV (kW)\n${lines}`)
    expect(reading.series.map(({ name, unit, uid }) => [name, unit, uid])).toEqual([
      ['Main (kWh)', 'kWh', null],
      ['Chiller (kW)', 'kW', null],
      ['PV (kW)', 'kW', null],
    ])
  })

  it.each([
    ['Time,Energy (kWh),Power L1 (kW),Power L2 (kW)', 'Power L1 (kW)', 'Power L2 (kW)'],
    ['時間,A棟用電量(kWh),A棟需量(kW),A棟平均功率(kW)', 'A棟需量(kW)', 'A棟平均功率(kW)'],
  ])('of power are left out beside the energy of their meter: %s', (head, ...power) => {
    const reading = meaning(`${head}\n${hours(24, (at) => `${figure(at)},4,2`)}`)
    expect(reading.series).toHaveLength(1)
    expect(ignored(reading)).toEqual(power.map((heading) => [heading, 'alsoAsEnergy']))
  })

  it.each(['Hour', '小時', '時刻', 'Stunde'])(
    'of hours without the night are hours of the clock: %s',
    (head) => {
      const lines = Array.from(
        { length: 5 * 13 },
        (_, at) => `${day(Math.floor(at / 13))},${6 + (at % 13)},${figure(at)}`,
      )
      const text = `Date,${head},Usage (kWh)\n${lines.join('\n')}`
      const reading = meaning(text)
      expect(asked(reading)).toEqual(['stamp'])
      const first = (stamp: string) =>
        Math.min(...toImportRows(meaning(text, {}, { stamp }), ['m1'], NOW).timestamps)
      expect(new Date(first('begin')).toISOString()).toBe('2026-05-31T22:00:00.000Z')
      expect(new Date(first('end')).toISOString()).toBe('2026-05-31T21:00:00.000Z')
    },
  )

  it.each([24, 48, 96])('number the %i intervals of each day, whatever their heading', (count) => {
    const lines = Array.from(
      { length: 3 * count },
      (_, at) => `${day(Math.floor(at / count))},${1 + (at % count)},${figure(at)}`,
    )
    const reading = meaning(`計量日,時刻コード,電力量(kWh)\n${lines.join('\n')}`)
    expect(energies(reading)).toEqual([['電力量(kWh)', 3 * count, sumOf(3 * count)]])
    expect(reading.series[0]?.step).toBe((1_440 / count) * 60_000)
  })

  it('number settlement periods, also without those of the night', () => {
    const lines = Array.from(
      { length: 5 * 20 },
      (_, at) => `${day(Math.floor(at / 20))},${15 + (at % 20)},${figure(at)}`,
    )
    const reading = meaning(`Date,Settlement Period,Usage kWh\n${lines.join('\n')}`, {}, { stamp: 'begin' })
    const { timestamps } = toImportRows(reading, ['m1'], NOW)
    expect(new Date(Math.min(...timestamps)).toISOString()).toBe('2026-05-31T23:00:00.000Z')
    expect(energies(reading)).toEqual([['Usage kWh', 100, sumOf(100)]])
  })

  it('of codes are no directions if one of the codes is none', () => {
    const lines = hours(48, (at) => `${figure(at)},${at % 8 === 0 ? 'A' : 'E'}`)
    const reading = meaning(`Time,Usage kWh,Code\n${lines}`)
    expect(energies(reading)).toEqual([['Usage kWh', 48, sumOf(48)]])
    expect(uids(reading)).toEqual(['m1'])
  })

  it.each(['Building', '樓層', 'Zone'])('of a few numbers at each time name the meters: %s', (head) => {
    const lines = hours(24, (at) => `1,${figure(at)}\n${time(at)},2,3\n${time(at)},5,4`)
    const reading = meaning(`Time,${head},Usage kWh\n${lines}`)
    expect(energies(reading)).toEqual([
      ['1', 24, sumOf(24)],
      ['2', 24, 72],
      ['5', 24, 96],
    ])
    expect(asked(reading)).toEqual([])
  })

  it.each([
    ['Hour', (at: number) => at % 24],
    ['Weekday', (at: number) => 1 + (Math.floor(at / 24) % 7)],
    ['年', () => 115],
    ['Duration', () => 60],
  ])('that repeat a part of the time are no energy: %s', (head, value) => {
    const reading = meaning(`Time,${head},Usage kWh\n${hours(24 * 14, (at) => `${value(at)},${figure(at)}`)}`)
    expect(reading.series.map(({ name, uid }) => [name, uid])).toEqual([['Usage kWh', 'm1']])
    expect(ignored(reading)).toEqual([[head, 'otherColumn']])
    expect(asked(reading)).toEqual([])
  })

  it('of months are the times of a table with a line for each meter', () => {
    const months = Array.from({ length: 10 }, (_, at) => `2026/${two(at + 1)}`).join(',')
    const line = (from: number) => Array.from({ length: 10 }, (_, at) => from + figure(at)).join(',')
    const reading = meaning(`電表,${months}\nA棟,${line(300)}\nB棟,${line(500)}`, {}, { unit: 'kWh' })
    expect(energies(reading)).toEqual([
      ['A棟', 10, 3_000 + sumOf(10)],
      ['B棟', 10, 5_000 + sumOf(10)],
    ])
    expect(reading.series[0]?.step).toBe('month')
  })
})

describe('figures with the comma that separates the cells', () => {
  it('are refused if all have one', () => {
    expect(refusal(`Zeit,Verbrauch kWh\n${hours(24, (at) => `23,${at % 10}`)}`)).toEqual(['moreCells', '2'])
  })

  it('are listed if some have one, and not read', () => {
    const reading = meaning(`Time,Usage (kWh)\n${hours(48, (at) => (at % 4 === 0 ? '1,017.6' : '643.5'))}`)
    expect(energies(reading)).toEqual([['Usage (kWh)', 36, 36 * 643.5]])
    expect(reasons(reading)).toEqual(['moreCells'])
  })

  it('are listed if an empty column follows them, or no headings are above', () => {
    const value = (at: number) => (at % 4 === 0 ? '1,017' : '643')
    const empty = meaning(`Time,A (kWh),B (kWh)\n${hours(48, (at) => `${value(at)},`)}`)
    expect(energies(empty)).toEqual([['A (kWh)', 36, 36 * 643]])
    const bare = meaning(hours(48, value), {}, { unit: 'kWh', stamp: 'begin' })
    expect(energies(bare)[0]?.slice(1)).toEqual([36, 36 * 643])
  })

  it('are none if lines end in a comma or a remark', () => {
    const lines = hours(24, (at) => `${figure(at)},${at === 7 ? 'checked, ok' : ''}`)
    expect(energies(meaning(`Time,Usage (kWh)\n${lines}`))).toEqual([['Usage (kWh)', 24, sumOf(24)]])
  })
})

describe('merged dates', () => {
  it('hold for the lines of the other meters below', () => {
    const lines = Array.from({ length: 10 }, (_, at) => `${day(at)},A棟,${figure(at)}\n,B棟,2\n,C棟,3`)
    const reading = meaning(`日期,建物,用電量(kWh)\n${lines.join('\n')}`)
    expect(energies(reading)).toEqual([
      ['A棟', 10, sumOf(10)],
      ['B棟', 10, 20],
      ['C棟', 10, 30],
    ])
  })

  it('do not hold for a second line of the same meter, nor in a file where a few dates are missing', () => {
    const merged = Array.from({ length: 10 }, (_, at) => `${day(at)},A,${figure(at)}\n,B,2\n,B,3`)
    expect(energies(meaning(`Date,Meter,kWh\n${merged.join('\n')}`))[1]).toEqual(['B', 10, 20])
    const missing = Array.from(
      { length: 20 },
      (_, at) => `${day(at)},A,${figure(at)}\n${at === 5 ? '' : day(at)},B,2`,
    )
    const reading = meaning(`Date,Meter,kWh\n${missing.join('\n')}`)
    expect(energies(reading)[1]).toEqual(['B', 19, 38])
    expect(reasons(reading)).toEqual(['empty'])
  })
})

describe('merged names of meters', () => {
  it.each(['電表', '建物'])('hold for the lines below, whose times begin again: %s', (head) => {
    const block = (name: string, from: number) =>
      Array.from({ length: 14 }, (_, at) => `${at === 0 ? name : ''},${day(at)},${figure(at + from)}`).join(
        '\n',
      )
    const reading = meaning(`${head},日期,用電量(kWh)\n${block('A棟', 0)}\n${block('B棟', 14)}`)
    expect(energies(reading)).toEqual([
      ['A棟', 14, sumOf(14)],
      ['B棟', 14, sumOf(14, 14)],
    ])
  })
})

describe('a unit that changes', () => {
  it('is converted in each line, so that the meter stays one', () => {
    const lines = hours(48, (at) => (at < 24 ? `${figure(at)},kWh` : `${figure(at) * 1000},Wh`))
    const reading = meaning(`Time,Value,Unit\n${lines}`)
    expect(energies(reading)).toEqual([['Value', 48, sumOf(48)]])
    expect(uids(reading)).toEqual(['m1'])
  })

  it('is that of another register if other words are beside it', () => {
    const lines = hours(24, (at) => `M,${figure(at)},kWh Del\n${time(at)},M,1,kWh Rec`)
    expect(energies(meaning(`Time,Meter,Value,Unit\n${lines}`))).toEqual([
      ['M', 24, sumOf(24)],
      ['M', 24, 24],
    ])
  })
})

describe('columns that name a meter together', () => {
  /** A line for each of these names at each hour. */
  const long = (heading: string, names: readonly string[], count = 24) =>
    `${heading}\n${hours(count, (at) => names.map((name, place) => `${name},${figure(at) + place}`).join(`\n${time(at)},`))}`
  const namesOf = (text: string) => energies(meaning(text)).map(([name, rows]) => [name, rows])

  it.each([
    ['Time,Building,Circuit,kWh', ['A,Light', 'A,AC', 'B,AC'], ['A Light', 'A AC', 'B AC']],
    ['Time,Meter,Phase,kWh', ['M1,L1', 'M1,L2', 'M2,L1', 'M2,L2'], ['M1 L1', 'M1 L2', 'M2 L1', 'M2 L2']],
    ['時間,電表,迴路,用電量(kWh)', ['1F,1', '1F,2', '2F,1', '2F,2'], ['1F 1', '1F 2', '2F 1', '2F 2']],
    ['Time,Name,Floor,kWh', ['energy,1F', 'energy,2F'], ['1F', '2F']],
  ])('are read as one name: %s', (heading, names, expected) => {
    expect(namesOf(long(heading, names))).toEqual(expected.map((name) => [name, 24]))
  })

  it('are found in a file with one meter after the other, too', () => {
    const of = (names: string) => hours(900, (at) => `${names},${figure(at)}`)
    const text = `Time,Building,Circuit,kWh\n${['A,Light', 'A,AC', 'B,AC'].map(of).join('\n')}`
    expect(namesOf(text)).toEqual([
      ['A Light', 900],
      ['A AC', 900],
      ['B AC', 900],
    ])
  })

  it.each([
    ['Time,Meter,Type,kWh', ['M1,Actual', 'M1,Estimated']],
    ['Time,Meter,Weather,kWh', ['M1,sunny', 'M2,sunny']],
  ])('are not a column of something else: %s', (heading, names) => {
    expect(new Set(namesOf(long(heading, names)).map(([name]) => name))).toEqual(
      new Set(names.map((name) => name.split(',')[0])),
    )
  })
})

describe('the meter of a series', () => {
  const columns = (head: string, cells = '1,2,3') => {
    const count = head.split(',').length - 1
    return `${head}\n${hours(24, (at) => [figure(at), ...cells.split(',')].slice(0, count).join(','))}`
  }
  it.each([
    ['Time,Import (kWh),Export (kWh)', ['m1', 'm1.return']],
    ['Time,Consumption (kWh),Import (kWh),Export (kWh)', [null, null, null]],
    ['Time,Consumption (kWh),Feed-in (kWh)', [null, null]],
    ['Time,PV production (kWh),Feed-in (kWh)', [null, null]],
    ['Time,Solar generation (kWh),Grid import (kWh)', [null, null]],
    ['Time,Usage (kWh)', ['m1']],
    ['Time,Feed-in (kWh)', [null]],
    ['時間,發電量(kWh)', [null]],
  ])("is the site's only one if the file has its use, or its two directions: %s", (head, expected) => {
    expect(uids(meaning(columns(head)))).toEqual(expected)
  })

  it('is that of the page, also for what a plant generates, but not for what is only returned', () => {
    expect(uids(meaning(columns('時間,發電量(kWh)'), { meter: 'm1' }))).toEqual(['m1'])
    expect(uids(meaning(columns('時間,餘電(kWh)'), { meter: 'm1' }))).toEqual([null])
  })

  it('is none if two series would be the same meter, such as its use and its net energy', () => {
    const lines = hours(24, (at) => `m1,${figure(at)},1,2`)
    expect(uids(meaning(`Time,Meter,Consumption kWh,Generation kWh,Net kWh\n${lines}`))).toEqual([
      null,
      null,
      null,
    ])
  })

  it('is not that of its power if the file has its energy', () => {
    const lines = hours(24, (at) => `m1,${figure(at)},kWh\n${time(at)},m1,4,kW`)
    expect(uids(meaning(`Time,Meter,Value,Unit\n${lines}`))).toEqual(['m1', null])
  })

  it('returns energy if the file says so, also without its use', () => {
    const lines = hours(24, (at) => `m1,${figure(at)},export`)
    expect(uids(meaning(`Time,Meter,Usage kWh,Direction\n${lines}`))).toEqual(['m1.return'])
  })
})

describe('a running total in addition to the energy of each day', () => {
  const total = (from: number, at: number) => from + sumOf(at + 1)
  const daysOf = (cells: (at: number) => string) =>
    Array.from({ length: 40 }, (_, at) => `${day(at)},${cells(at)}`).join('\n')

  it.each([
    ['Date,Consumption (kWh),Month to date (kWh)', 0],
    ['日期,用電量(度),本月累計(度)', 0],
    ['Datum,Verbrauch (kWh),Monat kumuliert (kWh)', 0],
    ['日期,用電量(度),電表讀數', 8_000],
    ['Date,Usage (kWh),Meter reading (kWh)', 8_000],
  ])('is not read, and needs no unit: %s', (heading, from) => {
    const reading = meaning(`${heading}\n${daysOf((at) => `${figure(at)},${total(from, at)}`)}`)
    const [, energy = '', running = ''] = heading.split(',')
    expect(energies(reading)).toEqual([[energy, 40, sumOf(40)]])
    expect(ignored(reading)).toEqual([[running, 'runningTotal']])
    expect(asked(reading)).toEqual([])
  })

  it('of yesterday and of today are both not read', () => {
    const rows = daysOf((at) => `${total(800, at)},${total(800, at - 1)},${figure(at)}`)
    expect(energies(meaning(`日期,今日讀數(度),昨日讀數(度),用電量(度)\n${rows}`))).toEqual([
      ['用電量(度)', 40, sumOf(40)],
    ])
  })

  it('is recognized by the decimal mark of both columns', () => {
    const rows = daysOf(
      (at) => `${figure(at)}.111;${(total(0, at) * 1_000 + 111 * (at + 1)).toLocaleString('de')}`,
    )
    const text = `Datum;Bezug (Wh);Monat kumuliert (Wh)\n${rows.replaceAll(',', ';')}`
    expect(ignored(meaning(text))).toEqual([['Monat kumuliert (Wh)', 'runningTotal']])
  })

  it('of the day is not read beside the energy of each hour', () => {
    const rows = hours(96, (at) => `${figure(at)},${sumOf((at % 24) + 1, at - (at % 24))}`)
    const reading = meaning(`時間,用電量(kWh),今日累計(kWh)\n${rows}`)
    expect(energies(reading)).toEqual([['用電量(kWh)', 96, sumOf(96)]])
    expect(asked(reading)).toEqual([])
  })

  it('is read if it is a counter with times of day, which needs no length of intervals', () => {
    const rows = hours(40, (at) => `${figure(at)},${total(8_000, at)}`)
    const reading = meaning(`Time,Usage (kWh),Counter (kWh)\n${rows}`)
    expect([reading.kind, ignored(reading)]).toEqual(['counter', [['Usage (kWh)', 'alsoAsCounter']]])
  })
})

describe('figures that may be the serial dates of a spreadsheet', () => {
  const readings = hours(40, (at) => `${45_000 + sumOf(at + 1)},${5_000 + sumOf(at + 1)}`)

  it.each([
    'Time,Chiller-1 reading (kWh),Chiller-2 reading (kWh)',
    '電號,07-12-3456-78-9\nTime,A 累計電量(kWh),B 累計電量(kWh)',
    'Export date,2026-06-20\nTime,1-0:1.8.0 (kWh),2-0:1.8.0 (kWh)',
  ])('are figures, also below a text with a mark: %s', (head) => {
    const reading = meaning(`${head}\n${readings}`)
    expect([reading.kind, reading.series.map(({ rows }) => rows)]).toEqual(['counter', [40, 40]])
  })
})

describe('lines and columns in addition to the figures', () => {
  it('of a bill may count its days', () => {
    const lines = Array.from({ length: 12 }, (_, at) => {
      const last = new Date(Date.UTC(2025, at + 1, 0))
      const month = last.toISOString().slice(0, 7)
      return `${month}-01,${month}-${last.getUTCDate()},${last.getUTCDate()},${figure(at) * 1_000}`
    })
    const reading = meaning(`From,To,Days,Usage (kWh)\n${lines.join('\n')}`)
    expect([energies(reading), asked(reading)]).toEqual([[['Usage (kWh)', 12, sumOf(12) * 1_000]], []])
  })

  it('may name the quantity of each line, of which the energy is read', () => {
    const lines = hours(24, (at) => `MDB1,energy,${figure(at)},kWh\n${time(at)},MDB1,voltage,380.5,V`)
    const reading = meaning(`timestamp,device,measurement,value,unit\n${lines}`)
    expect([energies(reading), asked(reading)]).toEqual([[['MDB1', 24, sumOf(24)]], []])
  })

  it('may be the date on which the table was printed', () => {
    const reading = meaning(
      `日期時間,用電量(kWh)\n${hours(24, (at) => String(figure(at)))}\n列印日期,2026/06/10 09:00`,
    )
    expect(energies(reading)).toEqual([['用電量(kWh)', 24, sumOf(24)]])
  })

  it.each([
    '電気料金(円)',
    '力率',
    'Leistungsfaktor',
    'Maximalleistung (kW)',
    'Piekvermogen (kW)',
    '契約容量 (kW)',
    'Puissance moyenne (kW)',
    'Gemiddeld vermogen (kW)',
    'kW/RT',
    'Forecast (kWh)',
    '去年同期 (kWh)',
    'Gas (kWh)',
    'Wärme (kWh)',
    '碳排放量',
    'Verano/Invierno',
  ])('are no energy: %s', (heading) => {
    const reading = meaning(
      `Time,Consumption (kWh),${heading}\n${hours(48, (at) => `${figure(at)},${(at % 4) / 2}`)}`,
    )
    expect([energies(reading), asked(reading)]).toEqual([[['Consumption (kWh)', 48, sumOf(48)]], []])
  })

  it.each(['Maxwell lab (kWh)', 'Target hall (kWh)', 'Piek street (kWh)', 'Contract office (kWh)'])(
    'may have such words in the name of a meter: %s',
    (heading) => {
      const reading = meaning(`Time,${heading}\n${hours(24, (at) => String(figure(at)))}`)
      expect(energies(reading)).toEqual([[heading, 24, sumOf(24)]])
    },
  )
})

describe('hours in lines below days', () => {
  it('are the hours of these days', () => {
    const lines = Array.from({ length: 24 }, (_, hour) =>
      [`${two(hour)}:00`, ...Array.from({ length: 5 }, (__, at) => figure(hour + at))].join(','),
    )
    const head = ['時間', ...Array.from({ length: 5 }, (_, at) => day(at))].join(',')
    const reading = meaning(`單位:度\n${head}\n${lines.join('\n')}`)
    const sum = Array.from({ length: 5 }, (_, at) => sumOf(24, at)).reduce((all, each) => all + each, 0)
    expect(energies(reading).map(([, ...rest]) => rest)).toEqual([[120, sum]])
  })
})

describe('columns of year and month', () => {
  const months = (year: number, name: (month: number) => string) =>
    Array.from({ length: 12 }, (_, at) => `${year},${name(at + 1)},${figure(at)}`).join('\n')

  it.each([
    ['Year,Month,Usage (kWh)', 2025, String],
    ['年度,月份,用電度數', 114, String],
    [
      'Year,Month,Usage (kWh)',
      2025,
      (month: number) => new Date(2025, month - 1).toLocaleString('en', { month: 'long' }),
    ],
  ])('are the months: %s, %i', (heading, year, name) => {
    const reading = meaning(`${heading}\n${months(year, name)}`)
    expect(energies(reading)).toEqual([[heading.split(',')[2], 12, sumOf(12)]])
    expect(new Date(reading.instants[0] as number).toISOString()).toBe('2024-12-31T16:00:00.000Z')
  })

  it.each([
    ['Zähler;01/2025;02/2025;03/2025;04/2025;05/2025', ';'],
    ['Meter,Jan 2025,Feb 2025,Mar 2025,Apr 2025,May 2025', ','],
  ])('may be a line of months: %s', (heading, mark) => {
    const lineOf = (name: string, first: number) =>
      [name, ...Array.from({ length: 5 }, (_, at) => figure(at + first))].join(mark)
    const reading = meaning(`${heading}\n${lineOf('Main (kWh)', 0)}\n${lineOf('HVAC (kWh)', 1)}`)
    expect(energies(reading)).toEqual([
      ['Main (kWh)', 5, sumOf(5)],
      ['HVAC (kWh)', 5, sumOf(5, 1)],
    ])
  })
})

describe('negative figures', () => {
  const solar = (at: number) => Math.max(0, 6 - Math.abs((at % 24) - 12))

  it('of returned energy lose their sign if none is positive', () => {
    const reading = meaning(
      `Time,Import (kWh),Export (kWh)\n${hours(48, (at) => `${figure(at)},${-solar(at)}`)}`,
    )
    expect(energies(reading)).toEqual([
      ['Import (kWh)', 48, sumOf(48)],
      ['Export (kWh)', 48, 72],
    ])
    expect(uids(reading)).toEqual(['m1', 'm1.return'])
  })

  it('of a net column are the other direction, and the user chooses the meters', () => {
    const reading = meaning(`Time,Net (kWh)\n${hours(48, (at) => String(5.5 - 2 * solar(at)))}`)
    expect(reading.series.map(({ name, direction, uid }) => [name, direction, uid])).toEqual([
      ['Net (kWh) · +', 'import', null],
      ['Net (kWh) · −', 'export', null],
    ])
    const all = Array.from({ length: 48 }, (_, at) => 5.5 - 2 * solar(at))
    const sum = (sign: number) => all.filter((each) => each * sign > 0).reduce((a, b) => a + b * sign, 0)
    expect(energies(reading).map(([, , kWh]) => kWh)).toEqual([sum(1), sum(-1)])
  })

  it.each(['Import (kWh)', 'Solar generation (kWh)'])(
    'of a column that states one direction leave nothing to read: %s',
    (heading) => {
      const lines = hours(48, (at) => String(5.5 - 2 * solar(at)))
      expect(refusal(`Time,${heading}\n${lines}`)).toEqual(['notEnergy', heading])
      const reading = meaning(
        `Time,${heading},Usage (kWh)\n${hours(48, (at) => `${5.5 - 2 * solar(at)},1.5`)}`,
      )
      expect(energies(reading)).toEqual([['Usage (kWh)', 48, 72]])
      expect(reading.facts.filter(({ Fact }) => Fact === 'ignored')).toMatchObject([
        { Value: 'bothSigns', Column: heading },
      ])
    },
  )

  it('are listed if they are few, small or always the same', () => {
    const standby = hours(48, (at) => String(solar(at) || -0.01 * (1 + (at % 4))))
    const missing = hours(48, (at) => (at % 8 === 0 ? '-9999' : '2.5'))
    for (const lines of [standby, missing]) {
      const reading = meaning(`Time,PV (kWh)\n${lines}`)
      expect(reading.series).toHaveLength(1)
      expect(reasons(reading)).toEqual(['negative'])
    }
  })
})

describe('sheets of months', () => {
  it('are no column of the file that is left out', () => {
    const days = Array.from({ length: 60 }, (_, at) =>
      new Date(Date.UTC(2026, 2, 1 + at)).toISOString().slice(0, 10),
    )
    const text = days.map((day, at) => `${day},${10 + (at % 7)}.5,${at < 31 ? '3月' : '4月'}`).join('\n')
    const file = readText(new TextEncoder().encode(`Date,Usage (kWh),Sheet\n${text}\n`))
    const sheetOf = ['3月', ...days.map((_, at) => (at < 31 ? '3月' : '4月'))]
    const reading = readMeaning(
      { ...file, joined: { column: 2, sheetOf } },
      { meters: ONE, zone: 'Asia/Taipei', now: NOW },
      {},
    )
    if ('refused' in reading) throw new Error(reading.refused)
    expect(energies(reading).map(([, rows]) => rows)).toEqual([60])
    expect(reading.facts.filter(({ Fact }) => Fact === 'ignored')).toEqual([])
  })
})
