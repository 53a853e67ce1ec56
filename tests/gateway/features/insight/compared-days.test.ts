import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { COMPARISON_BASES } from '../../../../contract/energy/insight-calls.ts'
import { formatDay, parseDay, weekdayOf } from '../../../../contract/time/periods.ts'
import { comparedDays } from '../../../../gateway/features/insight/days.ts'

const TODAY = parseDay('2026-06-11')
const days = (from: string, through: string) => ({ from: parseDay(from), end: parseDay(through) + 1 })
const shown = (
  asked: { from: number; end: number },
  against: (typeof COMPARISON_BASES)[number],
  today = TODAY,
) => {
  const found = comparedDays(asked, against, today)
  return found && [found.now, found.base].map(({ from, end }) => `${formatDay(from)} ${formatDay(end - 1)}`)
}

describe('the days for comparison', () => {
  it('are a whole month for a whole month, of any length', () => {
    expect(shown(days('2026-03-01', '2026-03-31'), 'previous')).toEqual([
      '2026-03-01 2026-03-31',
      '2026-02-01 2026-02-28',
    ])
    expect(shown(days('2026-03-01', '2026-04-30'), 'previous')).toEqual([
      '2026-03-01 2026-04-30',
      '2026-01-01 2026-02-28',
    ])
    expect(shown(days('2024-02-01', '2024-02-29'), 'lastYear')).toEqual([
      '2024-02-01 2024-02-29',
      '2023-02-01 2023-02-28',
    ])
  })

  it('are as many as have passed of a current month, up to the length of the shorter one', () => {
    expect(shown(days('2026-06-01', '2026-06-30'), 'previous')).toEqual([
      '2026-06-01 2026-06-10',
      '2026-05-01 2026-05-10',
    ])
    expect(shown(days('2026-03-01', '2026-03-31'), 'previous', parseDay('2026-03-31'))).toEqual([
      '2026-03-01 2026-03-30',
      '2026-02-01 2026-02-28',
    ])
  })

  it('are none until a day is over', () => {
    expect(shown(days('2026-06-11', '2026-06-12'), 'previous')).toBeUndefined()
  })

  it('never contain a day of the period, and are the same weekdays after 52 weeks', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 1, max: 360 }),
        fc.constantFrom(...COMPARISON_BASES),
        (before, length, against) => {
          const from = TODAY - before - length
          const found = comparedDays({ from, end: from + length }, against, TODAY)
          expect(found?.base.end).toBeLessThanOrEqual(from)
          expect(found?.base.end).toBeGreaterThan(found?.base.from as number)
          const shift =
            against === 'lastYearWeekday' ? weekdayOf(from) : weekdayOf(found?.base.from as number)
          expect(weekdayOf(found?.base.from as number)).toBe(shift)
        },
      ),
    )
  })
})
