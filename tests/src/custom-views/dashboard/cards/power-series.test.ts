import { expect, it } from 'vitest'
import { QUARTER_MS } from '../../../../../contract/time/periods.ts'
import { powerSeries } from '../../../../../src/custom-views/dashboard/cards/power-series.ts'
import { point } from '../../../domain/energy/points.ts'

const TODAY = Date.parse('2026-05-04T00:00:00+08:00')
const DAY = 86_400_000
const words = {
  ...{ current: 'now', previous: 'before', contract: 'contract', forecast: 'forecast' },
  ...{ peak: 'peak', peakAtLeast: 'at least' },
}

it('marks the peak as "at least" while a finished quarter-hour lacks a meter', () => {
  const labelOf = (Missing: number) => {
    const whole = point(TODAY, 3)
    const partial = { ...point(TODAY + QUARTER_MS, 1), Coverage: { ...whole.Coverage, Missing } }
    const series = powerSeries([whole, partial], {
      ...{
        from: TODAY,
        to: TODAY + DAY,
        now: TODAY + 2 * QUARTER_MS,
        zone: 'Asia/Taipei',
      },
      ...{ limit: null, forecast: null, words },
    })
    return series.find(({ key }) => key === 'peak')?.label
  }
  expect([labelOf(0), labelOf(1)]).toEqual(['peak', 'at least'])
})
