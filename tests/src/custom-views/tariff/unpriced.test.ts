import { describe, expect, it } from 'vitest'
import { unpricedIn } from '../../../../src/custom-views/tariff/home-tariff-form.tsx'

const version = (ValidFrom: string, ValidThrough: string | null) => ({ ValidFrom, ValidThrough })
const versions = [version('2024-10-16', '2025-09-30'), version('2025-10-01', null)]

describe('days without a price', () => {
  it('are those before the first version, between two and after the last', () => {
    expect(unpricedIn(versions, '2024-01-01', null)).toEqual([{ from: '2024-01-01', through: '2024-10-15' }])
    expect(unpricedIn(versions, '2024-10-16', null)).toEqual([])
    const holed = [version('2024-01-01', '2024-03-31'), version('2024-07-01', '2024-12-31')]
    expect(unpricedIn(holed, '2023-12-01', null)).toEqual([
      { from: '2023-12-01', through: '2023-12-31' },
      { from: '2024-04-01', through: '2024-06-30' },
      { from: '2025-01-01', through: null },
    ])
  })

  it('are limited to the requested range', () => {
    expect(unpricedIn(versions, '2024-01-01', '2024-02-29')).toEqual([
      { from: '2024-01-01', through: '2024-02-29' },
    ])
    expect(unpricedIn(versions, '2026-01-01', '2026-03-31')).toEqual([])
    expect(unpricedIn([version('2024-01-01', '2024-12-31')], '2024-06-01', '2025-01-31')).toEqual([
      { from: '2025-01-01', through: '2025-01-31' },
    ])
    expect(unpricedIn([], '2026-01-01', null)).toEqual([{ from: '2026-01-01', through: null }])
  })
})
