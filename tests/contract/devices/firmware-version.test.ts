import { expect, it } from 'vitest'
import { compareVersions } from '../../../contract/devices/firmware-version.ts'

it.each([
  ['1.2.10', '1.2.9'],
  ['2.0', '1.99.99'],
  ['1.0.1', '1.0'],
  ['1.0.0', '1.0.0-rc.1'],
  ['1.0.0-rc.10', '1.0.0-rc.2'],
  ['1.0.0-rc.1.1', '1.0.0-rc.1'],
  ['1.0.0-beta', '1.0.0-7'],
  ['2026.11.2', '2026.9.30'],
])('%s is newer than %s', (newer, older) => {
  expect(compareVersions(newer, older)).toBeGreaterThan(0)
  expect(compareVersions(older, newer)).toBeLessThan(0)
})

it.each([
  ['1.0', '1.0.0'],
  ['v1.4.2', '1.4.2'],
  ['1.4.2+build.7', '1.4.2'],
])('%s is the same as %s', (a, b) => expect(compareVersions(a, b)).toBe(0))
