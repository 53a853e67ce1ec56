import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { colors, fontFamily, type Mode } from '../theme/theme.ts'
import { axisRange, extent } from './bars.ts'
import { drawModel } from './draw.ts'
import { lowerBound, momentsOf, type ChartModel, type Inset, type ChartView } from './model.ts'
import { barTicks, formatTick, timeTicks, type TimeTicks } from './time-ticks.ts'
import { touchDrag } from './touch-drag.ts'

export interface PlotOptions {
  /** Number of value axes, 1 or 2; fixed for the life of a plot. */
  axes: number
  model: ChartModel
  view: ChartView
  /** In CSS px. */
  width: number
  height: number
  /** Drawing pixels per CSS px: more than 1 for paper, which has a higher resolution than a screen. */
  pixelRatio: number
  mode: Mode
  language: string
  /** Called with the index of the time at the pointer, or undefined, and px from the left of the plot. */
  onPoint: (place: number | undefined, x: number) => void
  onSelect: (view: ChartView) => void
  onReset: () => void
  /** Called when the position of the plot changes. */
  onLayout: (inset: Inset) => void
}

/** A chart on a page. It draws what it was last given; its only own state is the pointer's. */
export interface Plot {
  /** Does nothing if nothing has changed. */
  draw: (model: ChartModel, view: ChartView) => void
  restyle: (mode: Mode, language: string) => void
  /** In CSS px. */
  resize: (width: number, height: number) => void
  /** Moves the pointer to an index, or removes it if undefined. Returns px from the left of the plot. */
  point: (at: number | undefined) => number
  destroy: () => void
}

const SCALES = ['left', 'right'] as const
/** Space for the label of a tick, px. */
const TICK_WIDTH = 64
/** Minimum length of a drag, px; a shorter one is a click. */
const MIN_DRAG_PX = 8

interface PlotState {
  options: PlotOptions
  model: ChartModel
  view: ChartView
  mode: Mode
  language: string
  inset: Inset
  moments: ArrayLike<number>
  /** Cached range of each axis, and the model and view for which it was computed. */
  ranges: { model: ChartModel; view: ChartView; range: [number, number] }[]
  ticks: TimeTicks
}

/** Creates a chart in an element. uPlot draws axes, pointer and selection; `drawModel` draws the plotting area. */
export function createPlot(box: HTMLElement, options: PlotOptions): Plot {
  const { model, view, mode, language } = options
  const state: PlotState = {
    ...{ options, model, view, mode, language },
    inset: { left: 0, right: 0, width: 0 },
    moments: momentsOf(model.series),
    ranges: [],
    ticks: { at: [], grain: 'time' },
  }
  const { pixelRatio } = options
  const plot = new uPlot(setUp(state), [state.moments as number[]], box)
  // uPlot draws at the resolution of the screen: for a higher one, the plot is drawn larger and zoomed out.
  if (pixelRatio !== 1) plot.root.style.setProperty('zoom', String(1 / pixelRatio))
  const endTouch = selectByTouch(plot)
  return {
    draw: (next, range) => draw(state, plot, next, range),
    restyle(nextMode, nextLanguage) {
      if (nextMode === state.mode && nextLanguage === state.language) return
      state.mode = nextMode
      state.language = nextLanguage
      plot.redraw(false, true)
    },
    resize(onPageWidth, onPageHeight) {
      const [width, height] = [onPageWidth * pixelRatio, onPageHeight * pixelRatio]
      if (width !== plot.width || height !== plot.height) plot.setSize({ width, height })
    },
    point: (place) => point(state, plot, place),
    destroy() {
      endTouch()
      plot.destroy()
    },
  }
}

function setUp(state: PlotState): uPlot.Options {
  const { width, height, pixelRatio, axes: count } = state.options
  const axes = Array.from({ length: count }, (_, i) => i as 0 | 1)
  return {
    width: width * pixelRatio,
    height: height * pixelRatio,
    ms: 1,
    padding: [12 * pixelRatio, count > 1 ? 0 : 12 * pixelRatio, 0, 0],
    legend: { show: false },
    series: [{}],
    scales: {
      x: { time: false, auto: false, range: () => [state.view.from, state.view.to] },
      ...Object.fromEntries(
        axes.map((axis) => [SCALES[axis], { auto: true, range: () => rangeOf(state, axis) }]),
      ),
    },
    axes: [timeAxis(state), ...axes.map((axis) => valueAxis(state, axis))],
    cursor: {
      y: false,
      points: { show: false },
      drag: { x: true, y: false, setScale: false, dist: MIN_DRAG_PX },
      bind: {
        dblclick: () => () => {
          state.options.onReset()
          return null
        },
      },
    },
    hooks: {
      setCursor: [(self) => tellPointed(state, self)],
      setSelect: [(self) => tellSelected(state, self)],
      draw: [(self) => drawBetween(state, self)],
    },
  }
}

/** Canvas pixels per CSS pixel. */
const ratioOf = ({ options }: PlotState) => uPlot.pxRatio * options.pixelRatio

const colorOf = ({ mode }: PlotState) => colors[mode]

const hasBars = ({ model }: PlotState): boolean =>
  model.series.some(({ draw: drawStyle }) => drawStyle === 'bars')

const fontOf = ({ options }: PlotState) => `${12 * options.pixelRatio}px ${fontFamily}`

function timeAxis(state: PlotState): uPlot.Axis {
  const { pixelRatio } = state.options
  return {
    scale: 'x',
    font: fontOf(state),
    stroke: () => colorOf(state).muted,
    grid: { show: false },
    ticks: { stroke: () => colorOf(state).line, size: 4 * pixelRatio, width: 2 * pixelRatio },
    gap: 5 * pixelRatio,
    size: 32 * pixelRatio,
    splits: (self) => {
      const { view, model } = state
      const tickCapacity = Math.max(2, Math.floor(self.bbox.width / ratioOf(state) / TICK_WIDTH))
      if (!hasBars(state)) {
        state.ticks = timeTicks(view, model.zone, tickCapacity)
        return state.ticks.at
      }
      state.ticks = barTicks(view, model.resolution, model.zone, tickCapacity)
      return state.ticks.at.map((start) => middleOf(state, start))
    },
    values: () => {
      const { ticks, model, language } = state
      return ticks.at.map((at) => formatTick(at, ticks.grain, model.zone, language))
    },
  }
}

function valueAxis(state: PlotState, axis: 0 | 1): uPlot.Axis {
  const { pixelRatio } = state.options
  return {
    scale: SCALES[axis],
    side: axis === 0 ? 3 : 1,
    font: fontOf(state),
    stroke: () => colorOf(state).muted,
    grid: { show: axis === 0, stroke: () => colorOf(state).line, width: pixelRatio },
    ticks: { show: false },
    gap: 5 * pixelRatio,
    space: 30 * pixelRatio,
    size: (_, values) => (14 + 7 * Math.max(3, ...(values ?? []).map((text) => text.length))) * pixelRatio,
    values: (_, splits) => {
      const { axes } = state.model
      const { format } = axes[axis] ?? axes[0]
      const [first = 0, second] = splits
      return splits.map((value) => format(value, second === undefined ? undefined : second - first))
    },
  }
}

function tellPointed(state: PlotState, { cursor, posToVal }: uPlot): void {
  const { onPoint } = state.options
  const left = cursor.left ?? -1
  if (left < 0 || state.moments.length === 0) return onPoint(undefined, 0)
  onPoint(placeNear(state, posToVal(left, 'x')), left)
}

function tellSelected({ options }: PlotState, self: uPlot): void {
  const { left, width } = self.select
  if (width < MIN_DRAG_PX) return
  const view = { from: self.posToVal(left, 'x'), to: self.posToVal(left + width, 'x') }
  self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  options.onSelect(view)
}

/** Draws the plotting area between the axes. */
function drawBetween(state: PlotState, self: uPlot): void {
  const { model, view, mode, inset } = state
  const { left, top, width, height } = self.bbox
  const ratio = ratioOf(state)
  const chartWidth = self.width / state.options.pixelRatio
  const next: Inset = { left: left / ratio, right: chartWidth - (left + width) / ratio, width: chartWidth }
  if (next.left !== inset.left || next.right !== inset.right || next.width !== inset.width)
    state.options.onLayout((state.inset = next))
  const scale = SCALES.map((name) => self.scales[name])
  const y = (value: number, axis: 0 | 1) => {
    const { min = 0, max = 1 } = scale[axis] ?? {}
    return top + height - ((value - min) / (max - min)) * height
  }
  const area = { context: self.ctx, left, top, width, height, ratio, view, y }
  drawModel(model, area, { mode, of: colorOf(state) })
}

/** Lets a touch drag select a range, as the mouse does. */
function selectByTouch(plot: uPlot): () => void {
  const boxOf = ({ left, width }: { left: number; width: number }) => ({
    left,
    width,
    top: 0,
    height: plot.over.clientHeight,
  })
  return touchDrag(plot.over, {
    minWidth: MIN_DRAG_PX,
    onDraw: (box) => plot.setSelect(boxOf(box), false),
    onDrawn: (box) => plot.setSelect(boxOf(box)),
    onCancel: () => plot.setSelect(boxOf({ left: 0, width: 0 }), false),
  })
}

function draw(state: PlotState, plot: uPlot, model: ChartModel, view: ChartView): void {
  if (model === state.model && view.from === state.view.from && view.to === state.view.to) return
  const moments = momentsOf(model.series)
  state.model = model
  state.view = view
  if (moments !== state.moments) {
    state.moments = moments
    plot.setData([moments as number[]], false)
  }
  plot.setScale('x', { min: view.from, max: view.to })
}

function point(state: PlotState, plot: uPlot, place: number | undefined): number {
  const at = place === undefined ? undefined : state.moments[place]
  if (at === undefined) {
    plot.setCursor({ left: -10, top: -10 }, false)
    return 0
  }
  const left = plot.valToPos(hasBars(state) ? middleOf(state, at) : at, 'x')
  plot.setCursor({ left, top: plot.over.clientHeight / 2 }, false)
  return left
}

/** Range of an axis, computed once per drawing: uPlot asks for it several times. */
function rangeOf({ model, view, ranges }: PlotState, axis: 0 | 1): [number, number] {
  const knownRange = ranges[axis]
  if (knownRange?.model === model && knownRange.view === view) return knownRange.range
  const range = axisRange(extent(model, axis, view), model.axes[axis]?.fromZero ?? false)
  ranges[axis] = { model, view, range }
  return range
}

/** Middle of the period that begins at `start`. */
function middleOf({ moments, view }: PlotState, start: number): number {
  const next = moments[lowerBound(moments, start + 1)]
  const last = moments.length > 1 ? (moments[1] as number) - (moments[0] as number) : view.to - view.from
  return start + Math.min(next === undefined ? last : next - start, view.to - start) / 2
}

/** Index of the bar at a time, or of the nearest value of a line. */
function placeNear(state: PlotState, at: number): number | undefined {
  const { moments } = state
  const after = lowerBound(moments, at + 1)
  const before = Math.max(0, after - 1)
  if (hasBars(state)) return before
  const [left, right] = [moments[before], moments[after]]
  if (left === undefined || right === undefined) return before
  return at - left <= right - at ? before : after
}
