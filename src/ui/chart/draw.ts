import type { ColorName, Mode } from '../theme/theme.ts'
import type { Texture } from './energy-colors.ts'
import { barPieces, missingSpans, partlySpans } from './bars.ts'
import { gapSpans } from './gaps.ts'
import { type ChartModel, type Figures, type TimeSeries, type ChartView, lowerBound } from './model.ts'
import { DASHES, MARK_OPACITY, MARKS, TILE } from './textures.ts'

/** Marks a break of a line between two indexes. */
export const BREAK = -1

interface Line {
  times: ArrayLike<number>
  values: Figures
  gapMs?: number
}

/**
 * Indexes of a line that must be drawn: all if they are few, else the first, minimum, maximum and last of each pixel column, so that no
 * peak is lost. For drawing only, never for sums.
 *
 * view     one index beyond either edge is kept, so that the line continues through it
 * columns  width of the view in pixels
 * returns  ascending indexes, BREAK if values are missing or `gapMs` passes without one; a break narrower than a column is
 *          not visible and is omitted if there is more than one index per half column
 */
export function thinLine(
  { times, values, gapMs = Infinity }: Line,
  view: ChartView,
  columns: number,
): number[] {
  const first = Math.max(0, lowerBound(times, view.from) - 1)
  const last = Math.min(times.length, lowerBound(times, view.to) + 1)
  const isSparse = last - first <= columns * 2
  const width = (view.to - view.from) / columns
  const places: number[] = []
  let before = Number.NaN
  let broken = false
  let [edge, floor, ceiling] = [-Infinity, 0, 0]
  let [start, minIndex, maxIndex, end] = [-1, -1, -1, -1]

  const flush = () => {
    if (start < 0) return
    places.push(start)
    const [earlierIndex, laterIndex] = minIndex < maxIndex ? [minIndex, maxIndex] : [maxIndex, minIndex]
    if (earlierIndex !== start && earlierIndex !== end) places.push(earlierIndex)
    if (laterIndex !== earlierIndex && laterIndex !== start && laterIndex !== end) places.push(laterIndex)
    if (end !== start) places.push(end)
    start = -1
  }

  for (let i = first; i < last; i++) {
    const value = values[i] as number | null
    if (value === null || Number.isNaN(value)) {
      broken = true
      continue
    }
    const at = times[i] as number
    if (at - before > gapMs) broken = true
    if (isSparse) {
      if (broken && places.length > 0) places.push(BREAK)
      places.push(i)
    } else {
      const isVisible = broken && at - before > width
      const inside = at < edge
      if (!inside || isVisible) flush()
      if (isVisible && places.length > 0) places.push(BREAK)
      if (start < 0) {
        if (!inside) edge = view.from + (Math.floor((at - view.from) / width) + 1) * width
        start = minIndex = maxIndex = end = i
        floor = ceiling = value
      } else {
        end = i
        if (value < floor) {
          floor = value
          minIndex = i
        } else if (value > ceiling) {
          ceiling = value
          maxIndex = i
        }
      }
    }
    broken = false
    before = at
  }
  flush()
  return places
}

/** Plotting area in canvas pixels, and the conversion of values to y coordinates. */
export interface Plane {
  context: CanvasRenderingContext2D
  left: number
  top: number
  width: number
  height: number
  /** Canvas pixels per CSS pixel. */
  ratio: number
  view: ChartView
  y: (value: number, axis: 0 | 1) => number
}

/** Colours of the theme mode in which the chart is drawn. */
export interface Palette {
  mode: Mode
  of: Readonly<Record<ColorName, string>>
}

const PAST = 0.3
const UNFINISHED = 0.55
/** Minimum width of a bar with a texture, px; on narrower bars it is not discernible. */
const MIN_MARKED_PX = 8

/** Draws a chart without its axes: faint series first, bars before lines. */
export function drawModel(model: ChartModel, plane: Plane, palette: Palette): void {
  const { context, left, top, width, height } = plane
  context.save()
  context.beginPath()
  context.rect(left, top, width, height)
  context.clip()
  drawUnknown(model, plane, palette)
  drawBars(model, plane, palette)
  const lines = model.series.filter(({ draw }) => draw !== 'bars')
  for (const line of lines.toSorted((a, b) => Number(b.isFaint ?? false) - Number(a.isFaint ?? false)))
    drawLine(line, plane, palette)
  context.restore()
}

const place = ({ left, width, view }: Plane, at: number) =>
  left + ((at - view.from) / (view.to - view.from)) * width

/** Draws the background of times that are unknown or only partly known. */
function drawUnknown(model: ChartModel, plane: Plane, { of }: Palette): void {
  const { context, top, height, ratio, view } = plane
  context.fillStyle = createHatch(context, of.line, ratio, -1) ?? of.sunken
  for (const spans of [missingSpans, partlySpans, gapSpans])
    for (const { from, to } of spans(model, view)) {
      const x = Math.round(place(plane, from))
      context.fillRect(x, top, Math.round(place(plane, to)) - x, height)
    }
}

function drawBars(model: ChartModel, plane: Plane, { mode, of }: Palette): void {
  const { context, ratio, view, y } = plane
  const hatchPattern = createHatch(context, of.surface, ratio, 1)
  for (const piece of barPieces(model, view)) {
    const { series, from, to, foot, head, estimated, unfinished } = piece
    const axis = series.axis ?? 0
    const x = Math.round(place(plane, from))
    const barWidth = Math.max(1, Math.round(place(plane, to)) - x)
    const [a, b] = [y(foot, axis), y(head, axis)]
    const [top, barHeight] = [Math.min(a, b), Math.abs(a - b)]
    // A thin gap separates the pieces of a stack if neighbours have similar colours.
    const seam = foot !== 0 && barHeight > 3 * ratio ? ratio : 0
    const innerHeight = barHeight - seam
    const estimatedHeight = innerHeight * Math.min(1, estimated)
    const fill = (style: string | CanvasPattern, from: number, height: number) => {
      context.fillStyle = style
      context.fillRect(x, top + from, barWidth, height)
    }
    context.globalAlpha = series.isFaint ? PAST : unfinished ? UNFINISHED : 1
    fill(series.color[mode], 0, innerHeight)
    context.globalAlpha = 1
    const { texture } = series.color
    const marks = texture && barWidth >= MIN_MARKED_PX * ratio && marking(context, of.surface, texture, ratio)
    // Two patterns on top of each other are illegible: the estimate mark takes precedence over the texture.
    if (marks) fill(marks, estimatedHeight, innerHeight - estimatedHeight)
    if (estimatedHeight > 0 && hatchPattern) fill(hatchPattern, 0, estimatedHeight)
    // Compared bars are hollow and unfinished bars have dashed edges, so that neither depends on colour alone.
    if ((unfinished || series.isFaint) && barWidth >= 3 * ratio) {
      context.strokeStyle = series.color[mode]
      context.lineWidth = ratio
      if (unfinished) context.setLineDash([4 * ratio, 3 * ratio])
      context.strokeRect(x + ratio / 2, top + ratio / 2, barWidth - ratio, Math.max(0, barHeight - ratio))
      context.setLineDash([])
    }
  }
}

/** Canvas of a repeated pattern, cached by appearance. */
const tiles = new Map<string, HTMLCanvasElement>()
function tiled(
  context: CanvasRenderingContext2D,
  key: string,
  size: number,
  paint: (brush: CanvasRenderingContext2D) => void,
): CanvasPattern | null {
  let tile = tiles.get(key)
  if (!tile) {
    tile = document.createElement('canvas')
    tile.width = tile.height = size
    const brush = tile.getContext('2d')
    if (!brush) return null
    paint(brush)
    tiles.set(key, tile)
  }
  return context.createPattern(tile, 'repeat')
}

/** Slanting lines: rising on estimated values, falling on unknown times. */
function createHatch(context: CanvasRenderingContext2D, color: string, ratio: number, slope: 1 | -1) {
  const size = Math.round(TILE * ratio)
  return tiled(context, `${color} ${ratio} ${slope}`, size, (brush) => {
    brush.strokeStyle = color
    brush.lineWidth = 1.6 * ratio
    brush.beginPath()
    const [low, high] = slope > 0 ? [size + 1, -1] : [-1, size + 1]
    for (const shift of [-size, 0, size]) {
      brush.moveTo(shift - 1, low)
      brush.lineTo(shift + size + 1, high)
    }
    brush.stroke()
  })
}

/** Pattern of a texture, drawn on top of a bar. */
function marking(context: CanvasRenderingContext2D, color: string, texture: Texture, ratio: number) {
  return tiled(context, `${color} ${ratio} ${texture}`, Math.round(TILE * ratio), (brush) => {
    const { x, y, width, height } = MARKS[texture]
    brush.fillStyle = color
    brush.globalAlpha = MARK_OPACITY
    brush.fillRect(x * ratio, y * ratio, width * ratio, height * ratio)
  })
}

function drawLine(line: TimeSeries, plane: Plane, { mode }: Palette): void {
  const { context, ratio, width, view } = plane
  const columns = Math.max(1, Math.round(width / ratio))
  const places = thinLine(line, view, columns)
  const dense = places.length > columns * 2
  context.strokeStyle = context.fillStyle = line.color[mode]
  context.globalAlpha = line.isFaint ? PAST : 1
  if (line.low && line.high) shade(line, line.low, line.high, places, plane)
  const axis = line.axis ?? 0
  context.lineWidth = 1.5 * ratio
  // Round corners are the most expensive part of a dense line, and are not visible there.
  context.lineJoin = dense ? 'bevel' : 'round'
  const { texture } = line.color
  // Dashes are not visible on a dense line either: its shade identifies it.
  if (texture && !dense) context.setLineDash(DASHES[texture].map((length) => length * ratio))
  context.beginPath()
  let [isStarted, x, y] = [0, 0, 0]
  const dots: [number, number][] = []
  const end = () => {
    // A single value between two gaps is drawn as a dot.
    if (isStarted === 1) dots.push([x, y])
    isStarted = 0
  }
  for (const at of places) {
    if (at === BREAK) {
      end()
      continue
    }
    x = place(plane, line.times[at] as number)
    const next = plane.y(line.values[at] as number, axis)
    if (isStarted === 0) context.moveTo(x, next)
    else {
      if (line.draw === 'steps') context.lineTo(x, y)
      context.lineTo(x, next)
    }
    y = next
    isStarted++
  }
  end()
  context.stroke()
  context.setLineDash([])
  for (const [x, y] of dots) {
    context.beginPath()
    context.arc(x, y, 3 * ratio, 0, 2 * Math.PI)
    context.fill()
  }
  context.globalAlpha = 1
}

/** Fills the area between the minimum and maximum values, separately between gaps. */
function shade(line: TimeSeries, low: Figures, high: Figures, places: readonly number[], plane: Plane) {
  const { context } = plane
  const axis = line.axis ?? 0
  context.globalAlpha *= 0.2
  let run: number[] = []
  const fill = () => {
    context.beginPath()
    const point = (at: number, of: Figures) =>
      context.lineTo(
        place(plane, line.times[at] as number),
        plane.y((of[at] ?? line.values[at]) as number, axis),
      )
    for (const at of run) point(at, high)
    for (const at of run.toReversed()) point(at, low)
    context.fill()
    run = []
  }
  for (const at of places)
    if (at === BREAK) fill()
    else run.push(at)
  fill()
  context.globalAlpha /= 0.2
}
