import { expect, it } from 'vitest'
import { qualityOf } from '../../../../src/custom-views/export/options.ts'

const known = (Measured: number, Estimated = 0, Corrected = 0, Missing = 0, Between = 0) => ({
  Measured,
  Between,
  Estimated,
  Corrected,
  Missing,
  Withheld: 0,
})

it.each([
  ['measured', known(96), true],
  ['between', known(24, 0, 0, 0, 72), true],
  ['estimated', known(24, 1, 0, 0, 71), true],
  ['corrected', known(90, 5, 1), true],
  ['incomplete', known(90, 4, 1, 1), true],
  ['unfinished', known(90, 4, 1, 1), false],
  ['unfinished', known(1), false],
  ['missing', known(0, 0, 0, 96), true],
  ['missing', known(0, 0, 0, 3), false],
])('names an interval %s by its least certain part', (quality, coverage, hasEnded) => {
  expect(qualityOf(coverage, hasEnded)).toBe(quality)
})
