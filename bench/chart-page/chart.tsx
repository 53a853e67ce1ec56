/** Draws a chart of many points with the bare library and with the product's component in the same place. */
import { Button } from 'antd'
import { createRoot, type Root } from 'react-dom/client'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import '../../src/ui/theme/base.css'
import { startI18n } from '../../src/lib/i18n/i18n.ts'
import { TimeChart } from '../../src/ui/chart/time-chart.tsx'
import { seriesColor } from '../../src/ui/chart/energy-colors.ts'
import { startTheme } from '../../src/ui/theme/theme-mode.ts'

const SIZE = { width: 1200, height: 340 }
const MINUTE = 60_000
const STEPS = 10

export interface ChartPage {
  /** Ms from the call until the frame after the chart was drawn. */
  paint: (which: 'bare' | 'ours', points: number) => Promise<number>
  /** Ms of each zoom step of the chart on the page, to the frame after it: ten in, ten out. */
  zoom: () => Promise<number[]>
}

const box = document.getElementById('root') as HTMLElement
let root: Root | undefined
let bare: uPlot | undefined
let span = { from: 0, to: 0 }

const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()))
/** Resolves in a separate task after the next frame has been painted. */
async function painted(): Promise<void> {
  await frame()
  await new Promise<void>((resolve) => {
    const channel = new MessageChannel()
    channel.port1.addEventListener('message', () => resolve())
    channel.port1.start()
    channel.port2.postMessage(null)
  })
}

/** Waits for an element, without waiting for a frame. */
const find = (place: HTMLElement, selector: string) =>
  new Promise<void>((resolve) => {
    const check = () => {
      if (!place.querySelector(selector)) return
      observer.disconnect()
      resolve()
    }
    const observer = new MutationObserver(check)
    observer.observe(place, { childList: true, subtree: true })
    check()
  })

function data(points: number) {
  const from = Date.UTC(2025, 0, 1)
  const times = Array.from({ length: points }, (_, i) => from + i * MINUTE)
  const values = times.map((_, i) => 20 + 5 * Math.sin(i / 700) + Math.sin(i * 12.9898) * 2)
  return { times, values, from, to: from + points * MINUTE }
}

function clear(): void {
  root?.unmount()
  bare?.destroy()
  root = undefined
  bare = undefined
}

const page: ChartPage = {
  async paint(which, points) {
    clear()
    const { times, values, from, to } = data(points)
    span = { from, to }
    await painted()
    const started = performance.now()
    if (which === 'bare') {
      bare = new uPlot(
        {
          ...SIZE,
          ms: 1,
          series: [{}, { stroke: seriesColor(0).light, width: 1.5 }],
          cursor: { drag: { x: true, y: false } },
        },
        [times, values],
        box,
      )
    } else {
      root = createRoot(box)
      root.render(
        <TimeChart
          label="chart"
          zone="Asia/Taipei"
          from={from}
          to={to}
          axes={[{ unit: '°C', format: String }]}
          series={[{ key: 'a', label: 'a', color: seriesColor(0), draw: 'line', times, values }]}
          now={to}
          height={SIZE.height}
        />,
      )
      // The drawing library is a separate file, as on the product's pages.
      await find(box, '.u-over')
    }
    await painted()
    return performance.now() - started
  },
  async zoom() {
    const times: number[] = []
    let { from, to } = span
    for (let step = 0; step < 2 * STEPS; step++) {
      const into = step < STEPS
      const started = performance.now()
      if (bare) {
        const half = ((to - from) * (into ? 0.5 : 2)) / 2
        const centre = (from + to) / 2
        ;[from, to] = [centre - half, centre + half]
        bare.setScale('x', { min: from, max: to })
      } else {
        const reader = box.querySelector('[role=slider]') as HTMLElement
        reader.dispatchEvent(new KeyboardEvent('keydown', { key: into ? '+' : '-', bubbles: true }))
      }
      await painted()
      times.push(performance.now() - started)
    }
    return times
  },
}

startTheme()
await startI18n(['charts', 'shell'])
// Every page of the product has buttons, so their styles are loaded before a chart.
createRoot(document.getElementById('rest') as HTMLElement).render(<Button type="primary">rest</Button>)
Object.assign(window, { chartPage: page })
