import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colors, fontFamily, type Mode } from '../theme/theme.ts'
import { axisRange, extent } from './bars.ts'
import { drawModel } from './draw.ts'
import { lowerBound, momentsOf, type ChartModel, type Inset, type View } from './model.ts'
import { barTicks, formatTick, timeTicks, type Ticks } from './time-ticks.ts'
import { touchDrag } from './touch-drag.ts'

export interface PlotOptions {
  /** How many axes there are for values, 1 or 2: a plot keeps them. */
  axes: number
  model: ChartModel
  view: View
  width: number
  height: number
  mode: Mode
  language: string
  /** A place among the moments that the pointer is at, or none; with where it is, px from the left of the plot. */
  onPoint: (place: number | undefined, x: number) => void
  /** What a person drew a box around. */
  onSelect: (view: View) => void
  onReset: () => void
  /** Where the plot lies, each time that it comes to lie elsewhere. */
  onLayout: (inset: Inset) => void
}

/** A chart on a page. What it draws is what it was last told; it keeps no state of its own but the pointer's. */
export interface Plot {
  /** Draws nothing when it is what was drawn last. */
  draw: (model: ChartModel, view: View) => void
  restyle: (mode: Mode, language: string) => void
  resize: (width: number, height: number) => void
  /** Puts the pointer at a place, px from the left of the plot back; undefined takes it away. */
  point: (at: number | undefined) => number
  destroy: () => void
}

const FONT = `12px ${fontFamily}`
const SCALES = ['left', 'right'] as const
/** Room for a tick's words, px. */
const TICK_WIDTH = 64
/** Less than this is a click, px. */
const LEAST_DRAG = 8

/** Puts a chart into a box. The drawing library brings axes, pointer and selection; what is between them is drawn by `drawModel`. */
export function createPlot(box: HTMLElement, options: PlotOptions): Plot {
  const { onPoint, onSelect, onReset, onLayout } = options
  let { model, view, mode, language } = options
  let inset: Inset = { left: 0, right: 0, width: 0 }
  let moments = momentsOf(model.series)
  const axes = Array.from({ length: options.axes }, (_, i) => i as 0 | 1)
  const hasBars = () => model.series.some(({ draw }) => draw === 'bars')
  const ranges: { model: ChartModel; view: View; range: [number, number] }[] = []
  let ticks: Ticks = { at: [], grain: 'time' }
  const color = () => colors[mode]

  const plot = new uPlot(
    {
      width: options.width,
      height: options.height,
      ms: 1,
      padding: [12, axes.length > 1 ? 0 : 12, 0, 0],
      legend: { show: false },
      series: [{}],
      scales: {
        x: { time: false, auto: false, range: () => [view.from, view.to] },
        ...Object.fromEntries(axes.map((axis) => [SCALES[axis], { auto: true, range: () => rangeOf(axis) }])),
      },
      axes: [
        {
          scale: 'x',
          font: FONT,
          stroke: () => color().muted,
          grid: { show: false },
          ticks: { stroke: () => color().line, size: 4 },
          size: 32,
          splits: (self) => {
            const room = Math.max(2, Math.floor(self.bbox.width / uPlot.pxRatio / TICK_WIDTH))
            if (!hasBars()) {
              ticks = timeTicks(view, model.zone, room)
              return ticks.at
            }
            ticks = barTicks(view, model.resolution, model.zone, room)
            return ticks.at.map(middle)
          },
          values: () => ticks.at.map((at) => formatTick(at, ticks.grain, model.zone, language)),
        },
        ...axes.map((axis): uPlot.Axis => ({
          scale: SCALES[axis],
          side: axis === 0 ? 3 : 1,
          font: FONT,
          stroke: () => color().muted,
          grid: { show: axis === 0, stroke: () => color().line, width: 1 },
          ticks: { show: false },
          size: (_, values) => 14 + 7 * Math.max(3, ...(values ?? []).map((text) => text.length)),
          values: (_, splits) => {
            const { format } = model.axes[axis] ?? model.axes[0]
            const [first = 0, second] = splits
            return splits.map((value) => format(value, second === undefined ? undefined : second - first))
          },
        })),
      ],
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: LEAST_DRAG },
        bind: {
          dblclick: () => () => {
            onReset()
            return null
          },
        },
      },
      hooks: {
        setCursor: [
          ({ cursor, posToVal }) => {
            const left = cursor.left ?? -1
            if (left < 0 || moments.length === 0) return onPoint(undefined, 0)
            onPoint(placeNear(posToVal(left, 'x')), left)
          },
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select
            if (width < LEAST_DRAG) return
            const drawn = { from: self.posToVal(left, 'x'), to: self.posToVal(left + width, 'x') }
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            onSelect(drawn)
          },
        ],
        draw: [
          (self) => {
            const { ctx: context, bbox } = self
            const { left, top, width, height } = bbox
            const next: Inset = {
              left: left / uPlot.pxRatio,
              right: self.width - (left + width) / uPlot.pxRatio,
              width: self.width,
            }
            if (next.left !== inset.left || next.right !== inset.right || next.width !== inset.width)
              onLayout((inset = next))
            const scale = SCALES.map((name) => self.scales[name])
            drawModel(
              model,
              {
                context,
                left,
                top,
                width,
                height,
                ratio: uPlot.pxRatio,
                view,
                y: (value, axis) => {
                  const { min = 0, max = 1 } = scale[axis] ?? {}
                  return top + height - ((value - min) / (max - min)) * height
                },
              },
              { mode, of: color() },
            )
          },
        ],
      },
    },
    [moments as number[]],
    box,
  )
  const boxOf = ({ left, width }: { left: number; width: number }) => ({
    left,
    width,
    top: 0,
    height: plot.over.clientHeight,
  })
  const endTouch = touchDrag(plot.over, {
    least: LEAST_DRAG,
    onDraw: (drawn) => plot.setSelect(boxOf(drawn), false),
    onDrawn: (drawn) => plot.setSelect(boxOf(drawn)),
    onCancel: () => plot.setSelect(boxOf({ left: 0, width: 0 }), false),
  })

  /** What an axis shows, reckoned once for each drawing however often the library asks. */
  function rangeOf(axis: 0 | 1): [number, number] {
    const known = ranges[axis]
    if (known?.model === model && known.view === view) return known.range
    const range = axisRange(extent(model, axis, view), model.axes[axis]?.fromZero ?? false)
    ranges[axis] = { model, view, range }
    return range
  }

  /** The middle of the period that begins at a moment, as far as the next begins. */
  function middle(start: number): number {
    const next = moments[lowerBound(moments, start + 1)]
    const last = moments.length > 1 ? (moments[1] as number) - (moments[0] as number) : view.to - view.from
    return start + Math.min(next === undefined ? last : next - start, view.to - start) / 2
  }

  /** Of bars the one at a moment, of lines the nearest. */
  function placeNear(at: number): number | undefined {
    const after = lowerBound(moments, at + 1)
    const before = Math.max(0, after - 1)
    if (hasBars()) return before
    const [left, right] = [moments[before], moments[after]]
    if (left === undefined || right === undefined) return before
    return at - left <= right - at ? before : after
  }

  return {
    draw(next, shown) {
      if (next === model && shown.from === view.from && shown.to === view.to) return
      const other = momentsOf(next.series)
      model = next
      view = shown
      if (other !== moments) {
        moments = other
        plot.setData([moments as number[]], false)
      }
      plot.setScale('x', { min: view.from, max: view.to })
    },
    restyle(nextMode, nextLanguage) {
      if (nextMode === mode && nextLanguage === language) return
      mode = nextMode
      language = nextLanguage
      plot.redraw(false, true)
    },
    resize(width, height) {
      if (width !== plot.width || height !== plot.height) plot.setSize({ width, height })
    },
    point(place) {
      const at = place === undefined ? undefined : moments[place]
      if (at === undefined) {
        plot.setCursor({ left: -10, top: -10 }, false)
        return 0
      }
      const left = plot.valToPos(hasBars() ? middle(at) : at, 'x')
      plot.setCursor({ left, top: plot.over.clientHeight / 2 }, false)
      return left
    },
    destroy() {
      endTouch()
      plot.destroy()
    },
  }
}
