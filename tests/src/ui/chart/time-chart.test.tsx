import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import type { ChartModel } from '../../../../src/ui/chart/model.ts'
import { TimeChart } from '../../../../src/ui/chart/time-chart.tsx'
import { seriesColor } from '../../../../src/ui/chart/energy-colors.ts'
import { startPrinting } from '../../../../src/ui/page/printing.ts'
import { bars, HOUR } from './support.ts'
import { PATIENT } from '../../../support/patient.ts'

// jsdom has no canvas: drawing is tested as functions, and in a real browser.
const drawn = vi.hoisted(() => ({
  models: [] as { series: readonly { key: string }[] }[],
  /** Options of each created plot. */
  made: [] as { width: number; pixelRatio: number }[],
}))
vi.mock('../../../../src/ui/chart/plot.ts', () => ({
  createPlot: (_: HTMLElement, options: { width: number; pixelRatio: number }) => ({
    made: drawn.made.push(options),
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

describe('a printed chart', () => {
  it('fits the paper with a finer resolution, and is restored afterwards', async () => {
    const wide = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1100)
    startPrinting()
    render(<main>{chart()}</main>)
    await vi.waitFor(() => expect(drawn.made.length).toBeGreaterThan(0), PATIENT)
    dispatchEvent(new Event('beforeprint'))
    expect(drawn.made.at(-1)?.width).toBeLessThanOrEqual(703)
    expect(drawn.made.at(-1)?.pixelRatio).toBeGreaterThanOrEqual(2)
    act(() => void dispatchEvent(new Event('afterprint')))
    expect(drawn.made.at(-1)).toMatchObject({ width: 1100, pixelRatio: 1 })
    wide.mockRestore()
  })
})

describe('the legend of a chart', () => {
  it('is one Tab stop with arrow keys, and hides a series from there', async () => {
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
      PATIENT,
    )
    await user.keyboard('{Home}')
    expect(document.activeElement).toBe(button(0))
    await user.tab()
    expect(legend().queryByRole('button', { current: true })).toBeNull()
    expect(document.activeElement?.closest('ul')).toBeNull()
  })
})

describe('the marks of a chart', () => {
  it('are explained if there are any', () => {
    const { rerender } = render(chart())
    expect(screen.queryByText('無資料')).toBeNull()
    const values = times.map((_, i) => (i < 3 ? null : 1))
    const estimated = times.map((_, i) => (i === 5 ? 0.5 : 0))
    rerender(chart({ series: [bars('a', times, { values, estimated })], now: from + 23.5 * HOUR }))
    for (const words of ['無資料', '含推估', '進行中']) expect(screen.getByText(words)).toBeTruthy()
  })

  it('explain bars with missing parts, and lines that are means or broken', () => {
    const missing = times.map((_, i) => (i === 3 ? 0.25 : 0))
    const { rerender } = render(chart({ series: [bars('a', times, { missing })] }))
    expect(screen.getByText('部分無資料')).toBeTruthy()
    const some = times.filter((_, i) => i < 6 || i > 12)
    const values = some.map(() => 20)
    const line = {
      ...bars('t', some, { values, low: values, high: values, gapMs: HOUR }),
      draw: 'line' as const,
    }
    rerender(chart({ series: [line], now: from + 23 * HOUR }))
    expect(screen.queryByText('部分無資料')).toBeNull()
    expect(screen.getByText('無資料')).toBeTruthy()
    expect(screen.getByText('線為平均值，陰影為最小值至最大值')).toBeTruthy()
  })
})

describe('the accessible chart', () => {
  const slider = () => screen.getByRole('slider', { name: 'energy' })
  const said = () => slider().getAttribute('aria-valuetext')

  it('says with each value if it is unfinished, between readings, estimated or incomplete', async () => {
    const missing = times.map((_, i) => (i === 1 ? 0.25 : 0))
    const estimated = times.map((_, i) => (i === 2 ? 1 : 0))
    const before = bars('b', times, { label: 'before', isFaint: true, stack: 'b', missing })
    const between = times.map((_, i) => (i === 3 ? 0.75 : 0))
    const own = bars('a', times, { label: 'own', missing, estimated, between })
    render(chart({ series: [own, before], now: from + 3.9 * HOUR }))
    const user = userEvent.setup()
    slider().focus()
    await user.keyboard('{ArrowRight}')
    expect(said()).toMatch(/own 1 kWh、before 1 kWh$/)
    await user.keyboard('{ArrowRight}')
    expect(said()).toMatch(/own 1 kWh、before 1 kWh 部分無資料、部分無資料$/)
    await user.keyboard('{ArrowRight}')
    expect(said()).toMatch(/before 1 kWh、含推估$/)
    await user.keyboard('{ArrowRight}')
    expect(said()).toMatch(/before 1 kWh、進行中、介於兩次讀數之間$/)
  })

  it('has the same values as a table, with their marks', async () => {
    const missing = times.map((_, i) => (i === 1 ? 0.25 : 0))
    const values = times.map((_, i) => (i === 2 ? null : 5))
    render(chart({ series: [bars('a', times, { label: 'own', values, missing })], summed: true }))
    await userEvent.setup().click(screen.getByRole('button', { name: '以表格顯示' }))
    const table = within(await screen.findByRole('table'))
    const rows = table.getAllByRole('row').map((row) => row.textContent ?? '')
    expect(rows).toHaveLength(25)
    expect(rows[0]).toContain('備註')
    expect(rows[2]).toMatch(/5部分無資料$/)
    expect(rows[3]).toMatch(/–$/)
  })

  it('lists in its table times without a value of any line, and the range of means', async () => {
    const some = [0, 1, 5].map((hours) => from + hours * HOUR)
    const line = {
      ...bars('t', some, {
        label: 'warm',
        values: [20, 21, 22],
        low: [19, 21, 20],
        high: [23, 21, 24],
        gapMs: HOUR,
      }),
      draw: 'line' as const,
    }
    render(chart({ to: from + 6 * HOUR, series: [line] }))
    await userEvent.setup().click(screen.getByRole('button', { name: '以表格顯示' }))
    const table = within(await screen.findByRole('table'))
    const rows = table.getAllByRole('row').map((row) => row.textContent ?? '')
    expect(rows).toHaveLength(5)
    expect(rows[1]).toContain('20 (19 – 23)')
    expect(rows[2]).toMatch(/21$/)
    expect(rows[3]).toMatch(/01:00:00 – .*05:00:00–無資料$/)
    expect(rows[4]).toContain('22 (20 – 24)')
  })
})
