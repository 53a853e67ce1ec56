import { expect, it } from 'vitest'
import { sentenceOf } from '../../../contract/notifications/sentence.ts'
import { formatLimit, formatQuantity, fromShownUnit, inShownUnit } from '../../../contract/kernel/quantity.ts'

const plain = (value: number) => String(value)

it('shows power in kW by the rule of power values, and other quantities in their unit', () => {
  expect(formatQuantity(50_000, 'W', plain)).toEqual({ figure: '50.00', unit: 'kW' })
  expect(formatQuantity(50, 'kW', plain)).toEqual({ figure: '50.00', unit: 'kW' })
  expect(formatQuantity(5, 'W', plain)).toEqual({ figure: '0.005', unit: 'kW' })
  expect(formatQuantity(21.5, '°C', plain)).toEqual({ figure: '21.5', unit: '°C' })
})

it('keeps a limit as entered, to 0.01 W', () => {
  expect(formatLimit(150_500.25, 'W', 'en-US')).toEqual({ figure: '150.50025', unit: 'kW' })
  for (const watts of [0.01, 0.29, 1_234.56, 50_000])
    expect(fromShownUnit(inShownUnit(watts, 'W'), 'W')).toBe(watts)
  expect(fromShownUnit(7, 'A')).toBe(7)
})

it('formats the power of an alarm in a message as screens do', () => {
  const words = {
    text: (key: string, values: Readonly<Record<string, string | number>> = {}) =>
      `${key} ${Object.values(values).join(' ')}`,
    has: () => true,
    number: plain,
    time: plain,
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
  expect(body).toContain('devices:figure 50.13 devices:units.kW')
  expect(body).toContain('devices:figure 50.00 devices:units.kW')
})
