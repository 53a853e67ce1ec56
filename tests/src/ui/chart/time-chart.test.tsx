import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadNamespaces } from '../../../../src/providers/i18n.ts'
import type { ChartModel } from '../../../../src/ui/chart/model.ts'
import { TimeChart } from '../../../../src/ui/chart/time-chart.tsx'
import { seriesColor } from '../../../../src/ui/energy-colors.ts'
import { bars, HOUR } from './support.ts'

// There is no canvas here: what is drawn is tested as functions, and in a real browser.
const drawn = vi.hoisted(() => ({ models: [] as { series: readonly { key: string }[] }[] }))
vi.mock('../../../../src/ui/chart/plot.ts', () => ({
  createPlot: () => ({
    draw(model: ChartModel) {
      drawn.models.push(model)
    },
    restyle() {},
    resize() {},
    point: () => 0,
    destroy() {},
  }),
}))

const from = Date.parse('2025-10-01T00:00:00+08:00')
const times = Array.from({ length: 24 }, (_, i) => from + i * HOUR)
const series = Array.from({ length: 12 }, (_, i) =>
  bars(`s${i}`, times, { label: `meter ${i}`, color: seriesColor(i) }),
)
const chart = (more: Partial<Parameters<typeof TimeChart>[0]> = {}) => (
  <TimeChart
    label="energy"
    zone="Asia/Taipei"
    from={from}
    to={from + 24 * HOUR}
    resolution="hour"
    axes={[{ unit: 'kWh', format: String }]}
    series={series}
    now={from + 30 * HOUR}
    {...more}
  />
)
const legend = () => within(screen.getByRole('list', { name: '圖例：點選可隱藏或顯示' }))
const button = (i: number) => legend().getByRole('button', { name: `meter ${i}` })

beforeAll(() => loadNamespaces(['charts', 'shell']))

describe('the legend of a chart', () => {
  it('is one stop of the Tab key, walked by arrow keys, and hides a series from there', async () => {
    render(chart())
    const user = userEvent.setup()
    await user.tab()
    expect(document.activeElement).toBe(button(0))
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(document.activeElement).toBe(button(2))
    await user.keyboard('{End}')
    expect(document.activeElement).toBe(button(11))
    await user.keyboard('{ }')
    expect(button(11).getAttribute('aria-pressed')).toBe('false')
    await vi.waitFor(
      () =>
        expect(drawn.models.at(-1)?.series.map(({ key }) => key)).toEqual(
          series.slice(0, 11).map(({ key }) => key),
        ),
      10_000,
    )
    await user.keyboard('{Home}')
    expect(document.activeElement).toBe(button(0))
    await user.tab()
    expect(legend().queryByRole('button', { current: true })).toBeNull()
    expect(document.activeElement?.closest('ul')).toBeNull()
  })
})

describe('the marks of a chart', () => {
  it('are explained while there are any', () => {
    const { rerender } = render(chart())
    expect(screen.queryByText('無資料')).toBeNull()
    const values = times.map((_, i) => (i < 3 ? null : 1))
    const estimated = times.map((_, i) => (i === 5 ? 0.5 : 0))
    rerender(chart({ series: [bars('a', times, { values, estimated })], now: from + 23.5 * HOUR }))
    for (const words of ['無資料', '含推估', '尚未結束']) expect(screen.getByText(words)).toBeTruthy()
  })
})
