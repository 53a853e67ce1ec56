import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { ChartPage } from './chart-page/chart.tsx'
import { openBrowser, openPage } from './support/browser.ts'
import { servePages } from './support/floor-server.ts'
import type { Figure, Options } from './support/measurement.ts'
import { alternate, median, percentile } from './support/statistics.ts'

export const name = 'chart'
export const bar = '100,000 points: drawn in at most 2x of the bare library; a zoom step p95 under 100 ms'

const POINTS = 100_000

/** Draws a line of many points in turn with the bare library and with the product's chart, in one page, and zooms in and out. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  const url = await servePages(join(import.meta.dirname, 'chart-page'), ['index.html'])
  const { page } = await openPage(await openBrowser())
  await page.goto(url)
  await page.waitForFunction(() => 'chartPage' in window)
  const paint = (which: 'bare' | 'ours') => () => paintOf(page, which)
  const { a: ours, b: bare } = await alternate(quick ? 3 : 15, paint('ours'), paint('bare'))
  const steps: Record<'bare' | 'ours', number[]> = { bare: [], ours: [] }
  for (let run = 0; run < (quick ? 1 : 5); run++)
    for (const which of ['bare', 'ours'] as const) {
      await paintOf(page, which)
      steps[which].push(
        ...(await page.evaluate(() => (window as unknown as { chartPage: ChartPage }).chartPage.zoom())),
      )
    }
  return [
    {
      what: `${POINTS} points: asked for to painted`,
      value: ours,
      unit: 'ms',
      reference: { what: 'bare uPlot', value: bare },
      bar: { of: 'ratio', max: 2 },
    },
    {
      what: `${POINTS} points: zoom step, p95`,
      value: percentile(steps.ours, 0.95),
      unit: 'ms',
      reference: { what: 'bare uPlot', value: percentile(steps.bare, 0.95) },
      bar: { of: 'value', max: 100 },
      note: `median ${median(steps.ours).toFixed(0)} ms, bare ${median(steps.bare).toFixed(0)} ms`,
    },
  ]
}

const paintOf = (page: Page, which: 'bare' | 'ours'): Promise<number> =>
  page.evaluate(
    ([which, points]) => (window as unknown as { chartPage: ChartPage }).chartPage.paint(which, points),
    [which, POINTS] as const,
  )
