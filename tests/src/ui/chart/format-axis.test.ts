import { expect, it } from 'vitest'
import { formatAxis } from '../../../../src/ui/chart/format-axis.ts'

const ticks = (step: number, ...values: number[]) => values.map((value) => formatAxis(value, step))

it('shows only the decimals on an axis that distinguish its ticks', () => {
  expect(ticks(2.5, 0, 2.5, 5, 17.5)).toEqual(['0', '2.5', '5', '17.5'])
  expect(ticks(0.02, 24.7, 24.72, 24.8)).toEqual(['24.7', '24.72', '24.8'])
  expect(ticks(0.001, 0.001, 0.002)).toEqual(['0.001', '0.002'])
  expect(ticks(500_000, 500_000, 3_000_000)).toEqual(['500,000', '3,000,000'])
})

it('ignores floating-point errors', () => {
  expect(ticks(0.30000000000000004, 0.1 + 0.2, -0.0000001)).toEqual(['0.3', '0'])
})

it('formats a single number by its size', () => {
  expect([1.234, 12.345].map((value) => formatAxis(value))).toEqual(['1.23', '12.3'])
})
