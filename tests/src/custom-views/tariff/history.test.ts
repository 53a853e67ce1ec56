import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HomeTariffs } from '../../../../contract/tariffs/home-tariff-calls.ts'
import { formatDay } from '../../../../contract/time/periods.ts'
import { replacedBy, tariffOn, withTariff } from '../../../../src/custom-views/tariff/home-tariff-card.tsx'
import { homeTariff } from '../../../support/home-tariff.ts'

const spans = (history: ReturnType<typeof withTariff>) =>
  history.map(({ PlanID, ValidFrom, ValidThrough }) => `${PlanID} ${ValidFrom} ${ValidThrough}`)

describe('a tariff history', () => {
  const old = homeTariff({ PlanID: 'a', ValidFrom: '2024-01-01' })

  it('ends the previous entry on the day before the next one begins', () => {
    expect(spans(withTariff([old], homeTariff({ PlanID: 'b', ValidFrom: '2025-10-01' })))).toEqual([
      'a 2024-01-01 2025-09-30',
      'b 2025-10-01 null',
    ])
  })

  it('resumes the previous entry after the end of another, and drops what it covers', () => {
    const middle = homeTariff({ PlanID: 'b', ValidFrom: '2025-02-01', ValidThrough: '2025-03-31' })
    expect(spans(withTariff([old], middle))).toEqual([
      'a 2024-01-01 2025-01-31',
      'b 2025-02-01 2025-03-31',
      'a 2025-04-01 null',
    ])
    expect(spans(withTariff([middle], homeTariff({ PlanID: 'c', ValidFrom: '2025-01-01' })))).toEqual([
      'c 2025-01-01 null',
    ])
  })

  it('names entries that would be removed', () => {
    const history = [
      homeTariff({ PlanID: 'a', ValidFrom: '2024-01-01', ValidThrough: '2024-12-31' }),
      homeTariff({ PlanID: 'b', ValidFrom: '2025-01-01', ValidThrough: '2025-12-31' }),
      homeTariff({ PlanID: 'c', ValidFrom: '2026-01-01' }),
    ]
    const replaced = (ValidFrom: string, ValidThrough: string | null) =>
      replacedBy(history, homeTariff({ ValidFrom, ValidThrough })).map(({ PlanID }) => PlanID)
    expect(replaced('2024-06-01', null)).toEqual(['b', 'c'])
    expect(replaced('2025-01-01', '2025-12-31')).toEqual(['b'])
    expect(replaced('2025-01-02', '2025-12-31')).toEqual([])
    expect(replaced('2026-06-01', null)).toEqual([])
  })

  it('never has a day twice in any order of entries, and the last one wins', () => {
    const day = fc.integer({ min: 19_700, max: 20_700 })
    const added = fc.record({ from: day, days: fc.option(fc.integer({ min: 0, max: 400 }), { nil: null }) })
    fc.assert(
      fc.property(fc.array(added, { minLength: 1, maxLength: 8 }), (all) => {
        const tariffs = all.map(({ from, days }, i) =>
          homeTariff({
            PlanID: `p${i}`,
            ValidFrom: formatDay(from),
            ValidThrough: days === null ? null : formatDay(from + days),
          }),
        )
        let history: ReturnType<typeof withTariff> = []
        for (const one of tariffs) history = withTariff(history, one)
        expect(HomeTariffs.safeParse(history).error).toBeUndefined()
        const last = tariffs.at(-1)
        expect(tariffOn(history, last?.ValidFrom ?? '')?.PlanID).toBe(last?.PlanID)
      }),
    )
  })
})
