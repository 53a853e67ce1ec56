import { describe, expect, it } from 'vitest'
import { bandParts, partsOfDay, periodsBetween, tierCharge } from '../../../contract/tariffs/energy-totals.ts'
import { isTopMeter, meterPositions } from '../../../contract/meters/meter-tree.ts'
import { parseDay, QUARTER_MS, quartersOfDay, startOfDay } from '../../../contract/time/periods.ts'
import { seeded } from '../../support/stored-energy.ts'

const ZONES = ['Asia/Taipei', 'Europe/Berlin', 'America/Santiago', 'Asia/Kathmandu', 'Australia/Lord_Howe']

describe('periods', () => {
  it.each(ZONES)('cover every interval of every day once, in each resolution (%s)', (zone) => {
    for (const date of ['2025-03-30', '2025-04-06', '2025-09-07', '2025-10-05', '2025-10-26', '2026-01-05']) {
      const day = parseDay(date)
      const [start, next] = [startOfDay(day, zone), startOfDay(day + 1, zone)]
      for (const resolution of ['quarter', 'hour', 'day', 'month'] as const) {
        const periods = periodsBetween(resolution, start, next, zone)
        const parts = partsOfDay(periods, start, next)
        expect(parts[0]?.from).toBe(0)
        expect(parts.at(-1)?.to).toBe(quartersOfDay(day, zone))
        expect(parts.slice(1).map(({ from }) => from)).toEqual(parts.slice(0, -1).map(({ to }) => to))
        expect(parts.map(({ period }) => period)).toEqual(parts.map((_, i) => i))
        expect(periods.starts).toEqual(periods.starts.toSorted((a, b) => a - b))
        expect(periods.end).toBeGreaterThanOrEqual(next)
      }
    }
  })

  it('are whole: one that the range only touches is returned in full', () => {
    const start = startOfDay(parseDay('2026-01-05'), 'Asia/Taipei')
    const { starts, end } = periodsBetween(
      'hour',
      start + 5 * QUARTER_MS,
      start + 9 * QUARTER_MS,
      'Asia/Taipei',
    )
    expect(starts).toEqual([start + 4 * QUARTER_MS, start + 8 * QUARTER_MS])
    expect(end).toBe(start + 12 * QUARTER_MS)
  })
})

describe('bands of a day', () => {
  const spans = [
    { FromMinute: 0, ThroughMinute: 150, name: 'night' },
    { FromMinute: 150, ThroughMinute: 1440, name: 'day' },
  ]
  it('follow the minutes of a normal day', () => {
    expect(bandParts(spans).map(({ from, to }) => [from, to])).toEqual([
      [0, 10],
      [10, 96],
    ])
  })
  it('follow local time when an hour comes twice', () => {
    const minutes = Array.from({ length: 100 }, (_, i) => (i < 12 ? i : i - 4) * 15)
    expect(bandParts(spans, minutes).map(({ span, from, to }) => [span.name, from, to])).toEqual([
      ['night', 0, 10],
      ['day', 10, 12],
      ['night', 12, 14],
      ['day', 14, 100],
    ])
  })
})

describe('the charge of tiers', () => {
  const tiers = [
    { ThroughKwh: 100, Price: 1 },
    { ThroughKwh: 300, Price: 2 },
    { ThroughKwh: null, Price: 5 },
  ]
  it.each([
    [0, 0],
    [100, 100],
    [150, 200],
    [300, 500],
    [310, 550],
  ])('for %d kWh is %d', (kwh, charge) => expect(tierCharge(kwh, tiers)).toBe(charge))
  it('applies each tier for its share of a month', () => {
    expect(tierCharge(155, tiers, 0.5)).toBe(tierCharge(310, tiers) / 2)
  })
})

describe('a tree of meters', () => {
  it('breaks a loop at its first meter, so that its energy is not lost', () => {
    const stands = meterPositions([
      { PeripheralUID: 'a', ParentMeter: 'b' },
      { PeripheralUID: 'b', ParentMeter: 'a' },
      { PeripheralUID: 'c', ParentMeter: 'c' },
    ])
    expect(Object.fromEntries(stands)).toEqual({ a: 'main', b: 'sub', c: 'alone' })
  })

  it('adds up: the parts equal the total in any tree', () => {
    const random = seeded(11)
    for (let round = 0; round < 200; round++) {
      const meters = Array.from({ length: 1 + Math.floor(random() * 12) }, (_, i) => ({
        PeripheralUID: `m${i}`,
        // A parent is an earlier meter of the list, or one outside the list.
        ParentMeter:
          random() < 0.6 && i > 0 ? `m${Math.floor(random() * i)}` : random() < 0.2 ? 'gone' : null,
        kwh: random() * 10,
      }))
      const stands = meterPositions(meters)
      const sum = (...which: string[]) =>
        meters
          .filter(({ PeripheralUID }) => which.includes(stands.get(PeripheralUID) ?? ''))
          .reduce((all, { kwh }) => all + kwh, 0)
      const total = meters
        .filter(({ PeripheralUID }) => isTopMeter(stands.get(PeripheralUID)))
        .reduce((all, { kwh }) => all + kwh, 0)
      const untracked = sum('main') - sum('sub')
      expect(sum('alone', 'sub') + untracked).toBeCloseTo(total, 9)
      // The same holds for the energy of each main meter: its submeters and the remainder.
      const remainders = meters.map(({ PeripheralUID, kwh }) => {
        const below = meters.filter(({ ParentMeter }) => ParentMeter === PeripheralUID)
        return below.length ? kwh - below.reduce((all, one) => all + one.kwh, 0) : 0
      })
      expect(remainders.reduce((all, one) => all + one, 0)).toBeCloseTo(untracked, 9)
    }
  })
})
