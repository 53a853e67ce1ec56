import { describe, expect, it } from 'vitest'
import {
  amountText,
  energyText,
  formatAxis,
  formatCarbon,
  formatChange,
  formatComplete,
  formatDecimals,
  formatEnergy,
  formatEstimate,
  formatFactor,
  formatFigure,
  formatLack,
  formatLimit,
  formatLimitKw,
  formatNumber,
  formatPower,
  formatPrice,
  formatReading,
  formatShare,
  formatWhole,
  fromShownUnit,
  inShownUnit,
  moneyText,
  powerText,
  roundEstimate,
  withPlus,
} from '../../../contract/kernel/numbers.ts'
import { sentenceOf } from '../../../contract/notifications/sentence.ts'

const UNKNOWN = [undefined, null, Number.NaN, Infinity]

describe('live power', () => {
  it.each([
    [0, '0'],
    [undefined, '0'],
    [null, '0'],
    [Number.NaN, '0'],
    [0.0004, '0'],
    [0.0605, '0.061'],
    [0.33, '0.330'],
    [0.9999, '1.00'],
    [1, '1.00'],
    [12.345, '12.35'],
    [99.999, '100'],
    [100, '100'],
    [150.99, '150'],
    [1234.5, '1,234'],
    [-0.25, '−0.250'],
    [-250.9, '−250'],
  ])('shows %s as %s', (value, shown) => {
    expect(formatPower(value)).toBe(shown)
  })

  it('has its unit only if it is known', () => {
    expect([7.1493, 0, null].map(powerText)).toEqual(['7.15 kW', '0 kW', '–'])
  })
})

describe('a limit, contract, target or setpoint', () => {
  it('is shown as entered, to 0.01 W', () => {
    expect(formatLimit(150_500.25, 'W')).toEqual({ figure: '150.50025', unit: 'kW' })
    for (const watts of [0.01, 0.29, 1_234.56, 50_000])
      expect(fromShownUnit(inShownUnit(watts, 'W'), 'W')).toBe(watts)
    expect(fromShownUnit(7, 'A')).toBe(7)
  })

  it.each([
    [60_000, 'W', '60 kW'],
    [72_500, 'W', '72.5 kW'],
    [26, '°C', '26 °C'],
    [26.5, '°C', '26.5 °C'],
    [-5, '°C', '−5 °C'],
    [80, '%', '80%'],
    [2.25, '', '2.25'],
  ])('has no padded zeros: %s %s is %s', (value, unit, shown) => {
    expect(amountText(formatLimit(value, unit))).toBe(shown)
  })

  it('in kW may be shown without its unit', () => {
    expect([280, 99.5, null].map(formatLimitKw)).toEqual(['280', '99.5', '–'])
  })
})

describe('an axis', () => {
  const ticks = (step: number, ...values: number[]) => values.map((value) => formatAxis(value, step))

  it('has only the decimals that distinguish its ticks', () => {
    expect(ticks(2.5, 0, 2.5, 5, 17.5)).toEqual(['0', '2.5', '5', '17.5'])
    expect(ticks(0.02, 24.7, 24.72, 24.8)).toEqual(['24.7', '24.72', '24.8'])
    expect(ticks(0.001, 0.001, 0.002)).toEqual(['0.001', '0.002'])
    expect(ticks(500_000, 500_000, 3_000_000)).toEqual(['500,000', '3,000,000'])
    expect(ticks(50, -50, 0)).toEqual(['−50', '0'])
  })

  it('ignores floating-point errors', () => {
    expect(ticks(0.30000000000000004, 0.1 + 0.2, -0.0000001)).toEqual(['0.3', '0'])
  })

  it('formats a single number by its size', () => {
    expect([1.234, 12.345].map((value) => formatAxis(value))).toEqual(['1.23', '12.3'])
  })
})

describe('a figure in cards, charts and lists', () => {
  it.each([
    [0, '0'],
    [0.0004, '0'],
    [-0.0004, '0'],
    [0.0123, '0.012'],
    [0.1234, '0.123'],
    [0.9996, '1.00'],
    [1.2345, '1.23'],
    [9.996, '10.0'],
    [12.34, '12.3'],
    [99.94, '99.9'],
    [99.95, '100'],
    [100, '100'],
    [7_491.4, '7,491'],
    [99_999, '99,999'],
    [100_000, '100,000'],
    [-99.95, '−100'],
    [-7_491.6, '−7,492'],
  ])('has three significant digits, and is an integer from 100: %s is %s', (value, shown) => {
    expect(formatFigure(value)).toBe(shown)
  })

  it('is a dash if unknown, not zero', () => {
    for (const value of UNKNOWN) {
      expect(formatFigure(value)).toBe('–')
      expect(formatWhole(value)).toBe('–')
      expect(formatEnergy(value)).toEqual({ figure: '–', unit: '' })
      expect(moneyText(value)).toBe('–')
      expect(formatShare(value)).toBe('–')
    }
  })

  it.each([
    [0, '0 kWh'],
    [12.34, '12.3 kWh'],
    [99_999, '99,999 kWh'],
    [99_999.4, '99,999 kWh'],
    [99_999.5, '100 MWh'],
    [100_000, '100 MWh'],
    [207_123, '207 MWh'],
    [1_234_567, '1,235 MWh'],
    [-155_146.28, '−155 MWh'],
  ])('of energy is in MWh from 100,000 kWh: %s is %s', (kWh, shown) => {
    expect(energyText(kWh)).toBe(shown)
  })

  it.each([
    [9_999, '9,999 kg CO₂e'],
    [9_999.5, '10.0 t CO₂e'],
    [10_000, '10.0 t CO₂e'],
    [98_765, '98.8 t CO₂e'],
    [-12_345, '−12.3 t CO₂e'],
  ])('of emissions is in t from 10,000 kg: %s is %s', (kg, shown) => {
    expect(amountText(formatCarbon(kg))).toBe(shown)
  })

  it.each([
    [29_611.49, 'NT$ 29,611'],
    [0, 'NT$ 0'],
    [-0.4, 'NT$ 0'],
    [-96_978, '−NT$ 96,978'],
  ])('of money has no cents and the currency first: %s is %s', (amount, shown) => {
    expect(moneyText(amount)).toBe(shown)
  })
})

describe('readings and bills', () => {
  it("have the user's decimal places", () => {
    expect(formatDecimals(220.456, 0)).toBe('220')
    expect(formatDecimals(220.456, 2)).toBe('220.46')
    expect(formatDecimals(12345.6, 1)).toBe('12,345.6')
  })

  it('are a dash if missing, not zero', () => {
    expect(formatDecimals(undefined, 2)).toBe('–')
    expect(formatDecimals(0, 2)).toBe('0.00')
    expect([formatDecimals(-0.004, 2), formatDecimals(-0.006, 2)]).toEqual(['0.00', '−0.01'])
  })

  it.each([
    [50_000, 'W', '50.00 kW'],
    [50, 'kW', '50.00 kW'],
    [5, 'W', '0.005 kW'],
    [19.4, '°C', '19.4 °C'],
    [19, '°C', '19.0 °C'],
    [-3.25, '°C', '−3.3 °C'],
    [56.4, '%', '56%'],
    [612.5, 'ppm', '613 ppm'],
    [379.6, 'V', '380 V'],
    [52.34, 'A', '52.3 A'],
    [12.3456, 'kWh', '12.3456 kWh'],
  ])('have the decimals of their quantity: %s %s is %s', (value, unit, shown) => {
    expect(amountText(formatReading(value, unit, String))).toBe(shown)
  })

  it('have a unit even if the value is unknown', () => {
    expect(formatReading(undefined, 'W', String)).toEqual({ figure: '–', unit: 'kW' })
  })

  it('have prices and factors as published', () => {
    expect([4.5, 4.123, 4.12345].map(formatPrice)).toEqual(['4.50', '4.123', '4.1235'])
    expect([0.5, 0.474, 0.49412345].map(formatFactor)).toEqual(['0.500', '0.474', '0.49412345'])
    expect([0.5, 12, 12.345].map((value) => formatNumber(value))).toEqual(['0.5', '12', '12.35'])
  })
})

describe('per cent', () => {
  it('has one decimal and no space', () => {
    expect([0.495, 1, 0, -0.011].map(formatShare)).toEqual(['49.5%', '100.0%', '0.0%', '−1.1%'])
  })

  it('of a change has its sign; a true minus', () => {
    expect([0.073, -0.011, 0, 0.0004, -0.0004].map(formatChange)).toEqual([
      '+7.3%',
      '−1.1%',
      '0.0%',
      '0.0%',
      '0.0%',
    ])
  })

  it('of complete data is never overstated, of a lack never zero', () => {
    expect([0.9999, 1, 0.7].map(formatComplete)).toEqual(['99.9%', '100.0%', '70.0%'])
    expect([0.0001, 0, 0.125].map(formatLack)).toEqual(['<0.1%', '0.0%', '12.5%'])
  })
})

it('shows a difference with its sign before the currency', () => {
  const differenceText = (value: number) =>
    amountText(withPlus(value, { figure: formatWhole(value), unit: 'NT$' }))
  expect([1_878, -136, 0.2].map(differenceText)).toEqual(['+NT$ 1,878', '−NT$ 136', 'NT$ 0'])
})

describe('an estimate', () => {
  it.each([
    ['money', 21_432, 19_200, 22_490, 'NT$ 21,000', '19,000–22,000'],
    ['energy', 155_146.28, 154_012, 156_300, '155 MWh', '154–156'],
    ['energy', 155_146, 120_000, 190_000, '160 MWh', '120–190'],
    ['energy', 99_600, 80_000, 120_000, '100 MWh', '80–120'],
    ['energy', 12.34, 10, 15, '12 kWh', '10–15'],
    ['energy', 1.234, 0.9, 1.6, '1.2 kWh', '0.9–1.6'],
    ['energy', 0, 0, 0, '0 kWh', undefined],
  ] as const)(
    'of %s %s (%s to %s) has two digits, or three within a narrow range',
    (kind, mid, low, high, amount, range) => {
      expect(formatEstimate({ mid, low, high }, kind)).toEqual({ amount, range })
    },
  )

  it('may have no range', () => {
    expect(formatEstimate({ mid: 1_878, low: null, high: null }, 'money')).toEqual({
      amount: 'NT$ 1,900',
      range: undefined,
    })
    expect([1_249, 0, 96].map(roundEstimate)).toEqual([1_200, 0, 96])
  })
})

it('formats the power of an alarm in a message as screens do', () => {
  const words = {
    text: (key: string, values: Readonly<Record<string, string | number>> = {}) =>
      `${key} ${Object.values(values).join(' ')}`.trimEnd(),
    has: () => true,
    number: String,
    time: String,
  }
  const Values = {
    kind: 'rule',
    subject: 's',
    field: 'Power',
    value: 50_125,
    limit: 50_000,
    logical: '>',
    unit: 'W',
  }
  const { body } = sentenceOf({ Kind: 'alarmRaised', Severity: 'warning', Values }, words)
  expect(body).toContain('50.13 devices:units.kW')
  expect(body).toContain(' 50 devices:units.kW')
})
