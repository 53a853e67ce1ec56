import { describe, expect, it } from 'vitest'
import { nemDay, nemFile, nemMeter, open } from './build-files.ts'

const HEADING = ['From', 'To', 'Meter', 'Value', 'Unit', 'Direction', 'Quality']

describe('a NEM12 file', () => {
  it('becomes a row for each interval, in market time, with meter, unit, direction and quality', async () => {
    const file = await open(
      nemFile(nemMeter('E1', 'KWH', 30), nemDay('20260601', 30), nemDay('20260602', 30, '2')),
    )
    expect(file).toMatchObject({ container: 'nem12', encoding: 'utf-8', delimiter: undefined, skipped: [] })
    expect(file.grid).toHaveLength(1 + 2 * 48)
    expect(file.grid[0]).toEqual(HEADING)
    expect(file.grid[1]).toEqual([
      '2026-06-01T00:00:00+10:00',
      '2026-06-01T00:30:00+10:00',
      'NEM1201009 E1',
      1.5,
      'kWh',
      'import',
      'A',
    ])
    expect(file.grid[48]?.slice(0, 2)).toEqual(['2026-06-01T23:30:00+10:00', '2026-06-02T00:00:00+10:00'])
    expect(file.grid[49]?.slice(0, 4)).toEqual([
      '2026-06-02T00:00:00+10:00',
      '2026-06-02T00:30:00+10:00',
      'NEM1201009 E1',
      2,
    ])
    expect(file.lineOf?.slice(0, 2)).toEqual([1, 3])
    expect(file.lineOf?.[49]).toBe(4)
  })

  it.each([
    [5, 288],
    [15, 96],
    [30, 48],
  ])('may have intervals of %i minutes', async (minutes, count) => {
    const { grid } = await open(nemFile(nemMeter('E1', 'kWh', minutes), nemDay('20260601', minutes)))
    expect(grid).toHaveLength(1 + count)
    expect(grid[2]?.[0]).toBe(`2026-06-01T00:${String(minutes).padStart(2, '0')}:00+10:00`)
  })

  it('states units and directions as they are', async () => {
    const meters = [
      ['B1', 'Wh', 'Wh', 'export'],
      ['E2', 'mwh', 'MWh', 'import'],
      ['Q1', 'kVArh', 'kVArh', ''],
    ] as const
    for (const [suffix, unit, expectedUnit, direction] of meters) {
      const { grid } = await open(nemFile(nemMeter(suffix, unit, 30), nemDay('20260601', 30)))
      expect(grid[1]?.slice(2)).toEqual([`NEM1201009 ${suffix}`, 1.5, expectedUnit, direction, 'A'])
    }
  })

  it('has the qualities of its quality records', async () => {
    const { grid } = await open(
      nemFile(
        nemMeter('E1', 'kWh', 30),
        nemDay('20260601', 30, '1', 'V'),
        '400,1,20,A,,',
        '400,21,24,E52,,',
        '400,25,47,S14,76,',
        nemDay('20260602', 30, '1', 'F16'),
      ),
    )
    const qualities = grid.slice(1).map((row) => row[6])
    expect(qualities.slice(0, 48).join('')).toBe('A'.repeat(20) + 'E'.repeat(4) + 'S'.repeat(23))
    expect(qualities[47]).toBe('')
    expect(new Set(qualities.slice(48))).toEqual(new Set(['F']))
  })

  it('has no rows for intervals without data, and names them', async () => {
    const { grid, skipped } = await open(
      nemFile(
        nemMeter('E1', 'kWh', 30),
        nemDay('20260601', 30, '', 'N'),
        nemDay('20260602', 30, '0', 'V'),
        '400,1,10,A,,',
        '400,11,48,N,,',
        nemDay('20260603', 30).replace('1.5,1.5,', '1.5,x,'),
      ),
    )
    expect(grid).toHaveLength(1 + 10 + 47)
    expect(skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'noValue'],
      [4, 'noValue'],
      [7, 'notNumber'],
    ])
    expect(skipped[1]?.text).toMatch(/^2026-06-02T05:00:00\+10:00 300,20260602,0,/)
  })

  it('names broken records, and reads the others', async () => {
    const day = nemDay('20260601', 30)
    const { grid, skipped } = await open(
      nemFile(
        nemDay('20260601', 30),
        nemMeter('E1', 'kWh', 30),
        day.replace('1.5,', ''),
        day.replace('1.5,', '1.5,1.5,'),
        nemDay('20260230', 30),
        nemDay('01062026', 30),
        '400,1,48,A,,',
        day,
        '400,40,49,A,,',
        '500,O,S01009,20260602120000,1123.5',
        '777,x',
        nemMeter('E1', 'kWh', 60),
        day,
        '200,,,,,,,kWh,30,',
      ),
    )
    expect(grid).toHaveLength(1 + 48)
    expect(skipped.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'noMeter'],
      [4, 'valueCount'],
      [5, 'valueCount'],
      [6, 'notDate'],
      [7, 'notDate'],
      [8, 'intervalRange'],
      [10, 'intervalRange'],
      [11, 'indexRead'],
      [12, 'unknownRecord'],
      [13, 'intervalLength'],
      [14, 'intervalLength'],
      [15, 'noMeter'],
    ])
    expect(skipped[1]?.text.length).toBeLessThanOrEqual(120)
  })

  it('may begin with the meter, and is cut off without an end record', async () => {
    const { container, skipped } = await open(`${nemMeter('E1', 'kWh', 30)}\n${nemDay('20260601', 30)}\n`)
    expect(container).toBe('nem12')
    expect(skipped.map(({ line, reason }) => [line, reason])).toEqual([[3, 'cutOff']])
  })

  it('is rejected without a row, and as NEM13', async () => {
    await expect(open(nemFile(nemMeter('E1', 'kWh', 30)))).rejects.toMatchObject({ fault: 'empty' })
    await expect(open('100,NEM13,202606020101,A,B\n900\n')).rejects.toMatchObject({ fault: 'nem13' })
    await expect(open(nemFile('250,NEM1201009,11,1,11,11,01009,E,1,20260601'))).rejects.toMatchObject({
      fault: 'nem13',
    })
  })
})
