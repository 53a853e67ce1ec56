import type { KeyboardEvent, PointerEvent } from 'react'
import { MAX_CORNERS, type FloorShape } from '../../../contract/homes/floor.ts'
import type { Point } from '../../../contract/homes/shapes.ts'
import { moveShape, putShape, withCorner, type AreaShape } from '../../domain/floor/draft.ts'
import { labelBox, toPixels, type Size, rectangleOf } from '../../domain/floor/plan-geometry.ts'
import { fitText } from '../../lib/fit-text.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './floor-editor.module.css'

/** Kind of a shape; an area whose corners form a rectangle is one. */
export type ShapeKind = 'rectangle' | 'polygon' | 'pin'

export const kindOf = (shape: FloorShape): ShapeKind =>
  'At' in shape ? 'pin' : rectangleOf(shape.Points) ? 'rectangle' : 'polygon'

/** Text for the place of a room, in ten-thousandths of the plan. */
export function useShapeWords() {
  const t = useT()
  return {
    describe(shape: FloorShape): string {
      if ('At' in shape) return t('floorEditor:at.pin', { x: shape.At[0], y: shape.At[1] })
      const box = rectangleOf(shape.Points)
      return box
        ? t('floorEditor:at.rectangle', { ...box })
        : t('floorEditor:at.polygon', { points: shape.Points.map(([x, y]) => `${x},${y}`).join(' ') })
    },
  }
}

interface Props {
  shape: FloorShape
  name: string
  size: Size
  isSelected: boolean
  problem: string | undefined
  shapes: readonly FloorShape[]
  draw: (shapes: readonly FloorShape[], isSameStep?: boolean) => void
  select: (RoomID: number) => void
  remove: (RoomID: number) => void
  onGrab: (event: PointerEvent, shape: FloorShape, corner?: number) => void
}

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
const LARGE_STEP = 10
const NAME = 13

/** Distance for a key: one unit, or ten with Shift; undefined for other keys. */
function stepOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): Point | undefined {
  const arrow = ARROWS[key]
  if (!arrow || ctrlKey || metaKey || altKey) return undefined
  const stepSize = shiftKey ? LARGE_STEP : 1
  return [arrow[0] * stepSize, arrow[1] * stepSize]
}

/** One room on the plan: dragged, moved by arrow keys, reshaped by its corners, removed by Delete. */
export function EditorShape({
  shape,
  name,
  size,
  isSelected,
  problem,
  shapes,
  draw,
  select,
  remove,
  onGrab,
}: Props) {
  const { describe } = useShapeWords()
  const onKeyDown = (event: KeyboardEvent) => {
    // Ignores keys pressed on a corner.
    if (event.target !== event.currentTarget) return
    const delta = stepOf(event)
    if (delta) draw(putShape(shapes, moveShape(shape, delta)), event.repeat)
    else if (event.key === 'Delete' || event.key === 'Backspace') remove(shape.RoomID)
    else if (event.key === 'Enter' || event.key === ' ') select(shape.RoomID)
    else return
    event.preventDefault()
  }
  const points = 'Points' in shape ? shape.Points.map((point) => toPixels(point, size)) : undefined
  return (
    <g
      className={styles.shape}
      data-selected={isSelected || undefined}
      data-wrong={problem !== undefined || undefined}
    >
      <g
        role="button"
        tabIndex={0}
        aria-pressed={isSelected}
        aria-label={[name, describe(shape), problem].filter(Boolean).join(' · ')}
        onKeyDown={onKeyDown}
        onFocus={() => select(shape.RoomID)}
        onPointerDown={(event) => onGrab(event, shape)}
      >
        <title>{name}</title>
        {points ? (
          <AreaFace points={points} name={name} />
        ) : (
          <PinFace at={toPixels((shape as { At: Point }).At, size)} name={name} />
        )}
      </g>
      {isSelected && 'Points' in shape && (
        <Corners shape={shape} name={name} size={size} shapes={shapes} draw={draw} onGrab={onGrab} />
      )}
    </g>
  )
}

export function AreaFace({ points, name }: { points: readonly Point[]; name: string }) {
  const box = labelBox(points)
  return (
    <>
      <polygon points={points.join(' ')} />
      <text x={box.x + box.width / 2} y={box.y + box.height / 2} fontSize={NAME} textAnchor="middle">
        {fitText(name, box.width - 8, { size: NAME })}
      </text>
    </>
  )
}

export const PinFace = ({ at: [x, y], name }: { at: Point; name: string }) => (
  <>
    <circle cx={x} cy={y} r={11} />
    <text x={x} y={y + 22} fontSize={NAME} textAnchor="middle">
      {name}
    </text>
  </>
)

interface CornersProps extends Pick<Props, 'name' | 'size' | 'shapes' | 'draw' | 'onGrab'> {
  shape: AreaShape
}

/** Handles at the corners of the selected area, and between them for new corners. */
function Corners({ shape, name, size, shapes, draw, onGrab }: CornersProps) {
  const t = useT()
  const { RoomID, Points } = shape
  const onKeyDown = (event: KeyboardEvent, corner: number) => {
    const delta = stepOf(event)
    const [x, y] = Points[corner] as Point
    if (delta) draw(putShape(shapes, withCorner(shape, corner, [x + delta[0], y + delta[1]])), event.repeat)
    else if ((event.key === 'Delete' || event.key === 'Backspace') && Points.length > 3)
      draw(putShape(shapes, { RoomID, Points: Points.filter((_, i) => i !== corner) }))
    else return
    event.preventDefault()
  }
  const pull = (event: PointerEvent, after: number, [x, y]: Point) => {
    const widened = { RoomID, Points: Points.toSpliced(after + 1, 0, [Math.round(x), Math.round(y)]) }
    draw(putShape(shapes, widened))
    onGrab(event, widened, after + 1)
  }
  return (
    <>
      {Points.length < MAX_CORNERS &&
        Points.map((point, i) => {
          const next = Points[(i + 1) % Points.length] as Point
          const midpoint: Point = [(point[0] + next[0]) / 2, (point[1] + next[1]) / 2]
          const [x, y] = toPixels(midpoint, size)
          return (
            <circle
              key={`after ${i}`}
              className={styles.between}
              aria-hidden
              cx={x}
              cy={y}
              r={4}
              onPointerDown={(event) => pull(event, i, midpoint)}
            />
          )
        })}
      {Points.map((point, i) => {
        const [x, y] = toPixels(point, size)
        return (
          <circle
            key={`corner ${i}`}
            className={styles.corner}
            role="button"
            tabIndex={0}
            aria-label={t('floorEditor:corner', { room: name, number: i + 1, x: point[0], y: point[1] })}
            cx={x}
            cy={y}
            r={6}
            onKeyDown={(event) => onKeyDown(event, i)}
            onPointerDown={(event) => onGrab(event, shape, i)}
          />
        )
      })}
    </>
  )
}
