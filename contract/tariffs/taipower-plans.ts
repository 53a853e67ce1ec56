import type { Band, Capacity, TariffSeason, TariffTier, TariffVersion, TariffWindow } from './tariff-terms.ts'
import type { DayType } from '../time/periods.ts'

/**
 * Taipower plan with its known figures, NT$ with tax: the tables of 2025-10-01 and 2022-12-28 are official, those between were reported
 * by others. A date without a version has no price here; a company can enter its own.
 */
export interface TaipowerPlan {
  PlanID: string
  /** Oldest first; may have gaps. */
  Versions: TariffVersion[]
  /** Source of each version: Taipower's own table, several other reports, or inference. */
  Sources: ('official' | 'reported' | 'inferred')[]
}

type Pair = readonly [summer: number, nonSummer: number]
/** Null if a season has no such band. */
type Price = readonly [summer: number, nonSummer: number | null]
type Hours = readonly (readonly [from: number, through: number, band: TariffWindow['Band']])[]
type SeasonKey = 'summer' | 'nonSummer'

const windows = (hours: Hours): TariffWindow[] =>
  hours.map(([from, through, Band]) => ({ FromMinute: from * 60, ThroughMinute: through * 60, Band }))
const ALL_OFF_PEAK: Hours = [[0, 24, 'offPeak']]
/** Hours of a day with one busy band, by season. */
const busy = (season: SeasonKey, band: TariffWindow['Band']): Hours =>
  season === 'summer'
    ? [
        [0, 9, 'offPeak'],
        [9, 24, band],
      ]
    : [
        [0, 6, 'offPeak'],
        [6, 11, band],
        [11, 14, 'offPeak'],
        [14, 24, band],
      ]

const WEEKDAYS = {
  twoStage: { summer: busy('summer', 'peak'), nonSummer: busy('nonSummer', 'peak') },
  threeStage: {
    summer: [
      [0, 9, 'offPeak'],
      [9, 16, 'semiPeak'],
      [16, 22, 'peak'],
      [22, 24, 'semiPeak'],
    ],
    nonSummer: busy('nonSummer', 'semiPeak'),
  },
  // Only announced days have a peak (`announcedDay`).
  variablePeak: { summer: busy('summer', 'semiPeak'), nonSummer: busy('nonSummer', 'semiPeak') },
  batch: {
    summer: [
      [0, 15.5, 'offPeak'],
      [15.5, 21.5, 'peak'],
      [21.5, 24, 'offPeak'],
    ],
    nonSummer: [
      [0, 15.5, 'offPeak'],
      [15.5, 21.5, 'peak'],
      [21.5, 24, 'offPeak'],
    ],
  },
  vehicles: {
    summer: [
      [0, 16, 'offPeak'],
      [16, 22, 'peak'],
      [22, 24, 'offPeak'],
    ],
    nonSummer: [
      [0, 15, 'offPeak'],
      [15, 21, 'peak'],
      [21, 24, 'offPeak'],
    ],
  },
} as const satisfies Record<string, Record<SeasonKey, Hours>>
type Stage = keyof typeof WEEKDAYS

/** Bands of a Saturday in plans with a half peak: the hours that are busy on a weekday. */
const saturdayOf = (stage: Stage, season: SeasonKey): Hours =>
  stage === 'batch'
    ? WEEKDAYS.batch[season].map(([a, b, band]) => [a, b, band === 'peak' ? 'saturdaySemiPeak' : band])
    : busy(season, 'saturdaySemiPeak')

const NO_WINDOWS: Record<DayType, TariffWindow[]> = { weekday: [], saturday: [], offPeakDay: [] }
const SUMMERS = {
  low: { summer: ['06-01', '09-30'], nonSummer: ['10-01', '05-31'] },
  high: { summer: ['05-16', '10-15'], nonSummer: ['10-16', '05-15'] },
} as const
type Voltage = keyof typeof SUMMERS

/** Builds both seasons from season-specific fields. */
const seasons = (
  voltage: Voltage,
  of: (season: SeasonKey, i: 0 | 1) => Partial<TariffSeason>,
): TariffSeason[] =>
  (['summer', 'nonSummer'] as const).map((Season, i) => ({
    Season,
    From: SUMMERS[voltage][Season][0],
    Through: SUMMERS[voltage][Season][1],
    Windows: NO_WINDOWS,
    Prices: {},
    Tiers: [],
    CapacityRates: {},
    ...of(Season, i as 0 | 1),
  }))

type Prices = Partial<Record<Band, Price>>
const ofSeason = (prices: Prices, i: 0 | 1): Partial<Record<Band, number>> =>
  Object.fromEntries(
    Object.entries<Price>(prices).flatMap(([band, { [i]: price }]) =>
      price === null ? [] : [[band, price]],
    ),
  )

interface Validity {
  from: string
  through: string | null
}
const base = ({ from, through }: Validity): Omit<TariffVersion, 'Kind' | 'Seasons'> => ({
  ValidFrom: from,
  ValidThrough: through,
  BasicCharge: { single: 0, three: 0 },
  Surcharge: null,
  MinimumBill: 0,
  PowerFactor: false,
})

/** Lighting without time of use; `limits` in kWh a month, with one more price than limits. */
function tiered(validity: Validity, limits: readonly number[], prices: readonly Pair[]): TariffVersion {
  const Seasons = seasons('low', (_, i) => ({
    Tiers: prices.map((pair, n): TariffTier => ({ ThroughKwh: limits[n] ?? null, Price: pair[i] })),
  }))
  return { ...base(validity), Kind: 'tiered', Seasons, MinimumBill: 100, PowerFactor: true }
}

/** Simple time of use (簡易型): no contract, Saturdays off-peak, a surcharge above 2,000 kWh a month. */
function simple(validity: Validity, stage: Stage, prices: Prices, surcharge: number): TariffVersion {
  const Seasons = seasons('low', (season, i) => ({
    Windows: {
      weekday: windows(WEEKDAYS[stage][season]),
      saturday: windows(ALL_OFF_PEAK),
      offPeakDay: windows(ALL_OFF_PEAK),
    },
    Prices: ofSeason(prices, i),
  }))
  return {
    ...base(validity),
    Kind: 'timeOfUse',
    Seasons,
    BasicCharge: { single: 75, three: 75 },
    Surcharge: { OverKwh: 2000, Price: surcharge },
    PowerFactor: true,
  }
}

/** Time of use with contract capacity. */
function demand(
  validity: Validity,
  { stage, voltage, rates, connection, saturday = 'halfPeak' }: DemandPlan,
  prices: Prices,
): TariffVersion {
  const Seasons = seasons(voltage, (season, i) => ({
    Windows: {
      weekday: windows(WEEKDAYS[stage][season]),
      saturday: windows(saturday === 'halfPeak' ? saturdayOf(stage, season) : ALL_OFF_PEAK),
      offPeakDay: windows(ALL_OFF_PEAK),
      ...(stage === 'variablePeak' &&
        season === 'summer' && { announcedDay: windows(WEEKDAYS.threeStage.summer) }),
    },
    Prices: ofSeason(prices, i),
    CapacityRates: ratesOf(rates, stage, season, i),
  }))
  return { ...base(validity), Kind: 'timeOfUse', Seasons, BasicCharge: connection, PowerFactor: true }
}
interface Rates {
  regular: Pair
  offPeak?: Pair
}
interface DemandPlan {
  stage: Stage
  voltage: Voltage
  rates: Rates
  connection: TariffVersion['BasicCharge']
  saturday?: 'halfPeak' | 'offPeak'
}

/** Rates by contract: capacity beyond the regular contract costs the non-summer rate all year; with two stages, only outside summer. */
function ratesOf(
  { regular, offPeak }: Rates,
  stage: Stage,
  season: SeasonKey,
  i: 0 | 1,
): Partial<Record<Capacity, number>> {
  const rates: Partial<Record<Capacity, number>> = { regular: regular[i] }
  if (!offPeak) return rates
  if (stage === 'threeStage' || stage === 'variablePeak') rates.semiPeak = regular[1]
  else if (season === 'nonSummer') rates.nonSummer = regular[1]
  return { ...rates, saturdaySemiPeak: offPeak[i], offPeak: offPeak[i] }
}

const LOW_RATES: Rates = { regular: [236.2, 173.2], offPeak: [47.2, 34.6] }
const HIGH_RATES: Rates = { regular: [223.6, 166.9], offPeak: [44.7, 33.3] }
const EXTRA_RATES: Rates = { regular: [217.3, 160.6], offPeak: [43.4, 32.1] }
const LIGHTING = { single: 129.1, three: 262.5 }
const POWER = { single: 262.5, three: 262.5 }
const NONE = { single: 0, three: 0 }

const OLD: Validity = { from: '2018-04-01', through: '2022-06-30' }
const OF_2022: Validity = { from: '2022-07-01', through: '2023-03-31' }
const OF_2023_01: Validity = { from: '2023-01-01', through: '2023-03-31' }
const OF_2023_04: Validity = { from: '2023-04-01', through: '2024-03-31' }
const OF_2024_04: Validity = { from: '2024-04-01', through: '2025-09-30' }
const OF_2024_10: Validity = { from: '2024-10-16', through: '2025-09-30' }
const CURRENT: Validity = { from: '2025-10-01', through: null }
/** Schools, welfare, farming and fishery still pay the table of 2022-12-28. */
const FROZEN: Validity = { from: '2023-01-01', through: null }

const HOME_LIMITS = [120, 330, 500, 700, 1000]
const SHOP_LIMITS = [330, 700, 1500, 3000]

const residential = (): TariffVersion[] => {
  const first: Pair[] = [
    [1.63, 1.63],
    [2.38, 2.1],
    [3.52, 2.89],
    [4.8, 3.94],
  ]
  return [
    tiered(OLD, HOME_LIMITS, [...first, [5.66, 4.6], [6.41, 5.03]]),
    tiered(OF_2022, HOME_LIMITS, [...first, [5.66, 4.6], [6.99, 5.48]]),
    tiered(OF_2023_04, HOME_LIMITS, [...first, [5.83, 4.74], [7.69, 6.03]]),
    tiered(OF_2024_04, HOME_LIMITS, [
      [1.68, 1.68],
      [2.45, 2.16],
      [3.7, 3.03],
      [5.04, 4.14],
      [6.24, 5.07],
      [8.46, 6.63],
    ]),
    tiered(CURRENT, HOME_LIMITS, [
      [1.78, 1.78],
      [2.55, 2.26],
      [3.8, 3.13],
      [5.14, 4.24],
      [6.44, 5.27],
      [8.86, 7.03],
    ]),
  ]
}

const commercial = (): TariffVersion[] => [
  tiered(OF_2022, SHOP_LIMITS.slice(0, 3), [
    [2.53, 2.12],
    [3.55, 2.91],
    [4.25, 3.44],
    [6.43, 5.05],
  ]),
  tiered(OF_2024_04, SHOP_LIMITS, [
    [2.61, 2.18],
    [3.66, 3.0],
    [4.46, 3.61],
    [7.08, 5.56],
    [7.43, 5.83],
  ]),
  tiered(CURRENT, SHOP_LIMITS, [
    [2.71, 2.28],
    [3.76, 3.1],
    [4.46, 3.61],
    [7.08, 5.56],
    [7.43, 5.83],
  ]),
]

/** Low voltage without time of use: one price per season, and contract capacity. */
function lowStandard(validity: Validity, flat: Pair): TariffVersion {
  const Seasons = seasons('low', (season, i) => ({
    Prices: { flat: flat[i] },
    CapacityRates: {
      regular: LOW_RATES.regular[i],
      ...(season === 'nonSummer' && { nonSummer: LOW_RATES.regular[1] }),
    },
  }))
  return { ...base(validity), Kind: 'flat', Seasons, PowerFactor: true }
}

/** Prices of a plan with a Saturday half peak. */
const twoStage = (peak: Pair, saturdaySemiPeak: Pair, offPeak: Pair): Prices => ({
  peak,
  saturdaySemiPeak,
  offPeak,
})
const threeStage = (peak: number, semiPeak: Pair, saturdaySemiPeak: Pair, offPeak: Pair): Prices => ({
  peak: [peak, null],
  semiPeak,
  saturdaySemiPeak,
  offPeak,
})

const LOW_TWO = twoStage([5.54, 5.39], [2.76, 2.65], [2.27, 2.15])
const LOW_THREE = threeStage(8.12, [5.02, 4.86], [2.5, 2.4], [2.23, 2.12])
const FROZEN_TWO = twoStage([3.51, 3.42], [2.14, 2.06], [1.46, 1.39])
const FROZEN_THREE = threeStage(5.19, [3.22, 3.13], [1.94, 1.86], [1.44, 1.37])

const plan = (
  PlanID: string,
  ...versions: [source: TaipowerPlan['Sources'][number], version: TariffVersion][]
): TaipowerPlan => ({
  PlanID,
  Versions: versions.map(([, version]) => version),
  Sources: versions.map(([source]) => source),
})

/** Plan whose figures of 2024-10-16 were not raised on 2025-10-01, with its frozen table if there is one. */
function demandPlans(
  PlanID: string,
  before: TaipowerPlan['Sources'][number],
  of: DemandPlan,
  prices: Prices,
  frozen?: Prices,
): TaipowerPlan[] {
  const plans = [
    plan(PlanID, [before, demand(OF_2024_10, of, prices)], ['official', demand(CURRENT, of, prices)]),
  ]
  if (frozen) plans.push(plan(`${PlanID}_frozen`, ['official', demand(FROZEN, of, frozen)]))
  return plans
}

const low = { voltage: 'low', rates: LOW_RATES } as const
const high = { voltage: 'high', rates: HIGH_RATES, connection: NONE } as const
const extra = { voltage: 'high', rates: EXTRA_RATES, connection: NONE } as const

/** Sources of the progressive residential tables, in the order of `residential()`. */
const RESIDENTIAL_SOURCES: TaipowerPlan['Sources'] = [
  'reported',
  'official',
  'reported',
  'reported',
  'official',
]

/** All built-in plans. Those with variable peak hours need the days that Taipower announces (`peak-days.ts`). */
export const TAIPOWER_PLANS: readonly TaipowerPlan[] = [
  { PlanID: 'residential_standard', Versions: residential(), Sources: RESIDENTIAL_SOURCES },
  // Associations, temples, common areas: neither residential nor business, at residential tiers and prices.
  { PlanID: 'non_business_standard', Versions: residential(), Sources: RESIDENTIAL_SOURCES },
  plan(
    'residential_two_stage',
    ['official', simple(OF_2023_01, 'twoStage', { peak: [4.57, 4.35], offPeak: [1.8, 1.73] }, 0.96)],
    ['reported', simple(OF_2024_04, 'twoStage', { peak: [5.01, 4.78], offPeak: [1.96, 1.89] }, 1.02)],
    ['official', simple(CURRENT, 'twoStage', { peak: [5.16, 4.93], offPeak: [2.06, 1.99] }, 1.04)],
  ),
  plan(
    'residential_three_stage',
    [
      'official',
      simple(
        OF_2023_01,
        'threeStage',
        { peak: [6.3, null], semiPeak: [4.13, 3.94], offPeak: [1.8, 1.73] },
        0.96,
      ),
    ],
    [
      'reported',
      simple(
        OF_2024_04,
        'threeStage',
        { peak: [6.92, null], semiPeak: [4.54, 4.33], offPeak: [1.96, 1.89] },
        1.02,
      ),
    ],
    [
      'official',
      simple(
        CURRENT,
        'threeStage',
        { peak: [7.13, null], semiPeak: [4.69, 4.48], offPeak: [2.06, 1.99] },
        1.04,
      ),
    ],
  ),
  { PlanID: 'commercial_standard', Versions: commercial(), Sources: ['official', 'reported', 'official'] },
  ...demandPlans(
    'commercial_two_stage',
    'reported',
    { ...low, stage: 'twoStage', connection: LIGHTING },
    LOW_TWO,
    FROZEN_TWO,
  ),
  ...demandPlans(
    'commercial_three_stage',
    'reported',
    { ...low, stage: 'threeStage', connection: LIGHTING },
    LOW_THREE,
    FROZEN_THREE,
  ),
  plan(
    'lv_standard',
    ['reported', lowStandard(OF_2024_10, [4.08, 3.87])],
    ['official', lowStandard(CURRENT, [4.08, 3.87])],
  ),
  plan('lv_standard_frozen', ['official', lowStandard(FROZEN, [2.58, 2.45])]),
  ...demandPlans(
    'lv_two_stage',
    'reported',
    { ...low, stage: 'twoStage', connection: POWER },
    LOW_TWO,
    FROZEN_TWO,
  ),
  ...demandPlans(
    'lv_three_stage',
    'reported',
    { ...low, stage: 'threeStage', connection: POWER },
    LOW_THREE,
    FROZEN_THREE,
  ),
  plan('lv_ev', [
    'official',
    demand(
      CURRENT,
      {
        stage: 'vehicles',
        voltage: 'low',
        rates: { regular: [47.2, 34.6] },
        connection: POWER,
        saturday: 'offPeak',
      },
      { peak: [12.47, 12.14], offPeak: [3.05, 2.9] },
    ),
  ]),
  ...demandPlans(
    'hv_two_stage',
    'inferred',
    { ...high, stage: 'twoStage' },
    twoStage([6.75, 6.37], [2.77, 2.54], [2.71, 2.46]),
  ),
  ...demandPlans(
    'hv_three_stage',
    'inferred',
    { ...high, stage: 'threeStage' },
    threeStage(9.39, [5.85, 5.47], [2.6, 2.41], [2.53, 2.32]),
  ),
  ...demandPlans(
    'hv_three_stage_variable',
    'inferred',
    { ...high, stage: 'variablePeak' },
    threeStage(18.33, [5.85, 5.47], [2.6, 2.41], [2.53, 2.32]),
  ),
  ...demandPlans(
    'hv_batch',
    'inferred',
    { ...high, stage: 'batch' },
    twoStage([12.47, 11.79], [3.26, 3.0], [3.18, 2.88]),
  ),
  ...demandPlans(
    'ehv_two_stage',
    'inferred',
    { ...extra, stage: 'twoStage' },
    twoStage([6.17, 5.79], [2.73, 2.48], [2.55, 2.28]),
  ),
  ...demandPlans(
    'ehv_three_stage',
    'inferred',
    { ...extra, stage: 'threeStage' },
    threeStage(8.69, [5.38, 5.03], [2.5, 2.31], [2.4, 2.18]),
  ),
  ...demandPlans(
    'ehv_three_stage_variable',
    'inferred',
    { ...extra, stage: 'variablePeak' },
    threeStage(17.05, [5.38, 5.03], [2.5, 2.31], [2.4, 2.18]),
  ),
  ...demandPlans(
    'ehv_batch',
    'inferred',
    { ...extra, stage: 'batch' },
    twoStage([11.44, 10.8], [3.2, 2.89], [2.99, 2.67]),
  ),
]

/** Contract in kW from which high voltage applies; lighting and low voltage are below it. */
const HIGH_VOLTAGE_FROM = 100
const isHighVoltage = (PlanID: string): boolean => /^e?hv_/.test(PlanID)

/** Minimum contract in kW: 100 for high voltage. */
export const leastContract = (PlanID: string): number => (isHighVoltage(PlanID) ? HIGH_VOLTAGE_FROM : 1)

/**
 * Mismatch between a built-in plan and its regular contract in kW; null if they match, or if nothing is agreed.
 *
 * belowHighVoltage  high voltage with less than 100 kW, which does not exist
 * beyondLowVoltage  low voltage with 100 kW or more, as in old supplies
 * source            Taipower's tariff table of 2025-10-01: lighting and low voltage below 100 kW, high voltage from 100 on
 */
export function contractMisfit(
  PlanID: string,
  regular: number | undefined,
): 'belowHighVoltage' | 'beyondLowVoltage' | null {
  if (!regular || !taipowerPlan(PlanID)) return null
  if (isHighVoltage(PlanID)) return regular < leastContract(PlanID) ? 'belowHighVoltage' : null
  return regular >= HIGH_VOLTAGE_FROM ? 'beyondLowVoltage' : null
}

export const taipowerPlan = (PlanID: string): TaipowerPlan | undefined =>
  TAIPOWER_PLANS.find((one) => one.PlanID === PlanID)
