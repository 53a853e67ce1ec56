import { expect, it } from 'vitest'
import { parseDay } from '../../../contract/time/periods.ts'
import {
  councilDateAfter,
  missingFactorYear,
  PRICES_CHECKED_ON,
  priceReviewOf,
} from '../../../contract/tariffs/price-review.ts'

it('finds the first of April or October after the last check', () => {
  expect(councilDateAfter('2026-09-15')).toBe('2026-10-01')
  expect(councilDateAfter('2026-10-01')).toBe('2027-04-01')
  expect(councilDateAfter('2027-03-31')).toBe('2027-04-01')
})

it('warns from the next council date on that prices of built-in plans may have changed', () => {
  const review = councilDateAfter(PRICES_CHECKED_ON)
  expect(priceReviewOf(['own', 'lv_two_stage'], parseDay(review) - 1)).toEqual({
    CheckedOn: PRICES_CHECKED_ON,
    ReviewOn: review,
    MayHaveChanged: false,
  })
  expect(priceReviewOf(['lv_two_stage'], parseDay(review))).toMatchObject({ MayHaveChanged: true })
  expect(priceReviewOf(['own'], parseDay(review))).toBeUndefined()
})

it("asks from May on for last year's carbon factor, until it is entered", () => {
  expect(missingFactorYear(parseDay('2026-04-30'), [])).toBeNull()
  expect(missingFactorYear(parseDay('2026-05-01'), [])).toBe(2025)
  expect(missingFactorYear(parseDay('2027-04-30'), [])).toBe(2025)
  expect(missingFactorYear(parseDay('2027-05-01'), [2025])).toBe(2026)
  expect(missingFactorYear(parseDay('2026-05-01'), [2025])).toBeNull()
})
