import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { problemsOfSeasons } from '../../../../contract/tariffs/tariff-problems.ts'
import { taipowerPlan } from '../../../../contract/tariffs/taipower-plans.ts'
import {
  MOST_SEASONS,
  type TariffSeason,
  type TariffVersion,
} from '../../../../contract/tariffs/tariff-terms.ts'
import { withoutSeason, withSeason } from '../../../../src/custom-views/tariff/seasons.ts'

const plan = taipowerPlan('lv_two_stage')?.Versions.at(-1) as TariffVersion
const spans = (seasons: readonly TariffSeason[]) => seasons.map(({ From, Through }) => `${From}/${Through}`)

describe('seasons of a year', () => {
  it('are split when one is added, and merged when one is removed', () => {
    expect(spans(plan.Seasons)).toEqual(['06-01/09-30', '10-01/05-31'])
    const three = withSeason(plan.Seasons)
    // 244 days of winter: 122 and 122.
    expect(spans(three)).toEqual(['06-01/09-30', '10-01/01-30', '01-31/05-31'])
    expect(three[2]).toMatchObject({ Season: 'nonSummer', Prices: plan.Seasons[1]?.Prices })
    expect(spans(withoutSeason(three, 2))).toEqual(spans(plan.Seasons))
    expect(spans(withoutSeason(plan.Seasons, 0))).toEqual(['10-01/09-30'])
    expect(spans(withSeason(withoutSeason(plan.Seasons, 0)))).toEqual(['10-01/03-31', '04-01/09-30'])
  })

  it('cover the year exactly once after any change', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (steps) => {
        let seasons: TariffSeason[] = plan.Seasons
        for (const step of steps) {
          const grows = seasons.length === 1 || (step % 2 === 0 && seasons.length < MOST_SEASONS)
          seasons = grows ? withSeason(seasons) : withoutSeason(seasons, step % seasons.length)
          expect(problemsOfSeasons(seasons)).toEqual([])
        }
      }),
    )
  })

  it('stay as typed while a date is incomplete', () => {
    const typed = plan.Seasons.with(1, { ...(plan.Seasons[1] as TariffSeason), From: '10-' })
    expect(spans(withSeason(typed))).toEqual(['06-01/07-31', '08-01/09-30', '10-/05-31'])
    expect(spans(withoutSeason(typed, 1))).toEqual(['06-01/09-30'])
  })
})
