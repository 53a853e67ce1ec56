import { describe, expect, it } from 'vitest'
import { ENERGY_FIELDS, type ExportPlan } from '../../../../src/lib/export/table.ts'
import { jsonFile } from '../../../../src/lib/export/text-files.ts'
import { open } from './build-files.ts'

const openJson = (value: unknown) => open(JSON.stringify(value))

describe('a JSON file', () => {
  it('that this product exported becomes its rows, with meter and zone', async () => {
    const plan: ExportPlan = {
      format: 'json',
      oneWorkbook: false,
      zone: 'Asia/Taipei',
      fields: ENERGY_FIELDS,
      columns: [
        { field: 'kWh', heading: '用電量 (kWh)' },
        { field: 'Quality', heading: '品質', marks: [{ name: 'Measured', word: '實測' }] },
      ],
      timeHeading: '時間',
      isoHeading: 'ISO 8601',
      name: 'export',
      meters: [{ PeripheralUID: 'm1', PeripheralName: '1F 總電表' }],
      about: { HomeName: '總部', Resolution: 'quarter' },
    }
    const at = Date.parse('2026-06-01T00:00:00+08:00')
    const row = (time: number, kWh: number) => [time, kWh, ...ENERGY_FIELDS.slice(1, -1).map(() => 0), 0]
    const json = jsonFile(plan)
    const text =
      json.head(0) +
      json.rows(Float64Array.from([...row(at, 1.5), ...row(at + 900_000, Number.NaN)]), true) +
      json.tail
    const file = await open(text)
    expect(file).toMatchObject({ container: 'json', encoding: 'utf-8', delimiter: undefined, skipped: [] })
    expect(file.grid).toEqual([
      [
        'Timestamp',
        'Time',
        'kWh (kWh)',
        'Quality',
        'HomeName',
        'Resolution',
        'PeripheralUID',
        'PeripheralName',
        'TimeZone',
      ],
      [at, '2026-06-01T00:00:00+08:00', 1.5, 'Measured', '總部', 'quarter', 'm1', '1F 總電表', 'Asia/Taipei'],
      [
        at + 900_000,
        '2026-06-01T00:15:00+08:00',
        '',
        'Measured',
        '總部',
        'quarter',
        'm1',
        '1F 總電表',
        'Asia/Taipei',
      ],
    ])
    expect(file.lineOf).toEqual([1, 2, 3])
    await expect(open(json.head(0) + json.tail)).rejects.toMatchObject({ fault: 'empty' })
  })

  it('may be a list of objects, with different fields, values and objects in them', async () => {
    const { grid } = await openJson([
      { time: '2026-06-01', value: 1, ok: true, reading: { kWh: 2 }, tags: ['a', 1] },
      { time: '2026-06-02', note: null, value: '3' },
    ])
    expect(grid).toEqual([
      ['time', 'value', 'ok', 'reading.kWh', 'tags', 'note'],
      ['2026-06-01', 1, 'true', 2, '["a",1]'],
      ['2026-06-02', '3', '', '', '', ''],
    ])
  })

  it('may be a list of times and values (emoncms), or a table with its own heading', async () => {
    expect(
      (
        await openJson([
          [1_780_272_000_000, 1.5],
          [1_780_272_900_000, null],
        ])
      ).grid,
    ).toEqual([
      ['time', 'value'],
      [1_780_272_000_000, 1.5],
      [1_780_272_900_000, ''],
    ])
    expect((await openJson([[1, 2, 3]])).grid[0]).toEqual(['time', 'value1', 'value2'])
    expect(
      (
        await openJson([
          ['when', 'kWh', 'kWh'],
          ['2026-06-01', 1, 2],
        ])
      ).grid,
    ).toEqual([
      ['when', 'kWh', 'kWh 3'],
      ['2026-06-01', 1, 2],
    ])
    expect(
      (
        await openJson([
          ['2026-06-01', '1'],
          ['2026-06-02', '2'],
        ])
      ).grid,
    ).toHaveLength(3)
  })

  it('may be telemetry of ThingsBoard', async () => {
    const file = await openJson({
      energy: [
        { ts: 1_780_272_000_000, value: '12.5' },
        { ts: 1_780_272_900_000, value: '13' },
      ],
      power: [{ ts: 1_780_272_000_000, value: '7' }],
      voltage: [],
    })
    expect(file.grid).toEqual([
      ['ts', 'value', 'key'],
      [1_780_272_000_000, '12.5', 'energy'],
      [1_780_272_900_000, '13', 'energy'],
      [1_780_272_000_000, '7', 'power'],
    ])
  })

  it('may be a history of Home Assistant, of which only the first state names the entity', async () => {
    const state = (value: string, at: string) => ({ state: value, last_changed: at })
    const { grid } = await openJson([
      [
        {
          entity_id: 'sensor.main',
          attributes: { unit_of_measurement: 'kWh', state_class: 'total_increasing', friendly_name: 'Main' },
          ...state('100', '2026-06-01T00:00:00+00:00'),
        },
        state('unavailable', '2026-06-01T00:15:00+00:00'),
      ],
      [{ entity_id: 'sensor.roof', attributes: {}, state: '7', last_updated: '2026-06-01T00:00:00+00:00' }],
    ])
    expect(grid).toEqual([
      ['entity_id', 'last_changed', 'state', 'unit_of_measurement', 'state_class'],
      ['sensor.main', '2026-06-01T00:00:00+00:00', '100', 'kWh', 'total_increasing'],
      ['sensor.main', '2026-06-01T00:15:00+00:00', 'unavailable', 'kWh', 'total_increasing'],
      ['sensor.roof', '2026-06-01T00:00:00+00:00', '7', '', ''],
    ])
  })

  it.each(['data', 'values', 'readings', 'results', 'anything'])(
    'may be an object with a list: %s',
    async (name) => {
      expect((await openJson({ [name]: [{ t: 1, v: 2 }] })).grid).toEqual([
        ['t', 'v'],
        [1, 2],
      ])
      expect((await openJson({ [name]: [[1, 2]] })).grid).toEqual([
        ['time', 'value'],
        [1, 2],
      ])
    },
  )

  it('may be an answer of Prometheus, with the labels of each series', async () => {
    const series = (circuit: string, first: number) => ({
      metric: { __name__: 'energy_kwh_total', circuit },
      values: [
        [1_780_243_200, String(first)],
        [1_780_244_100, String(first + 1)],
      ],
    })
    const file = await openJson({
      status: 'success',
      data: { resultType: 'matrix', result: [series('AC', 5), series('Light', 7)] },
    })
    expect(file.grid).toEqual([
      ['time', 'value', 'status', 'resultType', 'metric.__name__', 'metric.circuit'],
      [1_780_243_200, '5', 'success', 'matrix', 'energy_kwh_total', 'AC'],
      [1_780_244_100, '6', 'success', 'matrix', 'energy_kwh_total', 'AC'],
      [1_780_243_200, '7', 'success', 'matrix', 'energy_kwh_total', 'Light'],
      [1_780_244_100, '8', 'success', 'matrix', 'energy_kwh_total', 'Light'],
    ])
  })

  it('may be energy details of SolarEdge, or several feeds of emoncms', async () => {
    const meter = (type: string, value: number) => ({
      type,
      values: [{ date: '2026-06-01 00:00:00', value }, { date: '2026-06-01 00:15:00' }],
    })
    const details = await openJson({
      energyDetails: {
        timeUnit: 'QUARTER_OF_AN_HOUR',
        unit: 'Wh',
        meters: [meter('Production', 5), meter('FeedIn', 2)],
      },
    })
    expect(details.grid).toEqual([
      ['date', 'value', 'timeUnit', 'unit', 'type'],
      ['2026-06-01 00:00:00', 5, 'QUARTER_OF_AN_HOUR', 'Wh', 'Production'],
      ['2026-06-01 00:15:00', '', 'QUARTER_OF_AN_HOUR', 'Wh', 'Production'],
      ['2026-06-01 00:00:00', 2, 'QUARTER_OF_AN_HOUR', 'Wh', 'FeedIn'],
      ['2026-06-01 00:15:00', '', 'QUARTER_OF_AN_HOUR', 'Wh', 'FeedIn'],
    ])
    const feeds = await openJson([
      { feedid: '5', data: [[1_780_243_200_000, 1.5]] },
      { feedid: '6', data: [[1_780_243_200_000, null]] },
    ])
    expect(feeds.grid.slice(1)).toEqual([
      [1_780_243_200_000, 1.5, '5'],
      [1_780_243_200_000, '', '6'],
    ])
  })

  it('states what is next to the list: texts as columns, the rest as skipped', async () => {
    const text = JSON.stringify(
      {
        from: '2026-06-01',
        count: 1,
        energy: {
          timeUnit: 'QUARTER',
          unit: 'Wh',
          measuredBy: null,
          values: [{ date: '2026-06-01 00:00:00', value: 7, unit: 'x' }],
        },
        errors: [],
        codes: [1],
        meta: { site: 'HQ' },
      },
      undefined,
      1,
    )
    const { grid, skipped, lineOf } = await open(text)
    expect(grid).toEqual([
      ['date', 'value', 'unit', 'timeUnit', 'unit 2', 'meta.site'],
      ['2026-06-01 00:00:00', 7, 'x', 'QUARTER', 'Wh', 'HQ'],
    ])
    expect(skipped).toEqual([
      { line: 2, reason: 'outsideRows', text: 'from: "2026-06-01"' },
      { line: 3, reason: 'outsideRows', text: 'count: 1' },
      { line: 17, reason: 'outsideRows', text: 'codes: [1]' },
    ])
    expect(lineOf).toEqual([1, 9])
  })

  it('finds lines although keys are repeated, escaped, or have brackets in them', async () => {
    const text = '{"a\\"[{":1,\n"data":[{"t":"]"}],\n\n"d\\u0061ta":[\n{"t":"\\\\"},\n{"t":"{"}]}'
    expect(await open(text)).toMatchObject({ grid: [['t'], ['\\'], ['{']], lineOf: [1, 5, 6] })
  })

  it('may have a value per line, of which broken ones are named', async () => {
    const { grid, lineOf, skipped } = await open(
      '{"t":1,"v":2}\n\n{"t":2,"v":{"x":{}}}\r\n[1]\n{"t":3,"v":4}\n{"t":4,"v"',
    )
    expect(grid).toEqual([
      ['t', 'v'],
      [1, 2],
      [3, 4],
    ])
    expect(lineOf).toEqual([1, 1, 5])
    expect(skipped).toEqual([
      { line: 3, reason: 'notFlat', text: '{"t":2,"v":{"x":{}}}' },
      { line: 4, reason: 'notFlat', text: '[1]' },
      { line: 6, reason: 'notJson', text: '{"t":4,"v"' },
    ])
    expect((await open('[1,2]\n[2,3]\n')).container).toBe('text')
  })

  it('keeps fields with the names of JavaScript', async () => {
    const text = '[{"__proto__":1,"constructor":2,"toString":3}]'
    expect((await open(text)).grid).toEqual([
      ['__proto__', 'constructor', 'toString'],
      [1, 2, 3],
    ])
  })

  it('keeps numbers that are too large as text', async () => {
    expect((await open('[{"a":1e999,"b":-0.5}]')).grid[1]).toEqual(['Infinity', -0.5])
  })

  it.each([
    ['two lists', { a: [{ x: 1 }], b: [{ x: 2 }] }],
    ['no list', { a: 1, b: 'x' }],
    ['lists in rows', { results: [{ series: [{ columns: ['a'], values: [[1]] }] }] }],
    [
      'lists of lists of lists',
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    ['lists of different sorts', [[], []]],
  ])('is rejected with %s', async (_, value) => {
    await expect(openJson(value)).rejects.toMatchObject({ fault: 'unknownJson' })
  })

  it('is rejected if it is empty, invalid or too deep', async () => {
    await expect(open('[]')).rejects.toMatchObject({ fault: 'empty' })
    await expect(open('{"data":[{"a":1}')).rejects.toMatchObject({ fault: 'unknownJson' })
    await expect(open(`{"data":${'['.repeat(100_000)}`)).rejects.toMatchObject({ fault: 'unknownJson' })
    await expect(open(`[${'{},'.repeat(2_100_000)}{}]`)).rejects.toMatchObject({ fault: 'tooManyRows' })
    const wide = Object.fromEntries(Array.from({ length: 1_451 }, (_, i) => [`k${i}`, i]))
    await expect(openJson([wide])).rejects.toMatchObject({ fault: 'tooWide' })
    await expect(openJson([{ a: 'x'.repeat(40_000) }])).rejects.toMatchObject({ fault: 'tooWide' })
  })

  it('is a table if it only begins with a bracket', async () => {
    expect(await open('[Header]\na,b\n1,2\n')).toMatchObject({ container: 'text', grid: { length: 3 } })
  })
})
