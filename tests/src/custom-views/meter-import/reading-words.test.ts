import { describe, expect, it } from 'vitest'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import type { ReadingContext } from '../../../../src/custom-views/meter-import/reading/facts.ts'
import {
  measureOf,
  multiplierOf,
  readHeading,
  stampOf,
} from '../../../../src/custom-views/meter-import/reading/headings.ts'
import { toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import { type Reading, readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'
import { zonesOf } from '../../../../src/custom-views/meter-import/reading/zone-words.ts'
import { readText } from '../../../../src/lib/spreadsheet/grid.ts'

const ZONE = 'Asia/Taipei'
const NOW = Date.parse('2026-11-01T00:00:00Z')
const ONE = [{ uid: 'm1', name: 'Main meter' }]

const read = (text: string, context: Partial<ReadingContext> = {}, answers: ReadingAnswers = {}) =>
  readMeaning(
    readText(new TextEncoder().encode(text)),
    { meters: [], zone: ZONE, now: NOW, ...context },
    answers,
  )
/** Meaning of a text file; throws if it is refused. */
function meaning(text: string, context: Partial<ReadingContext> = {}, answers: ReadingAnswers = {}): Reading {
  const reading = read(text, context, answers)
  if ('refused' in reading) throw new Error(`Refused: ${reading.refused} ${reading.text}`)
  return reading
}
const fact = ({ facts }: Reading, name: string) => {
  const found = facts.find(({ Fact }) => Fact === name)
  return found && [found.Value, found.Source]
}
const asked = ({ questions }: Reading) => questions.map(({ fact: name }) => name)
const optionsOf = ({ questions }: Reading, name: string) =>
  questions.find((question) => question.fact === name)?.options.map(({ value }) => value)
const energies = ({ series }: Reading) => series.map(({ kWh }) => Math.round(kWh * 1e6) / 1e6)
const ignored = ({ layout }: Reading) => layout.ignored.map(({ heading, reason }) => [heading, reason])
const directions = ({ series }: Reading) => series.map(({ name, direction, uid }) => [name, direction, uid])
const firstTime = ({ series }: Reading) => new Date(series[0]?.from ?? 0).toISOString()

/** Lines of 24 hours with the cells of each. */
const hours = (cells: (hour: number) => string, date = '2026-06-01', mark = ',') =>
  Array.from(
    { length: 24 },
    (_, hour) => `${date} ${String(hour).padStart(2, '0')}:00${mark}${cells(hour)}`,
  ).join('\n')
/** Figures that rise and fall: 24 hours sum up to 276. */
const usage = (hour: number) => String(10 + (hour % 4))
const SUM = 276

describe('the unit of a heading', () => {
  it.each([
    ['Value (kW-hr)', 'kWh'],
    ['Energy kW-hr', 'kWh'],
    ['kW h', 'kWh'],
    ['kW·h', 'kWh'],
    ['Main panel (kWhs)', 'kWh'],
    ['kilowatt hours', 'kWh'],
    ['MW-hrs', 'MWh'],
    ['W-hr', 'Wh'],
    ['用电量(千瓦时)', 'kWh'],
    ['用電量（千瓦小時）', 'kWh'],
    ['电量(度)', 'kWh'],
    ['瓩時', 'kWh'],
    ['兆瓦时', 'MWh'],
    ['功率(千瓦)', 'kW'],
    ['功率(瓦)', 'W'],
    ['Avg Wattage', 'W'],
    ['Leistung [W]', 'W'],
    ['Active power W', 'W'],
    ['總度數', 'kWh'],
  ])('%s is %s', (heading, unit) => {
    expect(readHeading(heading).unit).toBe(unit)
  })

  it.each([
    'Tower W',
    'Building 2 W',
    '溫度',
    '濕度(%)',
    '溫度(度)',
    '用水量(度)',
    '瓦斯用量(度)',
    'kW/h',
    'Power (mW)',
    'white',
  ])('%s has none', (heading) => {
    expect(readHeading(heading).unit).toBeUndefined()
  })

  it.each([
    ['Consumption (x1000 kWh)', 'MWh', 1],
    ['Energy (×100 kWh)', 'kWh', 100],
    ['Energy (10^3 kWh)', 'MWh', 1],
    ['用電量(萬度)', 'kWh', 10_000],
    ['用电量(万千瓦时)', 'kWh', 10_000],
    ['百萬度', 'GWh', 1],
    ['千度', 'MWh', 1],
    ['電力量(千kWh)', 'MWh', 1],
    ["Consumption ('000 kWh)", 'MWh', 1],
    ['Energy (0.1 kWh)', 'kWh', 0.1],
    ['Room 100 kWh', 'kWh', 1],
    ['百度大樓(kWh)', 'kWh', 1],
  ])('%s is in %s times %d', (heading, unit, scale) => {
    expect(measureOf(heading)).toEqual({ unit, scale })
    expect(multiplierOf(heading)).toBeUndefined()
  })

  it('includes a factor before it, also if the factor has an exponent', () => {
    expect(energies(meaning(`Date,用電量(萬度)\n${hours(usage)}`))).toEqual([SUM * 10_000])
    expect(energies(meaning(`Date,Consumption (10³ kWh)\n${hours(usage)}`))).toEqual([SUM * 1_000])
  })

  it('is a power of ten or asked', () => {
    const reading = meaning(`Time,Energy (x120 kWh)\n${hours(usage)}`)
    expect(asked(reading)).toEqual(['multiplier'])
    expect(
      energies(meaning(`Time,Energy (x120 kWh)\n${hours(usage)}`, {}, { multiplier: 'multiply' })),
    ).toEqual([SUM * 120])
  })

  it('is asked for power of whole days, which is as often the highest', () => {
    const days = Array.from({ length: 10 }, (_, day) => `2026-05-${10 + day},${30 + (day % 3)}`).join('\n')
    expect(optionsOf(meaning(`Date,Demand (kW)\n${days}`), 'unit')).toContain('kW')
    expect(asked(meaning(`Date,Average power (kW)\n${days}`))).toEqual([])
  })

  it('is kept for the other series if an answer gives that of one', () => {
    const text = `Time,Chiller (kWh),Pump\n${hours((hour) => `${usage(hour)},${usage(hour)}`)}`
    expect(energies(meaning(text, {}, { unit: 'MWh' }))).toEqual([SUM, SUM * 1_000])
  })
})

describe('a column that is not energy', () => {
  it.each([
    ['Peak kW', 'otherQuantity'],
    ['最大需量(kW)', 'otherQuantity'],
    ['尖峰需量', 'otherQuantity'],
    ['Active Power Total Max (W)', 'otherQuantity'],
    ['Min', 'otherQuantity'],
    ['Current (A)', 'otherQuantity'],
    ['Water', 'otherQuantity'],
    ['temp_c', 'otherQuantity'],
    ['Plan (kWh)', 'otherQuantity'],
    ['目標(度)', 'otherQuantity'],
    ['Battery SOC', 'otherQuantity'],
    ['濕度(%)', 'percent'],
    ['Specific yield (kWh/kWp)', 'otherQuantity'],
    ['Cost (kWh)', 'money'],
    ['Price EUR/kWh', 'money'],
    ['電費(元)', 'money'],
    ['电费', 'money'],
    ['无功电量', 'reactive'],
    ['電表倍率', 'multiplier'],
    ['Meter multiplier', 'multiplier'],
  ])('is named by %s: %s', (heading, reason) => {
    expect(readHeading(heading).ignored).toBe(reason)
  })

  it.each([
    'Bezug NT (kWh)',
    'Day rate (kWh)',
    'Rate 1 (kWh)',
    'Amount (kWh)',
    'Peak (kWh)',
    '尖峰(度)',
    'Peak',
    'Water heater',
    'Battery room',
    'Gas boiler',
    'Current reading',
    '15 min power (kW)',
    '蒸氣室',
    '瓦斯鍋爐',
    '電壓室',
    '品質課',
  ])('is not named by %s', (heading) => {
    expect(readHeading(heading).ignored).toBeUndefined()
  })

  it('is listed, and a file that has only such columns is refused', () => {
    expect(read(`Date,最大需量(kW)\n${hours(usage)}`)).toEqual({ refused: 'notEnergy', text: '最大需量(kW)' })
    const text = `時間,用電量(kWh),溫度,濕度(%)\n${hours((hour) => `${usage(hour)},25.3,${60 + hour}`)}`
    const reading = meaning(text)
    expect(energies(reading)).toEqual([SUM])
    expect(ignored(reading)).toEqual([
      ['溫度', 'otherQuantity'],
      ['濕度(%)', 'percent'],
    ])
  })

  it('is power in addition to the energy of the same meter, also as wattage', () => {
    const text = `Time,Avg Wattage,kWh\n${hours((hour) => `${usage(hour)}000,${usage(hour)}`)}`
    expect(energies(meaning(text))).toEqual([SUM])
  })
})

describe('the unit in a title', () => {
  it('may be in the corner of a table whose dates are in a line', () => {
    const dates = Array.from({ length: 20 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`)
    const reading = meaning(
      `Meter consumption (kWh),${dates.join(',')}\nOven,${dates.map((_, at) => usage(at)).join(',')}\nPress,${dates.map(() => 2).join(',')}\n`,
    )
    expect(asked(reading)).toEqual([])
    expect(energies(reading)).toEqual([230, 40])
  })

  it.each([
    ['單位：kWh', 'kWh'],
    ['单位：千瓦时', 'kWh'],
    ['Unit: MWh', 'MWh'],
    ['Units,Wh', 'Wh'],
    ['Unit of measure: kWh', 'kWh'],
    ['All values in kWh', 'kWh'],
    ['用電量 (kWh)', 'kWh'],
    ['kWh', 'kWh'],
    ['Site,Unit\nNorth,kWh', 'kWh'],
  ])('%s states it', (title, unit) => {
    const reading = meaning(`${title}\n\nTime,Value\n${hours(usage)}`)
    expect(fact(reading, 'unit')).toEqual([unit, 'stated'])
  })

  it.each([
    '契約容量,450 kW',
    '契約容量(kW),450',
    'Annual target: 1200 MWh',
    'Tariff: 0.15 USD/kWh',
    'Company,MW Foods Ltd.',
    'Energy (kWh) and demand (kW)',
    '單位：kW / kWh',
  ])('%s states none, so that it is asked', (title) => {
    expect(asked(meaning(`${title}\n\nTime,Usage\n${hours(usage)}`))).toEqual(['unit'])
  })

  it('holds for loads whose names have the words of other quantities, or end in W', () => {
    const text = `單位：kWh\n\nTime,Tower W,Water heater,Battery room\n${hours((hour) => `${usage(hour)},1,2`)}`
    expect(energies(meaning(text))).toEqual([SUM, 24, 48])
  })
})

describe('the zone of a heading', () => {
  it.each([
    ['Time (UTC)', [['UTC+00:00']]],
    ['Time (UTC−5)', [['UTC-05:00']]],
    ['Time (UTC offset: +08:00)', [['UTC+08:00']]],
    ['Time (+09:00)', [['UTC+09:00']]],
    ['Time (Etc/GMT-8)', [['UTC+08:00']]],
    ['Time (Indian/Mauritius)', [['Indian/Mauritius']]],
    ['시간 (KST)', [['Asia/Seoul']]],
    ['DateTime CET/CEST', [['Europe/Berlin']]],
    ['Start (Pacific Time)', [['America/Los_Angeles']]],
    ['UTC-Zeit', [['UTC+00:00']]],
    ['Time (UTC 8)', []],
    ['Time (PKT)', []],
    ['Time est', undefined],
    ['TIME (START)', undefined],
    ['Date (DD/MM/YYYY)', undefined],
  ])('%s is %j', (heading, zones) => {
    expect(zonesOf(heading)).toEqual(zones)
  })

  it('is asked if an abbreviation means standard time or local time, which differ in summer', () => {
    const summer = meaning(`Time (CET),kWh\n${hours(usage)}`, { zone: 'Europe/London' })
    expect(optionsOf(summer, 'zone')).toEqual(['UTC+01:00', 'Europe/Berlin'])
    const winter = meaning(`Time (CET),kWh\n${hours(usage, '2026-01-10')}`, { zone: 'Europe/London' })
    expect(asked(winter)).toEqual([])
    expect(firstTime(winter)).toBe('2026-01-09T23:00:00.000Z')
  })

  it('is standard time if the file has a time that clocks skip in local time', () => {
    const day = (lines: string) => meaning(`Zeit (MEZ),Verbrauch (kWh)\n${lines}`, { zone: 'Europe/Berlin' })
    const reading = day(hours(usage, '2026-03-29'))
    expect(fact(reading, 'zone')).toEqual(['UTC+01:00', 'stated'])
    expect(asked(reading)).toEqual([])
    expect(asked(day(hours(usage, '2026-03-28')))).toEqual([])
    expect(asked(day(`${hours(usage, '2026-03-28')}\n${hours(usage, '2026-03-30')}`))).toEqual(['zone'])
  })

  it('is that of the site among several of the same abbreviation', () => {
    const chinese = meaning(`Time (CST),kWh\n${hours(usage)}`)
    expect([asked(chinese), firstTime(chinese)]).toEqual([[], '2026-05-31T16:00:00.000Z'])
    const american = meaning(`Time (CST),kWh\n${hours(usage)}`, { zone: 'America/Chicago' })
    expect(optionsOf(american, 'zone')).toEqual(['UTC-06:00', 'America/Chicago'])
  })

  it('is asked if it cannot be read', () => {
    expect(optionsOf(meaning(`Time (PKT),kWh\n${hours(usage)}`), 'zone')).toEqual([ZONE, 'UTC+00:00'])
  })
})

describe('the zone in a title', () => {
  it.each([
    ['UTC offset,+08:00', '2026-05-31T16:00:00.000Z'],
    ['Time zone: America/New_York', '2026-06-01T04:00:00.000Z'],
    ['時區：UTC+9', '2026-05-31T15:00:00.000Z'],
    ['時區,台北', '2026-05-31T16:00:00.000Z'],
    ['All times in UTC', '2026-06-01T00:00:00.000Z'],
    ['Europe/Berlin', '2026-05-31T22:00:00.000Z'],
    ['Plot times GMT-05:00', '2026-06-01T05:00:00.000Z'],
  ])('%s states it', (title, first) => {
    const reading = meaning(`${title}\n\nTime,kWh\n${hours(usage)}`)
    expect([asked(reading), fact(reading, 'zone')?.[1], firstTime(reading)]).toEqual([[], 'stated', first])
  })

  it.each([
    'Generated: 2026-06-07 02:14:11 UTC',
    'Company,GMT Global Inc.',
    '客戶,Tokyo Electron Taiwan Ltd.',
    'Time zone: local',
    'Time in service: 5000 h',
  ])('%s states none', (title) => {
    const reading = meaning(`${title}\n\nTime,kWh\n${hours(usage)}`)
    expect([asked(reading), fact(reading, 'zone')]).toEqual([[], [ZONE, 'derived']])
  })

  it('is asked if the title only mentions UTC, or names a zone that cannot be read', () => {
    for (const title of ['Building report UTC', 'Time zone: Mars', '2026-06-01 to 2026-06-02 UTC'])
      expect(asked(meaning(`${title}\n\nTime,kWh\n${hours(usage)}`))).toEqual(['zone'])
  })
})

describe('the heading of a time', () => {
  it.each([
    ['終端時間', undefined],
    ['終了時刻', 'end'],
    ['结束时间', 'end'],
    ['迄', 'end'],
    ['止', 'end'],
    ['開始時間', 'begin'],
    ['起', 'begin'],
  ])('%s is the %s of the interval', (heading, stamp) => {
    expect(stampOf(heading)).toBe(stamp)
  })

  it('is asked if the times are those of the other end: whole days from 00:00 to 23:00', () => {
    expect(asked(meaning(`Interval end,kWh\n${hours(usage)}`))).toEqual(['stamp'])
  })

  it('is not taken from the names of terminals', () => {
    const reading = meaning(`終端時間,kWh\n${hours(usage)}`)
    expect([asked(reading), fact(reading, 'stamp')]).toEqual([[], ['begin', 'derived']])
  })
})

describe('the language of a file', () => {
  const months = Array.from(
    { length: 10 },
    (_, at) => `${String(at + 1).padStart(2, '0')}/01/2026,${3000 + (at % 3)}`,
  )
  it('does not decide whether lines are months or days', () => {
    expect(asked(meaning(`Monthly usage data\n\nDate,Usage (kWh)\n${months.join('\n')}`))).toEqual([
      'dateOrder',
    ])
    expect(asked(meaning(`Fecha,Consumo (kWh)\n${months.join('\n')}`))).toEqual(['dateOrder'])
  })

  it('puts the day first if the heading of the times is Italian', () => {
    const day = (heading: string) => meaning(`${heading},kWh\n${hours(usage, '05/06/2026')}`)
    expect([asked(day('Data')), fact(day('Data'), 'dateOrder')]).toEqual([[], ['dmy', 'derived']])
    expect(asked(day('Time'))).toEqual(['dateOrder'])
  })
})

describe('the direction', () => {
  it.each([
    ['kWh Exp', 'export'],
    ['A- (kWh)', 'export'],
    ['Energía saliente (kWh)', 'export'],
    ['上网电量(kWh)', 'export'],
    ['売電量', 'export'],
    ['Real Energy Out of the Load (kWh)', 'export'],
    ['1-0:2.8.0', 'export'],
    ['1-1:2.29.0', 'export'],
    ['Reverse active energy (kWh)', 'export'],
    ['Injection (kWh)', 'export'],
    ['Rücklieferung', 'export'],
    ['逆方向電力量(kWh)', 'export'],
    ['余剰電力量(kWh)', 'export'],
    ['饋入電網 (kWh)', 'export'],
    ['Netz Überschuss (kWh)', 'export'],
    ['energiaVertida_kWh', 'export'],
    ['kWh Imp', 'import'],
    ['A+ (kWh)', 'import'],
    ['1.8.0', 'import'],
    ['下網電量(kWh)', 'import'],
    ['Injection molding 1 (kWh)', undefined],
    ['Reverse osmosis (kWh)', undefined],
    ['Return air fan (kWh)', undefined],
    ['Building A-1 (kWh)', undefined],
  ])('of %s is %s', (heading, direction) => {
    expect(readHeading(heading).direction).toBe(direction)
  })

  it('comes from two headings that differ in a pair of words', () => {
    const pair = (one: string, other: string) =>
      directions(meaning(`Time,${one},${other}\n${hours((hour) => `${usage(hour)},1`)}`, { meters: ONE }))
    expect(pair('kWh Delivered', 'kWh Received')).toEqual([
      ['kWh Delivered', 'import', 'm1'],
      ['kWh Received', 'export', 'm1.return'],
    ])
    expect(pair('Energy in (kWh)', 'Energy out (kWh)').map(([, direction]) => direction)).toEqual([
      'import',
      'export',
    ])
    expect(pair('Received dock (kWh)', 'Office (kWh)').map(([, direction]) => direction)).toEqual([
      undefined,
      undefined,
    ])
  })

  it.each([
    ['Grid Buy (kWh)', 'Grid Sell (kWh)'],
    ['Inflow (kWh)', 'Outflow (kWh)'],
    ['TGBT Consommation (kWh)', 'TGBT Injection (kWh)'],
    ['E1 (kWh)', 'B1 (kWh)'],
    ['TGBT Puissance moyenne (kW)', 'TGBT Injection (kW)'],
    ['輸入電能(kWh)', '輸出電能(kWh)'],
    ['正向電能(kWh)', '逆向電能(kWh)'],
  ])('comes from the pair of %s and %s', (one, other) => {
    const text = `Time,${one},${other}\n${hours((hour) => `${usage(hour)},1`)}`
    expect(directions(meaning(text)).map(([, direction]) => direction)).toEqual(['import', 'export'])
  })

  it('is found in columns of types, channels and registers', () => {
    const rows = (heading: string, one: string, other: string) =>
      meaning(
        `Time,Meter,${heading},Value\n${hours((hour) => `M1,${one},${usage(hour)}\n2026-06-01 ${String(hour).padStart(2, '0')}:00,M1,${other},1`)}`,
      ).series.map(({ direction }) => direction)
    expect(rows('Channel', 'kWh Del', 'kWh Rec')).toEqual(['import', 'export'])
    expect(rows('OBIS', '1-0:1.8.0', '1-0:2.8.0')).toEqual(['import', 'export'])
    const types = hours(
      (hour) => `Consumption,${usage(hour)}\n2026-06-01 ${String(hour).padStart(2, '0')}:00,Feed-in,1`,
    )
    expect(meaning(`Time,Type,kWh\n${types}`).series.map(({ direction }) => direction)).toEqual([
      undefined,
      'export',
    ])
  })

  it('is not that of a meter whose name is the heading', () => {
    const meters = [{ uid: 'x1', name: 'Export hall (kWh)' }]
    expect(directions(meaning(`Time,Export hall (kWh)\n${hours(usage)}`, { meters }))).toEqual([
      ['Export hall (kWh)', undefined, 'x1'],
    ])
  })

  it('is not the letter of an estimated value', () => {
    const text = `Time,kWh,Code\n${hours((hour) => `${usage(hour)},${hour === 0 ? 'A' : 'E'}`)}`
    expect(energies(meaning(text))).toEqual([SUM])
    const registers = hours(
      (hour) => `E1,${usage(hour)}\n2026-06-01 ${String(hour).padStart(2, '0')}:00,B1,1`,
    )
    expect(meaning(`Time,Suffix,kWh\n${registers}`).series.map(({ direction }) => direction)).toEqual([
      'import',
      'export',
    ])
  })
})

describe('the name of a load', () => {
  /** Names and energies of a file with a column for each heading; the figures of each are a multiple of those of the first. */
  const columns = (...headings: readonly string[]) =>
    meaning(
      `Time,${headings.join(',')}\n${hours((hour) => headings.map((_, at) => Number(usage(hour)) * (at + 1)).join(','))}`,
    )
  const sums = (count: number) => Array.from({ length: count }, (_, at) => SUM * (at + 1))

  it.each([
    ['Forecast Room (kWh)', 'Budget Hotel (kWh)', 'Price Shop [kWh]'],
    ['去年館(kWh)', '預算課 用電量(度)', '元智樓(kWh)'],
    ['Prognose-Institut - Verbrauch [kWh]', 'Baseline Road (kWh)', 'Costa Cafe (kWh)'],
    ['VA Hospital (kWh)', 'Money Exchange (kWh)', 'Previous Year Inn (kWh)'],
  ])('may begin with a word of another quantity: %s', (...headings) => {
    const reading = columns(...headings)
    expect(energies(reading)).toEqual(sums(3))
    expect(asked(reading)).toEqual([])
  })

  it('does not begin with the word if that is all that a heading adds to another', () => {
    const reading = columns('Hall (kWh)', 'Forecast Hall (kWh)', 'Forecast Room (kWh)')
    expect(ignored(reading)).toEqual([['Forecast Hall (kWh)', 'otherQuantity']])
    expect(energies(reading)).toEqual([SUM, 3 * SUM])
  })

  it('may be a unit, or have one without a figure before it', () => {
    expect(energies(columns('MWh Bar (kWh)', '萬度廳 (kWh)', 'W1 (kWh)'))).toEqual(sums(3))
  })

  it.each([
    ['Export Office (kWh)', 'Import Warehouse (kWh)', 'Main Hall (kWh)'],
    ['Exportabteilung (kWh)', 'Lieferhalle (kWh)', 'Halle (kWh)'],
    ['Excess Baggage Desk (kWh)', 'Sold-out Theatre (kWh)', 'Gate 4 (kWh)'],
    ['送電室(kWh)', 'Surplus Store (kWh)', '機房(kWh)'],
  ])('is no direction: %s', (...headings) => {
    expect(columns(...headings).series.map(({ direction }) => direction)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('is behind a direction if another heading has the same name, or all others a direction', () => {
    const found = (...headings: readonly string[]) =>
      columns(...headings).series.map(({ direction }) => direction)
    expect(found('Import Hall A (kWh)', 'Export Hall A (kWh)', 'Load (kWh)')).toEqual([
      'import',
      'export',
      undefined,
    ])
    expect(found('Hall A (kWh)', 'Export Hall A (kWh)')).toEqual([undefined, 'export'])
    expect(found('Export Hall A (kWh)', 'Export Hall B (kWh)')).toEqual(['export', 'export'])
    expect(found('Export Hall A (kWh)', 'Hall B (kWh)')).toEqual([undefined, undefined])
  })

  it('is no direction in a column of meters', () => {
    const rows = hours(
      (hour) => `Export Office,${usage(hour)}\n2026-06-01 ${String(hour).padStart(2, '0')}:00,Main Hall,1`,
    )
    expect(meaning(`Time,Meter,kWh\n${rows}`).series.map(({ direction }) => direction)).toEqual([
      undefined,
      undefined,
    ])
  })

  it('does not say that figures that fall are those of a counter', () => {
    const reading = columns('Counter Hall (kWh)', 'Index Tower (kWh)')
    expect([reading.kind, asked(reading)]).toEqual(['interval', []])
    const [reset] = [meaning(`Time,Reading (kWh)\n${hours((hour) => (hour < 12 ? '1.5' : '1.6'))}`)]
    expect(reset?.kind).toBe('counter')
  })

  it('is no factor of a meter, and no unit in a column of names', () => {
    expect(asked(columns('Multiplier Club', 'Hall'))).toEqual(['unit'])
    const rows = hours(
      (hour) =>
        `VA Hospital,${usage(hour)},kWh\n2026-06-01 ${String(hour).padStart(2, '0')}:00,KVA Hall,1,kWh`,
    )
    expect(energies(meaning(`Time,Meter,Usage,Unit\n${rows}`))).toEqual([SUM, 24])
  })

  it('is none if it is a plan or a forecast', () => {
    const rows = (name: string) =>
      hours((hour) => `Hall,${usage(hour)}\n2026-06-01 ${String(hour).padStart(2, '0')}:00,${name},1`)
    for (const name of ['Budget', '預測', 'Plan'])
      expect(energies(meaning(`Time,Meter,kWh\n${rows(name)}`))).toEqual([SUM])
    expect(energies(meaning(`Time,Meter,kWh\n${rows('Plan B studio')}`))).toEqual([SUM, 24])
  })
})

describe('a word that may be part of a name', () => {
  const file = (headings: readonly string[], title = '') =>
    `${title}Time,${headings.join(',')}\n${hours((hour) => headings.map((_, at) => String(Number(usage(hour)) * (at + 1))).join(','))}`
  const found = (headings: readonly string[], answers: ReadingAnswers = {}) => {
    const reading = meaning(file(headings), {}, answers)
    return [asked(reading), reading.series.map(({ direction }) => direction === 'export')]
  }

  const exampleOf = (headings: readonly string[], title = '') =>
    meaning(file(headings, title)).questions[0]?.example

  it.each([
    [['Feed-in Conveyor (kWh)', 'Feed-out Conveyor (kWh)'], 'names', [false, false]],
    [['Backward Lane (kWh)'], 'names', [false]],
    [['Export Office (kWh)'], 'names', [false]],
    [['Import (kWh)', 'Export (kWh)', 'Export Office (kWh)'], 'names', [false, true, false]],
    [['Export Hall (kWh)', 'Import Hall (kWh)'], 'names', [false, false]],
    [['Export Hall A (kWh)', 'Hall B (kWh)'], 'words', [true, false]],
    [['Export House (kWh)', 'Import House (kWh)'], 'names', [false, false]],
    [['送電室(kWh)', '機房(kWh)'], 'names', [false, false]],
    [['Forward Lane (kWh)', 'Reverse Lane (kWh)'], 'names', [false, false]],
  ] as const)('is asked before it is a direction: %s', (headings, direction, exports) => {
    expect(found(headings)[0]).toEqual(['direction'])
    expect(found(headings, { direction })).toEqual([[], exports])
  })

  it('is asked in a column of meters, also if all of them have such words', () => {
    const rows = hours(
      (hour) => `Export Hall,${usage(hour)}\n2026-06-01 ${String(hour).padStart(2, '0')}:00,Import Hall,1`,
    )
    const text = `Time,Meter,Consumption (kWh)\n${rows}`
    expect(asked(meaning(text))).toEqual(['direction'])
    expect(directions(meaning(text, {}, { direction: 'names' }))).toEqual([
      ['Export Hall', undefined, null],
      ['Import Hall', undefined, null],
    ])
  })

  it('is asked once for all headings, with those of them that are likely directions as a further answer', () => {
    const headings = ['Import Hall A (kWh)', 'Export Hall A (kWh)', 'Export Office (kWh)', 'Load (kWh)']
    expect(meaning(file(headings)).questions).toMatchObject([
      {
        fact: 'direction',
        example: 'Export Hall A (kWh), Export Office (kWh)',
        options: [{ value: 'words' }, { value: 'names' }, { value: 'some', text: 'Export Hall A (kWh)' }],
        suggested: 'some',
      },
    ])
    expect(found(headings, { direction: 'some' })).toEqual([[], [false, true, false, false]])
  })

  it('is not asked again for a file of the same layout', () => {
    const profile = { direction: 'names', ignored: 'read' }
    const text = file(['Export Office (kWh)', 'var 3 (kWh)'])
    expect(asked(meaning(text))).toEqual(['ignored', 'direction'])
    expect(asked(meaning(text, { profile }))).toEqual([])
  })

  it.each([
    [['Grid feed-in (kWh)', 'Export kWh 2', '逆送電量(度)']],
    [['Einspeisung [kWh]', 'Energy exported to grid (kWh)', '餘電上網量(kWh)']],
    [['MDP-1 Export (kWh)', 'Rückspeisung (kWh)', '逆潮流電力量 [kWh]']],
    [['Energie ins Netz eingespeist (Wh)', 'Energy fed into the grid (Wh)', 'Energía vertida kWh']],
    [['Active energy export T1 (kWh)', '總表餘電(kWh)', 'A棟餘電售出(度)']],
  ])('is a direction if all other words are usual: %s', (headings) => {
    expect(found(headings)).toEqual([[], [true, true, true]])
    expect(exampleOf([...headings, 'Export Office (kWh)'])).toBe('Export Office (kWh)')
  })

  it('is a direction behind the name of a meter whose use is in the file', () => {
    const headings = ['MSB Usage (kWh)', 'MSB Feed-in (kWh)', '受電盤 用電量(kWh)', '受電盤 賣電量(kWh)']
    expect(found(headings)).toEqual([[], [false, true, false, true]])
    expect(exampleOf([...headings, 'Warehouse Export (kWh)', 'Warehouse Import (kWh)'])).toBe(
      'Warehouse Export (kWh)',
    )
  })

  it.each([
    [['Hall (kWh)', 'Forecast Hall (kWh)'], '', [SUM, 2 * SUM]],
    [['Hall (kWh)', 'var 3 (kWh)'], '', [SUM, 2 * SUM]],
    [['Hall (kWh)', 'CO2 Plant (kWh)'], '', [SUM, 2 * SUM]],
    [['Hall (kWh)', 'UPS 100 kVA (kWh)'], '', [SUM, 2 * SUM]],
    [['Hall (kWh)', 'Car Rental Budget (kWh)'], '', [SUM, 2 * SUM]],
    [['Status Bar', 'Rate Office', 'Temperature Lab'], 'Unit: kWh\n', [SUM, 2 * SUM, 3 * SUM]],
    [['Hall (kW)', 'Peak Tower (kW)', 'Voltage Bar (kW)'], '', [SUM, 2 * SUM, 3 * SUM]],
  ] as const)('is asked before a column of energy is left out: %s', (headings, title, sums) => {
    const text = file(headings, title)
    expect(asked(meaning(text))).toEqual(['ignored'])
    const answered = meaning(text, {}, { ignored: 'read' })
    expect([asked(answered), energies(answered)]).toEqual([[], sums])
  })

  it.each([
    [['Hall 1 (kWh)', 'Hall 1 forecast (kWh)'], '', 1],
    [['Usage (kWh)', 'Forecast consumption (kWh)', 'Reactive energy (kvarh)', 'Electricity cost ($)'], '', 1],
    [['Hall 1', 'Outdoor temperature', 'Humidity', 'Status', '電壓'], 'Unit: kWh\n', 1],
    [['Hall (kW)', 'Max demand (kW)', 'Peak power Hall 2 (kW)'], '', 1],
  ] as const)('is none if a column is something else: %s', (headings, title, count) => {
    const reading = meaning(file(headings, title))
    expect([asked(reading), reading.series.length]).toEqual([[], count])
    expect(exampleOf([...headings, 'var 3 (kWh)'], title)).toBe('var 3 (kWh)')
  })

  it.each([['MW Hall'], ['kW Tower'], ['MWh Bar']])(
    'is asked for the unit if a heading begins with another one than the title states: %s',
    (name) => {
      const text = file([name, 'Hall'], 'Unit: kWh\n')
      expect(asked(meaning(text))).toEqual(['unit'])
      const answered = meaning(text, {}, { unit: 'kWh' })
      expect([asked(answered), energies(answered)]).toEqual([[], [SUM, 2 * SUM]])
    },
  )

  it('is none in a heading that is the name of a meter of the site', () => {
    const meters = [{ uid: 'x1', name: 'Temperature Lab' }]
    const reading = meaning(file(['Temperature Lab', 'Hall'], 'Unit: kWh\n'), { meters })
    expect([asked(reading), energies(reading)]).toEqual([[], [SUM, 2 * SUM]])
  })

  it.each([['Temperature Lab'], ['電壓室']])('is asked in a table of days, and a turned one: %s', (name) => {
    const clocks = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)
    const line = (meter: string, date: string) => [date, meter, ...clocks.map((_, at) => usage(at))].join(',')
    const days = ['2026-06-01', '2026-06-02', '2026-06-03']
    const matrix = `Consumption (kWh)\n${['Date', 'Meter', ...clocks].join(',')}\n${days.flatMap((day) => [line(name, day), line('Hall', day)]).join('\n')}`
    const dates = Array.from({ length: 24 }, (_, at) => `2026-06-${String(at + 1).padStart(2, '0')}`)
    const turned = `${['Meter consumption (kWh)', ...dates].join(',')}\n${[name, 'Hall'].map((each) => [each, ...dates.map((_, at) => usage(at))].join(',')).join('\n')}`
    for (const [text, sum] of [
      [matrix, 3 * SUM],
      [turned, SUM],
    ] as const) {
      const answered = meaning(text, {}, { ignored: 'read' })
      expect([asked(answered), energies(answered)]).toEqual([[], [sum, sum]])
    }
    expect(asked(meaning(matrix))).toEqual(['ignored'])
    expect(energies(meaning(matrix, {}, { ignored: 'leave' }))).toEqual([3 * SUM])
  })
})

describe('columns beside one that is headed by its unit alone', () => {
  it('are no energy if only they have whole numbers, or the symbol of a voltage', () => {
    const lines = hours(
      (hour) => `${1 + Math.floor(hour / 8)},${hour % 5},${usage(hour)}.5,381.2,60.5,${hour}.5`,
    )
    const reading = meaning(`Time,Shift,Pieces,kWh,V,RH,Feed-in\n${lines}`, {}, { unit: 'kWh' })
    expect(ignored(reading).map(([heading]) => heading)).toEqual(['Shift', 'Pieces', 'V', 'RH'])
    expect(energies(reading)).toEqual([SUM + 12, SUM + 12])
  })
})

describe('the factor of a meter', () => {
  const counter = hours((hour) => String(1000 + hour * 2))

  it.each([
    ['倍率,120', 120],
    ['倍率：120 倍', 120],
    ['Multiplier: 120', 120],
    ['Wandlerfaktor,40', 40],
    ['乗率,60', 60],
    ['CT ratio,400/5 A', 80],
    ['PT ratio: 22.8kV/114V', 200],
    ['CT比,400/5\nPT比,2', 160],
    ['電號,倍率\n071234,120', 120],
  ])('%s is asked, with the energy of both answers', (title, factor) => {
    const text = `${title}\n\n抄表時間,讀數(kWh)\n${counter}`
    const reading = meaning(text)
    expect(reading.questions).toMatchObject([
      {
        fact: 'multiplier',
        options: [
          { value: 'multiply', kWh: 46 * factor },
          { value: 'included', kWh: 46 },
        ],
      },
    ])
    const answered = meaning(text, {}, { multiplier: 'multiply' })
    expect([asked(answered), energies(answered)]).toEqual([[], [46 * factor]])
    const { values } = toImportRows(answered, ['m1'], NOW)
    expect([values[0], values.at(-1)]).toEqual([1000 * factor, 1046 * factor])
    expect(energies(meaning(text, {}, { multiplier: 'included' }))).toEqual([46])
  })

  it('is read from its column, line by line', () => {
    const lines = hours(
      (hour) => `A,${usage(hour)},10\n2026-06-01 ${String(hour).padStart(2, '0')}:00,B,${usage(hour)},1`,
    )
    const text = `Time,Meter,Energy (kWh),Multiplier\n${lines}`
    expect(asked(meaning(text))).toEqual(['multiplier'])
    expect(energies(meaning(text, {}, { multiplier: 'multiply' }))).toEqual([SUM * 10, SUM])
  })

  it('is not asked if it is 1', () => {
    expect(asked(meaning(`倍率,1\n\n抄表時間,讀數(kWh)\n${counter}`))).toEqual([])
  })
})

it('takes no names of days for meters', () => {
  const text = `Date,Day name,Time,kWh\n${Array.from({ length: 48 }, (_, at) => `2026-06-0${1 + Math.floor(at / 24)},${at < 24 ? 'Monday' : 'Tuesday'},${String(at % 24).padStart(2, '0')}:00,${usage(at)}`).join('\n')}`
  expect(energies(meaning(text))).toEqual([SUM * 2])
})
