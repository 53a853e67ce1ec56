import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { carbonFactorOf } from '../../../contract/tariffs/carbon.ts'
import { runningDemand } from '../../../contract/energy/demand.ts'
import { OFF_PEAK_YEARS, offPeakDaysOf, offPeakSet } from '../../../contract/tariffs/peak-days.ts'
import { formatDay, parseDay, QUARTER_MS } from '../../../contract/time/periods.ts'
import {
  contractMisfit,
  leastContract,
  TAIPOWER_PLANS,
  taipowerPlan,
} from '../../../contract/tariffs/taipower-plans.ts'
import {
  bandsOfDay,
  dayClassOf,
  type TariffVersion,
  TariffVersions,
  versionOn,
} from '../../../contract/tariffs/tariff-terms.ts'

const holidays = offPeakSet([])
const version = (plan: string, date: string): TariffVersion =>
  versionOn(taipowerPlan(plan)?.Versions ?? [], parseDay(date)) as TariffVersion
const strip = (plan: string, date: string): string[] =>
  bandsOfDay(version(plan, date), parseDay(date), holidays).map(
    ({ FromMinute, ThroughMinute, Band, Price }) =>
      `${FromMinute / 60}-${ThroughMinute / 60} ${Band} ${Price}`,
  )

describe('a tariff', () => {
  it.each([
    ['residential_two_stage', '2025-07-01', ['0-9 offPeak 1.96', '9-24 peak 5.01']],
    ['residential_two_stage', '2026-07-01', ['0-9 offPeak 2.06', '9-24 peak 5.16']],
    ['residential_two_stage', '2026-07-04', ['0-24 offPeak 2.06']],
    [
      'residential_three_stage',
      '2026-01-05',
      ['0-6 offPeak 1.99', '6-11 semiPeak 4.48', '11-14 offPeak 1.99', '14-24 semiPeak 4.48'],
    ],
    [
      'lv_three_stage',
      '2026-07-01',
      ['0-9 offPeak 2.23', '9-16 semiPeak 5.02', '16-22 peak 8.12', '22-24 semiPeak 5.02'],
    ],
    ['lv_three_stage', '2026-07-04', ['0-9 offPeak 2.23', '9-24 saturdaySemiPeak 2.5']],
    ['lv_three_stage', '2026-07-05', ['0-24 offPeak 2.23']],
    ['lv_three_stage', '2026-02-17', ['0-24 offPeak 2.12']],
    // High voltage has its own summer: two weeks before and after.
    [
      'hv_two_stage',
      '2026-05-15',
      ['0-6 offPeak 2.46', '6-11 peak 6.37', '11-14 offPeak 2.46', '14-24 peak 6.37'],
    ],
    ['hv_two_stage', '2026-05-18', ['0-9 offPeak 2.71', '9-24 peak 6.75']],
    ['hv_batch', '2026-05-18', ['0-15.5 offPeak 3.18', '15.5-21.5 peak 12.47', '21.5-24 offPeak 3.18']],
    ['lv_standard', '2026-05-18', ['0-24 flat 3.87']],
    ['residential_standard', '2026-05-18', ['0-24 flat null']],
  ])('%s on %s is %j', (plan, date, bands) => {
    expect(strip(plan, date)).toEqual(bands)
  })

  it('has no price on a day without a version', () => {
    expect(version('residential_two_stage', '2023-06-01')).toBeUndefined()
    expect(version('commercial_standard', '2023-06-01')).toBeUndefined()
    expect(version('lv_two_stage', '2024-10-15')).toBeUndefined()
  })

  it.each(TAIPOWER_PLANS)(
    '$PlanID covers every minute of every day once, alike on days of one class',
    ({ Versions }) => {
      const faults: string[] = []
      for (const one of Versions) {
        const known = new Map<string, string>()
        for (let day = parseDay('2024-01-01'); day < parseDay('2026-01-01'); day++) {
          const spans = bandsOfDay(one, day, holidays)
          const dayClass = dayClassOf(one, day, holidays)
          const text = JSON.stringify(spans)
          if ((known.get(dayClass) ?? text) !== text) faults.push(`${formatDay(day)} is not like its class`)
          known.set(dayClass, text)
          const joints = [0, ...spans.map(({ ThroughMinute }) => ThroughMinute)]
          if (spans.some(({ FromMinute }, i) => FromMinute !== joints[i]) || joints.at(-1) !== 1440)
            faults.push(`${formatDay(day)} is not covered once`)
          if (one.Kind !== 'tiered' && spans.some(({ Price }) => !Price))
            faults.push(`${formatDay(day)} has a band without a price`)
        }
        if (known.size !== (one.Kind === 'timeOfUse' ? 6 : 2)) faults.push(`${known.size} classes`)
      }
      expect(faults).toEqual([])
    },
  )

  it('passes its own check in every built-in plan', () => {
    for (const { Versions } of TAIPOWER_PLANS)
      for (const one of Versions) expect(TariffVersions.safeParse([one]).error).toBeUndefined()
  })
})

describe('an inconsistent tariff', () => {
  const good = version('lv_two_stage', '2026-01-01')
  const problems = (versions: TariffVersion[]): Record<string, string> =>
    Object.fromEntries(
      (TariffVersions.safeParse(versions).error?.issues ?? []).map(({ path, message }) => [
        path.join('.'),
        message,
      ]),
    )
  const changed = (change: (season: TariffVersion['Seasons'][number]) => void): TariffVersion => {
    const copy = structuredClone(good)
    change(copy.Seasons[0] as TariffVersion['Seasons'][number])
    return copy
  }

  it('names the minutes that windows omit or contain twice', () => {
    const hole = changed(({ Windows }) => {
      Windows.weekday = [
        { FromMinute: 0, ThroughMinute: 540, Band: 'offPeak' },
        { FromMinute: 600, ThroughMinute: 1440, Band: 'peak' },
      ]
    })
    expect(problems([hole])).toEqual({ '0.Seasons.0.Windows.weekday.09:00-10:00': 'hole' })
    const overlap = changed(({ Windows }) => {
      Windows.saturday = [
        { FromMinute: 0, ThroughMinute: 600, Band: 'offPeak' },
        { FromMinute: 540, ThroughMinute: 1425, Band: 'peak' },
      ]
    })
    expect(problems([overlap])).toEqual({
      '0.Seasons.0.Windows.saturday.09:00-10:00': 'overlap',
      '0.Seasons.0.Windows.saturday.23:45-24:00': 'hole',
    })
  })

  it('names the days that seasons and versions omit or contain twice', () => {
    expect(problems([changed((season) => (season.From = '06-16'))])).toEqual({
      '0.Seasons.06-01/06-15': 'hole',
    })
    expect(problems([changed((season) => (season.From = '05-31'))])).toEqual({
      '0.Seasons.05-31/05-31': 'overlap',
    })
    const old = { ...good, ValidFrom: '2024-01-01', ValidThrough: '2025-08-31' }
    expect(problems([old, good])).toEqual({ '2025-09-01/2025-09-30': 'hole' })
    expect(problems([{ ...old, ValidThrough: null }, good])).toEqual({ '2025-10-01/': 'overlap' })
  })

  it('names an invalid day, and nothing that depends on it', () => {
    const [first] = taipowerPlan('lv_two_stage')?.Versions ?? []
    const [season, ...others] = first?.Seasons ?? []
    const faults = (changes: object) => {
      const { error } = TariffVersions.safeParse([{ ...first, ...changes }])
      return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    }
    for (const day of ['02-30', '13-01', '6-1', '00-00', ''])
      for (const end of ['From', 'Through'])
        expect(faults({ Seasons: [{ ...season, [end]: day }, ...others] })).toContain(
          `0.Seasons.0.${end}: invalid`,
        )
    for (const day of ['2025-02-30', '0000-00-00', '9999-99-99', 'today'])
      for (const end of ['ValidFrom', 'ValidThrough'])
        expect(faults({ [end]: day })).toContain(`0.${end}: invalid`)
  })

  it('names a band without a price and a tier that does not rise', () => {
    expect(problems([changed((season) => delete season.Prices.peak)])).toEqual({
      '0.Seasons.0.Prices.peak': 'required',
    })
    const tiers = structuredClone(version('residential_standard', '2026-01-01'))
    Object.assign(tiers.Seasons[1]?.Tiers[1] ?? {}, { ThroughKwh: 100 })
    expect(problems([tiers])).toEqual({ '0.Seasons.1.Tiers.1.ThroughKwh': 'tooSmall' })
  })

  it('is detected for any windows: only those that cover the day once pass', () => {
    const cut = fc.uniqueArray(fc.integer({ min: 1, max: 95 }), { maxLength: 6 })
    fc.assert(
      fc.property(cut, fc.nat(5), fc.constantFrom(-15, 0, 15), (cuts, which, shift) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), 96].map((quarter) => quarter * 15)
        const windows = edges.slice(1).map((end, i) => ({
          FromMinute: edges[i] as number,
          ThroughMinute: end,
          Band: i % 2 ? ('peak' as const) : ('offPeak' as const),
        }))
        const moved = which < cuts.length ? windows[which + 1] : undefined
        if (moved) moved.FromMinute += shift
        const faults = problems([changed(({ Windows }) => (Windows.weekday = windows))])
        expect(Object.keys(faults).length > 0).toBe(moved !== undefined && shift !== 0)
      }),
    )
  })
})

describe('off-peak days', () => {
  const dates = (year: number) => offPeakDaysOf(year).map(({ Day }) => formatDay(Day).slice(5))

  it('are those of the list at the time', () => {
    expect(dates(2025).filter((date) => date < '02-00')).toEqual([
      '01-01',
      '01-28',
      '01-29',
      '01-30',
      '01-31',
    ])
    expect(dates(2025)).toEqual(expect.arrayContaining(['09-28', '10-25', '12-25']))
    expect(dates(2024)).not.toContain('12-25')
    // 15 February is two days before New Year 2026.
    expect(dates(2026)).toEqual(
      expect.arrayContaining(['02-15', '02-16', '02-17', '02-21', '04-05', '06-19', '09-25']),
    )
    expect(dates(2027)).toContain('02-06')
    expect(offPeakDaysOf(2100)).toEqual([])
  })

  it('match the lunar calendar of the runtime, except where it is off by a day', () => {
    const format = new Intl.DateTimeFormat('en-u-ca-chinese', {
      timeZone: 'UTC',
      month: 'numeric',
      day: 'numeric',
    })
    const on = (year: number, holiday: string, date: string): number[] =>
      offPeakDaysOf(year)
        .filter((day) => day.Holiday === holiday && format.format(day.Day * 86_400_000) === date)
        .map(() => year)
    const found = (holiday: string, date: string) => OFF_PEAK_YEARS.flatMap((year) => on(year, holiday, date))
    expect(found('dragonBoat', '5/5')).toEqual(OFF_PEAK_YEARS)
    expect(found('midAutumn', '8/15')).toEqual(OFF_PEAK_YEARS)
    const exact = OFF_PEAK_YEARS.filter((year) => year !== 2027 && year !== 2030)
    expect(found('lunarNewYear', '1/1')).toEqual(expect.arrayContaining(exact))
  })

  it('include days a company adds, without those it removes', () => {
    const days = offPeakSet([
      { Day: parseDay('2026-03-03'), IsOffPeak: true },
      { Day: parseDay('2026-01-01'), IsOffPeak: false },
    ])
    expect(days.has(parseDay('2026-03-03'))).toBe(true)
    expect(days.has(parseDay('2026-01-01'))).toBe(false)
  })
})

describe('carbon', () => {
  const none = new Map<number, number>()

  it('uses 0.494 in every year, unless the company has its own', () => {
    for (const Year of [1999, 2022, 2024, 2031])
      expect(carbonFactorOf(Year, none, 'constant')).toEqual({
        Year,
        Factor: 0.494,
        Source: 'constant',
        Of: 2023,
      })
  })

  it('uses the latest published factor for the year if chosen', () => {
    const of = (year: number) => {
      const { Factor, Source, Of } = carbonFactorOf(year, none, 'byYear')
      return [Factor, Source, Of]
    }
    expect(of(2022)).toEqual([0.495, 'published', 2022])
    expect(of(2024)).toEqual([0.474, 'published', 2024])
    expect(of(2031)).toEqual([0.474, 'latest', 2024])
    expect(of(2005)).toEqual([0.494, 'constant', 2023])
  })

  it("uses a company's own factor under either rule", () => {
    for (const rule of ['constant', 'byYear'] as const)
      expect(carbonFactorOf(2024, new Map([[2024, 0.3]]), rule)).toMatchObject({ Factor: 0.3, Source: 'own' })
  })
})

describe('running demand', () => {
  const noon = Date.parse('2026-07-01T04:00:00Z')
  const at = (minutes: number, kWh: number) => ({ Timestamp: noon + minutes * 60_000, kWh })

  it('is the mean of the last 15 minutes, with the expected interval at this power', () => {
    // 100 kW until noon, then 200 kW for five minutes.
    const samples = [at(-15, 0), at(0, 25), at(5, 25 + 200 / 12)]
    const { Rolling, Forecast } = runningDemand(samples, 200_000, noon + 5 * 60_000)
    expect(Rolling).toBeCloseTo((100 * 10 + 200 * 5) / 15, 6)
    expect(Forecast).toBeCloseTo(200, 6)
    expect(runningDemand(samples, 0, noon + 5 * 60_000).Forecast).toBeCloseTo(200 / 3, 6)
  })

  it('is unknown with stale samples, one sample, or a counter that fell', () => {
    const unknown = { Rolling: null, Forecast: null }
    expect(runningDemand([at(-15, 0), at(0, 25)], 1000, noon + QUARTER_MS + 1)).toEqual(unknown)
    expect(runningDemand([], 1000, noon)).toEqual(unknown)
    expect(runningDemand([at(-15, 25), at(0, 1)], 1000, noon)).toEqual(unknown)
    expect(runningDemand([at(1, 25)], 1000, noon + 60_000)).toEqual({ Rolling: null, Forecast: 1 })
  })
})

describe('a contract and the voltage of its plan', () => {
  it('match if high voltage has 100 kW or more and low voltage less', () => {
    for (const { PlanID } of TAIPOWER_PLANS) {
      const isHigh = leastContract(PlanID) === 100
      expect([99.9, 100].map((kw) => contractMisfit(PlanID, kw))).toEqual(
        isHigh ? ['belowHighVoltage', null] : [null, 'beyondLowVoltage'],
      )
      expect(contractMisfit(PlanID, undefined)).toBeNull()
    }
    expect(contractMisfit('of-a-company', 5_000)).toBeNull()
  })
})
