import { describe, expect, it } from 'vitest'
import { meterFreshness } from '../../../../src/domain/energy/meter-freshness.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const fresh = (ageSeconds: number, PowerMeterUpdateFrequency: number, IsCurrent: boolean, online?: boolean) =>
  meterFreshness(
    { LastUpdateTimestamp: NOW - ageSeconds * 1000, PowerMeterUpdateFrequency, IsCurrent },
    online,
    NOW,
  )

describe('the freshness of a meter', () => {
  it('does not mark a five-second meter as stale because the page polls once a minute', () => {
    expect(fresh(55, 5, true)).toBe('current')
    expect(fresh(7, 5, false)).toBe('current')
    expect(fresh(66, 5, true)).toBe('stale')
    expect(fresh(61, 5, false)).toBe('stale')
  })

  it('follows the server for a quarter-hour meter', () => {
    expect(fresh(899, 900, true)).toBe('current')
    expect(fresh(901, 900, false)).toBe('stale')
    expect(fresh(1_700, 900, true)).toBe('current')
    expect(fresh(1_801, 900, true)).toBe('stale')
  })

  it('distinguishes offline and never reported from stale', () => {
    expect(fresh(10, 900, true, false)).toBe('offline')
    const never = { LastUpdateTimestamp: null, PowerMeterUpdateFrequency: 900, IsCurrent: false }
    expect(meterFreshness(never, true, NOW)).toBe('none')
  })
})
