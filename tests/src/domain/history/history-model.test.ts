import { describe, expect, it } from 'vitest'
import type { HistoryDevice, HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { historyCsv } from '../../../../src/custom-views/history/history-csv.ts'
import {
  timeSeriesOf,
  historyLinesOf,
  strips,
  reportedStates,
} from '../../../../src/domain/history/history-model.ts'
import {
  arrange,
  devicePicks,
  formatPick,
  parsePick,
  parsePicks,
} from '../../../../src/domain/history/picks.ts'
import { REST_COLOR } from '../../../../src/ui/chart/energy-colors.ts'
import type { QuantityWords } from '../../../../src/domain/history/quantity-words.ts'

const quantity = (Field: string, Unit: string, Kind: 'measured' | 'state' = 'measured') => ({
  Field,
  Kind,
  Label: null,
  Unit,
  First: 0,
  Last: 1,
})
const device = (uid: string, ...Quantities: HistoryDevice['Quantities']): HistoryDevice => ({
  PeripheralUID: uid,
  PeripheralName: `=${uid}`,
  PeripheralType: '755',
  RoomID: 0,
  Quantities,
})
const air = device('air', quantity('PM25', 'µg/m³'), quantity('Temperature', '°C'), quantity('Humidity', '%'))
const cold = device('cold', quantity('Temperature', '°C'))
const door = device('door', quantity('DoorState', '', 'state'))
const devices = [air, cold, door]
const pick = (PeripheralUID: string, Field: string) => ({ PeripheralUID, Field })

const series = (uid: string, Field: string, more: Partial<HistorySeries> = {}): HistorySeries => ({
  PeripheralUID: uid,
  Field,
  Kind: 'measured',
  Unit: '°C',
  BucketMs: 0,
  GapMs: 1_800_000,
  Timestamps: [1_000, 2_000],
  Values: [20, 21],
  Min: null,
  Max: null,
  Unknown: [],
  ...more,
})
const words: QuantityWords = {
  deviceName: ({ PeripheralName }) => PeripheralName ?? '',
  quantityName: (_device, { Field }) => Field,
  unitName: (unit) => unit,
  stateName: (_device, _field, value) => (value === undefined ? 'unknown' : value === 2 ? 'open' : 'closed'),
}

describe('the selection in an address', () => {
  it('survives a round trip, including a path of a zone', () => {
    for (const one of [pick('air', 'PM25'), pick('a-1_b', 'ThermostatTable.3.Temperature')])
      expect(parsePick(formatPick(one))).toEqual(one)
    for (const text of ['', 'air', ':PM25', 'air:', 'air:<b>']) expect(parsePick(text)).toBeUndefined()
  })

  it('is unique, and limited to eight', () => {
    const texts = ['air:A', 'air:A', ...Array.from({ length: 9 }, (_, i) => `air:F${i}`)]
    expect(parsePicks(texts)).toHaveLength(8)
    expect(parsePicks(texts)[0]).toEqual(pick('air', 'A'))
  })

  it('is drawn as far as two axes and stored data allow; states need no axis', () => {
    const asked = [
      pick('air', 'PM25'),
      pick('cold', 'Temperature'),
      pick('air', 'Humidity'),
      pick('door', 'DoorState'),
      pick('gone', 'PM25'),
    ]
    const { chosen, missing, crowded } = arrange(asked, devices)
    expect(chosen.map((one) => one.pick)).toEqual([asked[0], asked[1], asked[3]])
    expect(crowded.map((one) => one.pick)).toEqual([asked[2]])
    expect(missing).toEqual([asked[4]])
  })

  it('begins in a device with power, with indoor temperature and setpoint, or with the first measured quantity', () => {
    const of = (...fields: string[]) => ({
      ...air,
      Quantities: fields.map((Field) => ({
        Field,
        Kind: /State|Switch/.test(Field) ? ('state' as const) : ('measured' as const),
        Unit: '',
        Label: null,
        First: null,
        Last: null,
      })),
    })
    expect(devicePicks(of('AvgElectricCurrent', 'Power', 'Voltage', 'Switch1'), 2)).toEqual({
      offered: [pick('air', 'Power'), pick('air', 'AvgElectricCurrent'), pick('air', 'Switch1')],
      main: ['Power'],
    })
    const zones = ['1.TargetTemperature', '1.Temperature', '2.TargetTemperature', '2.Temperature']
    expect(devicePicks(of(...zones.map((zone) => `ThermostatTable.${zone}`)), 4).main).toEqual([
      'ThermostatTable.1.Temperature',
      'ThermostatTable.1.TargetTemperature',
    ])
    expect(devicePicks(of('OutdoorTemperature', 'IndoorTemperature'), 4).main).toEqual(['IndoorTemperature'])
    expect(devicePicks(of('PM25', 'Temperature'), 4).main).toEqual(['PM25'])
    expect(devicePicks(of('MotionState'), 4)).toEqual({ offered: [pick('air', 'MotionState')], main: [] })
  })
})

describe('the chart', () => {
  const { chosen } = arrange(
    [pick('air', 'PM25'), pick('air', 'Temperature'), pick('cold', 'Temperature'), pick('door', 'DoorState')],
    devices,
  )
  const answer = [
    series('air', 'PM25', { Unit: 'µg/m³', Min: [19, 20], Max: [21, 22], BucketMs: 1_000 }),
    series('air', 'Temperature'),
    series('cold', 'Temperature'),
    series('door', 'DoorState', {
      Kind: 'state',
      GapMs: null,
      Timestamps: [0, 4_000, 6_000],
      Values: [1, 2, 2],
    }),
  ]
  const lines = historyLinesOf(chosen, answer, ({ device: { PeripheralUID } }) => PeripheralUID)

  it('has an axis for each unit, breaks lines at gaps and shades the range behind a mean', () => {
    expect(timeSeriesOf(lines).map(({ axis, gapMs }) => [axis, gapMs])).toEqual([
      [0, 1_800_000],
      [1, 1_800_000],
      [1, 1_800_000],
    ])
    expect(timeSeriesOf(lines)[0]).toMatchObject({ low: [19, 20], high: [21, 22] })
    expect(timeSeriesOf(lines)[1]).not.toHaveProperty('low')
  })

  it('shows each state until the next different one, the last until now', () => {
    expect(strips(lines, 9_000, words)).toMatchObject([
      {
        label: 'door',
        spans: [
          { from: 0, to: 4_000, label: 'closed' },
          { from: 4_000, to: 9_000, label: 'open' },
        ],
      },
    ])
    const [closed, opened] = strips(lines, 9_000, words)[0]?.spans ?? []
    expect(closed?.color).toBe(REST_COLOR)
    expect(opened?.color).not.toBe(REST_COLOR)
  })

  const away = series('door', 'DoorState', {
    Kind: 'state',
    GapMs: null,
    Unit: '',
    Timestamps: [1_000, 4_000, 6_000],
    Values: [1, 2, 2],
    Unknown: [
      { From: 2_000, To: 4_000 },
      { From: 6_000, To: 7_000 },
      { From: 8_000, To: null },
    ],
  })
  const doorAway = historyLinesOf(chosen, [away], () => 'door')

  it('shows a state as unknown while unobservable, and known again after that', () => {
    const [strip] = strips(doorAway, 9_000, words)
    expect(strip?.spans.map(({ from, to, label, unknown = false }) => [from, to, label, unknown])).toEqual([
      [1_000, 2_000, 'closed', false],
      [2_000, 4_000, 'unknown', true],
      [4_000, 6_000, 'open', false],
      [6_000, 7_000, 'unknown', true],
      [7_000, 8_000, 'open', false],
      [8_000, 9_000, 'unknown', true],
    ])
  })

  it('begins as unknown with the range if so, despite reports before and meanwhile', () => {
    const begun = { ...away, Timestamps: [1_000, 2_000], Values: [1, 2], Unknown: [{ From: 500, To: 3_000 }] }
    expect(reportedStates(begun)).toEqual([
      { at: 1_000, value: undefined },
      { at: 3_000, value: 2 },
    ])
    expect(reportedStates({ ...begun, Unknown: [{ From: 500, To: 1_000 }] })).toHaveLength(2)
    expect(reportedStates({ ...begun, Timestamps: [], Values: [] })).toEqual([])
  })

  it("is saved as displayed, in the home's time zone, without cells that a spreadsheet would calculate", () => {
    const headings = {
      time: 'time',
      iso: 'iso',
      device: 'device',
      id: 'id',
      quantity: 'quantity',
      value: 'value',
      unit: 'unit',
      span: 'span',
      minHeading: 'least',
      maxHeading: 'most',
      state: 'state',
    }
    const text = historyCsv(
      [lines[0], lines[3]].flatMap((line) => line ?? []),
      { from: 1_500, to: 5_000 },
      {
        zone: 'Asia/Taipei',
        headings,
        words,
      },
    )
    expect(text.split('\r\n')).toEqual([
      '\uFEFFtime,iso,device,id,quantity,value,unit,span,least,most,state',
      "1970-01-01 08:00:02,1970-01-01T08:00:02+08:00,'=air,air,PM25,21,µg/m³,1,20,22,",
      "1970-01-01 08:00:04,1970-01-01T08:00:04+08:00,'=door,door,DoorState,2,°C,,,,open",
      '',
    ])
    const gap = historyCsv(doorAway, { from: 5_500, to: 7_500 }, { zone: 'Asia/Taipei', headings, words })
    expect(gap.split('\r\n').slice(1)).toEqual([
      "1970-01-01 08:00:06,1970-01-01T08:00:06+08:00,'=door,door,DoorState,2,,,,,open",
      "1970-01-01 08:00:06,1970-01-01T08:00:06+08:00,'=door,door,DoorState,,,,,,unknown",
      "1970-01-01 08:00:07,1970-01-01T08:00:07+08:00,'=door,door,DoorState,2,,,,,open",
      '',
    ])
  })
})
