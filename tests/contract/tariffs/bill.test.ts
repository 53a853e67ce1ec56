import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bill, type BillPart, type BillTerms, billOf } from '../../../contract/tariffs/bill.ts'
import { parseDay } from '../../../contract/time/periods.ts'
import { TAIPOWER_PLANS, taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import { BANDS, seasonOf, type TariffVersion, versionOn } from '../../../contract/tariffs/tariff-terms.ts'

const part = (plan: string, date: string, changes: Partial<BillPart>): BillPart => {
  const version = versionOn(taipowerPlan(plan)?.Versions ?? [], parseDay(date)) as TariffVersion
  return { version, season: seasonOf(version, parseDay(date)), Days: 30, kWh: {}, peakKw: {}, ...changes }
}
/** The same with other prices, as in an outdated table. */
const repriced = (
  plan: string,
  date: string,
  Prices: object,
  BasicCharge: number,
  CapacityRates: object,
  changes: Partial<BillPart>,
): BillPart => {
  const one = part(plan, date, changes)
  return {
    ...one,
    version: { ...one.version, BasicCharge: { single: BasicCharge, three: BasicCharge } },
    season: { ...one.season, Prices, CapacityRates },
  }
}
const terms = (changes: Partial<BillTerms> = {}): BillTerms => ({
  Capacities: {},
  Phases: 'single',
  PowerFactor: null,
  ...changes,
})
const lines = ({ Lines }: Bill) => Lines.map(({ Item, Detail, Amount }) => `${Item} ${Detail} ${Amount}`)

describe('a bill', () => {
  it.each([
    ['residential_standard', 400, 975.1],
    ['residential_standard', 800, 2977.1],
    ['commercial_standard', 1800, 7907.5],
  ])('of %s for %d kWh in the summer of 2024 is NT$ %d', (plan, kWh, total) => {
    expect(billOf([part(plan, '2024-07-01', { kWh: { flat: kWh } })], 30, 1, terms()).Total).toBe(total)
  })

  it.each([
    [
      'high voltage, two stages',
      repriced(
        'hv_two_stage',
        '2025-07-01',
        { peak: 3.13, saturdaySemiPeak: 1.97, offPeak: 1.35 },
        0,
        { regular: 223.6 },
        { kWh: { peak: 15_600, saturdaySemiPeak: 5_000, offPeak: 13_000 } },
      ),
      150,
      109_768,
    ],
    [
      'high voltage, three stages',
      repriced(
        'hv_three_stage',
        '2025-07-01',
        { peak: 4.41, semiPeak: 2.76, saturdaySemiPeak: 1.78, offPeak: 1.26 },
        0,
        { regular: 223.6 },
        { kWh: { peak: 10_000, semiPeak: 15_000, saturdaySemiPeak: 5_000, offPeak: 20_000 } },
      ),
      500,
      231_400,
    ],
    [
      'low voltage, agreed demand',
      repriced(
        'lv_two_stage',
        '2025-07-01',
        { peak: 3.24, saturdaySemiPeak: 2.14, offPeak: 1.39 },
        262.5,
        { regular: 236.2 },
        { kWh: { peak: 6_000, saturdaySemiPeak: 1_000, offPeak: 4_000 } },
      ),
      95,
      49_841.5,
    ],
    [
      'low voltage, installed load',
      repriced(
        'lv_two_stage',
        '2025-07-01',
        { peak: 3.24, saturdaySemiPeak: 2.14, offPeak: 1.39 },
        105,
        { regular: 137.5 },
        { kWh: { peak: 2_000, saturdaySemiPeak: 1_000, offPeak: 1_500 } },
      ),
      30,
      14_935,
    ],
  ])('of %s matches the printed example', (_, one, regular, total) => {
    expect(billOf([one], 30, 1, terms({ Capacities: { regular } })).Total).toBe(total)
  })

  it('doubles tiers and monthly charges if the meter is read every two months', () => {
    const twice = billOf(
      [part('residential_standard', '2024-07-01', { Days: 61, kWh: { flat: 800 } })],
      61,
      2,
      terms(),
    )
    expect(twice.Total).toBe(2 * 975.1)
    const simple = part('residential_two_stage', '2026-07-01', { Days: 61, kWh: { offPeak: 4_100 } })
    expect(lines(billOf([simple], 61, 2, terms()))).toEqual([
      'basic single 150',
      'energy offPeak 8446',
      'surcharge 4000 104',
    ])
  })

  it('prorates by days a period split by two seasons or prices', () => {
    const parts = [
      part('residential_standard', '2025-09-01', { Days: 15, kWh: { flat: 200 } }),
      part('residential_standard', '2025-10-01', { Days: 15, kWh: { flat: 200 } }),
    ]
    // Half of each tier: 60, 105 and 35 kWh.
    const [summer, winter] = [60 * 1.68 + 105 * 2.45 + 35 * 3.7, 60 * 1.78 + 105 * 2.26 + 35 * 3.13]
    expect(billOf(parts, 30, 1, terms()).Total).toBeCloseTo(summer + winter, 2)
  })

  it('with a contract change on the eleventh day is prorated by days, except its energy', () => {
    const agreed = (regular: number, Phases: 'single' | 'three', PowerFactor: number | null) =>
      terms({ Capacities: { regular }, Phases, PowerFactor })
    const bill = billOf(
      [
        part('lv_two_stage', '2026-07-01', {
          Days: 10,
          kWh: { peak: 900.4, offPeak: 300 },
          peakKw: { peak: 60 },
          terms: agreed(50, 'three', null),
        }),
        part('lv_two_stage', '2026-07-01', {
          Days: 21,
          kWh: { peak: 2_000.6, offPeak: 700 },
          peakKw: { peak: 79 },
          terms: agreed(80, 'three', 95),
        }),
      ],
      31,
      1,
      terms(),
    )
    // 262.50 per month; 236.20 per kW; ten of 31 days, five kW at twice and five at three times the rate.
    expect(lines(bill)).toEqual([
      'basic three 84.68',
      'capacity regular 3809.68',
      'basic three 177.82',
      'capacity regular 12800.52',
      `energy peak ${Math.round(2_901 * 5.54 * 100) / 100}`,
      `energy offPeak ${Math.round(1_000 * 2.27 * 100) / 100}`,
      'overCapacity peak 761.94',
      'overCapacity peak 1142.9',
      // (10 x 80 + 21 x 95) / 31 = 90.16 %, billed as 90: ten points.
      `powerFactor 90 ${-Math.round((3809.68 + 12800.52 + 16071.54 + 2270) * 10 * 0.1) / 100}`,
    ])
  })

  it("of two months split by a season prorates two-month tiers by days, for each part's energy", () => {
    // September and October 2026: 30 of 61 days are summer.
    const bill = billOf(
      [
        part('residential_standard', '2026-09-01', { Days: 30, kWh: { flat: 500 } }),
        part('residential_standard', '2026-10-01', { Days: 31, kWh: { flat: 200 } }),
      ],
      61,
      2,
      terms(),
    )
    expect(
      bill.Lines.map(({ Season, Detail, Quantity, Price }) => [Season, Number(Detail), Quantity, Price]),
    ).toEqual([
      ['summer', 0, 118.03, 1.78],
      ['summer', 118.03, 206.56, 2.55],
      ['summer', 324.59, 167.21, 3.8],
      ['summer', 491.8, 8.2, 5.14],
      ['nonSummer', 0, 121.97, 1.78],
      ['nonSummer', 121.97, 78.03, 2.26],
    ])
    expect(bill.Total).toBe(1807.83)
  })

  it('has as many kWh in its tiers as were counted, in order, whatever the prorating', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 62 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (Days, hundredths) => {
          const one = part('residential_standard', '2026-07-01', { Days, kWh: { flat: hundredths / 100 } })
          const tiers = billOf([one], 62, 2, terms()).Lines.filter(({ Item }) => Item === 'tier')
          // In hundredths of a kWh, which are whole numbers.
          const whole = (value: number) => Math.round(value * 100)
          expect(tiers.reduce((all, { Quantity }) => all + whole(Quantity), 0)).toBe(hundredths)
          expect(tiers.slice(1).map(({ Detail }) => whole(Number(Detail)))).toEqual(
            tiers.slice(0, -1).map(({ Detail, Quantity }) => whole(Number(Detail)) + whole(Quantity)),
          )
        },
      ),
    )
  })

  it('rounds half a cent up in large amounts too', () => {
    // In integers: hundredths of a kWh times hundredths of a NT$ are ten-thousandths.
    const roundedUp = (hundredths: number, price: number) =>
      Number((BigInt(hundredths) * BigInt(price) + 50n) / 100n) / 100
    const lv = part('lv_two_stage', '2026-07-01', {})
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4_000_000_000 }),
        fc.integer({ min: 0, max: 4_999 }),
        (twenties, price) => {
          // A product of five hundredths of a kWh and an odd number of tenths of a NT$ ends on half a cent.
          const [hundredths, of] = [twenties * 10 + 5, price * 2 + 1]
          const one = {
            ...lv,
            season: { ...lv.season, Prices: { peak: (of * 10) / 100 } },
            kWh: { peak: hundredths / 100 },
          }
          const [energy] = billOf([one], 30, 1, terms()).Lines.filter(({ Item }) => Item === 'energy')
          expect(energy?.Amount).toBe(roundedUp(hundredths, of * 10))
        },
      ),
    )
  })

  it('excludes days of a tariff without a power factor', () => {
    const billed = part('lv_two_stage', '2026-07-01', { Days: 10, kWh: { peak: 1000 } })
    const [version, season] = [
      { ...billed.version, PowerFactor: false },
      { ...billed.season, Prices: { peak: 3 } },
    ]
    const other = { ...billed, version, season, Days: 20, kWh: { peak: 500 } }
    for (const parts of [
      [billed, other],
      [other, billed],
    ]) {
      const bill = billOf(parts, 30, 1, terms({ PowerFactor: 95 }))
      // 15 x 0.1 % of 1,000 kWh at 5.54.
      expect(lines(bill).filter((one) => one.startsWith('powerFactor'))).toEqual(['powerFactor 95 -83.1'])
    }
    expect(billOf([other], 30, 1, terms({ PowerFactor: 95 })).Lines.map(({ Item }) => Item)).toEqual([
      'basic',
      'energy',
    ])
  })

  it('is at least NT$ 100 for lighting without time of use', () => {
    expect(
      lines(billOf([part('residential_standard', '2026-07-01', { kWh: { flat: 10 } })], 30, 1, terms())),
    ).toEqual(['tier 0 17.8', 'minimum  82.2'])
  })

  it('charges excess demand twice up to 10 %, three times beyond, and no kW twice', () => {
    const one = part('hv_two_stage', '2026-07-01', {
      peakKw: { peak: 130, saturdaySemiPeak: 125, offPeak: 140 },
    })
    const bill = billOf([one], 30, 1, terms({ Capacities: { regular: 100 } }))
    expect(bill.Lines.filter(({ Item }) => Item === 'overCapacity')).toMatchObject([
      { Detail: 'peak', Quantity: 10, Price: 223.6, Factor: 2, Amount: 4472 },
      { Detail: 'peak', Quantity: 20, Price: 223.6, Factor: 3, Amount: 13_416 },
      // 40 kW over the contract, 30 of which are already charged in the peak hours.
      { Detail: 'offPeak', Quantity: 10, Price: 44.7, Factor: 2, Amount: 894 },
    ])
  })

  it('charges off-peak capacity only beyond half of the peak capacity', () => {
    const one = part('hv_three_stage', '2026-07-01', {})
    const Capacities = { regular: 100, semiPeak: 20, saturdaySemiPeak: 50, offPeak: 30 }
    expect(lines(billOf([one], 30, 1, terms({ Capacities })))).toEqual([
      'capacity regular 22360',
      'capacity semiPeak 3338',
      'capacity offPeak 894',
    ])
    const winter = part('hv_two_stage', '2026-01-05', {})
    expect(lines(billOf([winter], 30, 1, terms({ Capacities: { regular: 100, nonSummer: 10 } })))).toEqual([
      'capacity regular 16690',
      'capacity nonSummer 1669',
    ])
  })

  it.each([
    [70, 1],
    [80, 0],
    [95, -1.5],
    [100, -1.5],
    // Only whole percentage points are billed.
    [89.99, -0.9],
    [79.01, 0.1],
  ])('with a power factor of %s percent changes by %s percent', (PowerFactor, percent) => {
    const one = part('lv_two_stage', '2026-07-01', { kWh: { peak: 1000 } })
    const { Total } = billOf([one], 30, 1, terms({ PowerFactor }))
    expect(Total).toBeCloseTo(262.5 + 5540 * (1 + percent / 100), 2)
  })

  it('is the sum of its lines, each quantity times price, for any usage', () => {
    const one = fc.constantFrom(
      ...TAIPOWER_PLANS.flatMap(({ Versions }) =>
        Versions.flatMap((version) => version.Seasons.map((season) => ({ version, season }))),
      ),
    )
    const numbers = fc.record(
      Object.fromEntries(BANDS.map((band) => [band, fc.double({ min: 0, max: 50_000, noNaN: true })])),
    )
    fc.assert(
      fc.property(one, numbers, numbers, fc.integer({ min: 1, max: 31 }), (of, kWh, peakKw, Days) => {
        const allowed = new Set(Object.keys(of.season.Prices))
        const only = Object.fromEntries(
          Object.entries(kWh).filter(([band]) =>
            of.version.Kind === 'tiered' ? band === 'flat' : allowed.has(band),
          ),
        )
        const bill = billOf(
          [{ ...of, Days, kWh: only, peakKw }],
          31,
          1,
          terms({ Capacities: { regular: 50 } }),
        )
        for (const { Quantity, Price, Factor, Amount } of bill.Lines)
          expect(Amount).toBeCloseTo(Quantity * Price * Factor, 1)
        expect(bill.Total).toBeCloseTo(
          bill.Lines.reduce((all, { Amount }) => all + Amount, 0),
          4,
        )
        const charged = bill.Lines.filter(({ Item }) => Item === 'energy' || Item === 'tier')
        expect(charged.reduce((all, { Quantity }) => all + Quantity, 0)).toBeCloseTo(
          Object.values(only).reduce((all, value) => all + value, 0),
          1,
        )
      }),
    )
  })
})
