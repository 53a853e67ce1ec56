import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { Change } from '../../../../src/domain/energy/change.tsx'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'

beforeAll(() => loadNamespaces(['energy']))

const show = (complete: readonly [number, number]) => {
  const difference = { before: 100, by: 12, share: 0.12, soFar: false, partly: false, complete }
  const { container, unmount } = render(<Change difference={difference} measure="kwh" />)
  const text = container.textContent
  unmount()
  return text
}

it.each([
  ['zh-TW', [0.98, 1], '+12.0 kWh (+12.0%)'],
  ['zh-TW', [0.979, 1], '+12.0 kWh (≈ +12.0%)比較時段的資料完整率：本期 97.9%，前期 100.0%'],
  ['zh-TW', [1, 0.8], '+12.0 kWh (≈ +12.0%)比較時段的資料完整率：本期 100.0%，前期 80.0%'],
  ['zh-TW', [1, 0.79], '+12.0 kWh比較時段的資料完整率不足 80%，不顯示百分比（本期 100.0%，前期 79.0%）'],
  ['en-US', [0.9, 1], '+12.0 kWh (≈ +12.0%)Data completeness of the compared time: 90.0% now, 100.0% before'],
  [
    'en-US',
    [0.5, 1],
    'No percentage, because less than 80% of the data of the compared time is complete (50.0% now, 100.0% before)',
  ],
] as const)(
  'shows a percentage only if both sides are complete enough (%s, %j)',
  async (language, complete, words) => {
    await changeLanguage(language)
    expect(show(complete)).toContain(words)
    expect(screen.queryByText(/%/)).toBeNull()
    await changeLanguage('zh-TW')
  },
)

it('shows neither an arrow nor a sign for a change that rounds to 0', () => {
  const difference = {
    before: 100,
    by: -0.004,
    share: -0.00004,
    soFar: false,
    partly: false,
    complete: [1, 1],
  } as const
  const { container } = render(<Change difference={{ ...difference, by: -0.0004 }} measure="kwh" />)
  expect(container.textContent.trim()).toBe('0 kWh (0.0%)')
  expect(container.querySelector('svg')).toBeNull()
  expect(container.querySelector('[data-cost]')).toBeNull()
})

it.each([
  [1_878, 0.0042, 'cost', '+NT$ 1,878 (+0.4%)', 'more'],
  [-120_000, -0.25, 'kwh', '−120 MWh (−25.0%)', 'less'],
  [-12_340, -0.011, 'co2', '−12.3 t CO₂e (−1.1%)', 'less'],
] as const)('shows a change of %s with its sign instead of an arrow', (by, share, measure, text, cost) => {
  const difference = { before: 1, by, share, soFar: false, partly: false, complete: [1, 1] } as const
  const { container } = render(<Change difference={difference} measure={measure} />)
  expect(container.textContent.trim()).toBe(text)
  expect(container.querySelector('svg')).toBeNull()
  expect(container.querySelector(`[data-cost="${cost}"]`)).not.toBeNull()
})
