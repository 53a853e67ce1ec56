import { useMemo, useRef, useState, type DragEvent, type KeyboardEvent } from 'react'
import type { FloorPlan } from '../../../contract/homes/floor.ts'
import type { Point } from '../../../contract/homes/shapes.ts'
import { areaOf } from '../../domain/floor/draft.ts'
import { toPixels, toUnits, type Size } from '../../domain/floor/plan-geometry.ts'
import planFrame from '../../domain/floor/plan-frame.module.css'
import { PlanImage } from '../../domain/floor/plan-image.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { useWidth } from '../../ui/page/use-width.ts'
import styles from './floor-editor.module.css'
import { EditorShape } from './editor-shape.tsx'
import { useCanvas, type CanvasOptions } from './use-canvas.ts'

/** Size for a missing drawing. */
const BLANK = { Width: 4, Height: 3 }
/** Size of a room that is dropped on the plan, in units. */
export const DROPPED = 1_500
/** Media type of a room dragged from the list. */
export const DRAGGED = 'application/x-room'

interface Props extends Omit<CanvasOptions, 'svg' | 'size'> {
  plan: FloorPlan | null
  floorName: string
  names: ReadonlyMap<number, string>
  selected: number | undefined
  problems: ReadonlyMap<number, string>
  remove: (RoomID: number) => void
}

/** Plan with its shapes. A room dropped here from the list becomes a rectangle. */
export function EditorCanvas({ plan, floorName, names, selected, problems, remove, ...options }: Props) {
  const t = useT()
  const { tool, shapes, draw, place, select } = options
  const frame = useRef<HTMLDivElement>(null)
  const svg = useRef<SVGSVGElement>(null)
  const [failed, setFailed] = useState<string>()
  const width = useWidth(frame, 800)
  const { Width, Height } = plan ?? BLANK
  const size = useMemo<Size>(() => ({ width, height: (width * Height) / Width }), [width, Width, Height])
  const canvas = useCanvas({ ...options, svg, size })

  function handleDrop(event: DragEvent) {
    const RoomID = Number(event.dataTransfer.getData(DRAGGED) || Number.NaN)
    if (!names.has(RoomID)) return
    event.preventDefault()
    const [x, y] = toUnits(canvas.at(event), size)
    place(areaOf(RoomID, { x: x - DROPPED / 2, y: y - DROPPED / 2, width: DROPPED, height: DROPPED }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (canvas.area.outline.length === 0) return
    if (event.key === 'Enter') canvas.area.close()
    else if (event.key === 'Escape') canvas.area.drop()
    else if (event.key === 'Backspace') canvas.area.back()
    else return
    event.preventDefault()
  }
  return (
    <>
      {plan && failed === plan.Url && (
        <p className={page.note} role="status">
          {t('floorEditor:planFailed')}
        </p>
      )}
      <div
        ref={frame}
        className={`${planFrame.plan} ${styles.plan}`}
        data-blank={plan === null || undefined}
        style={{
          aspectRatio: `${Width} / ${Height}`,
          maxWidth: `calc(max(480px, 100dvh - 180px) * ${Width / Height})`,
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={handleDrop}
      >
        {plan && (
          <PlanImage
            plan={plan}
            alt={t('floorEditor:planOf', { floor: floorName })}
            failed={() => setFailed(plan.Url)}
          />
        )}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointer drawing only; the table is the accessible alternative */}
        <svg
          ref={svg}
          viewBox={`0 0 ${size.width} ${size.height}`}
          role="group"
          aria-label={t('floorEditor:canvas')}
          // Keys remove the last corner of a polygon and close it.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={tool === 'polygon' ? 0 : -1}
          data-tool={tool}
          {...canvas.handlers}
          onKeyDown={onKeyDown}
        >
          {shapes.map((shape) => {
            const name = names.get(shape.RoomID)
            return (
              name !== undefined && (
                <EditorShape
                  key={shape.RoomID}
                  shape={shape}
                  name={name}
                  size={size}
                  isSelected={tool === 'select' && shape.RoomID === selected}
                  problem={problems.get(shape.RoomID)}
                  shapes={shapes}
                  draw={draw}
                  select={select}
                  remove={remove}
                  onGrab={canvas.onGrab}
                />
              )
            )
          })}
          <Begun
            outline={canvas.area.outline}
            pointer={canvas.pointer}
            drawnEdge={canvas.drawn}
            size={size}
          />
        </svg>
      </div>
    </>
  )
}

interface BegunProps {
  outline: readonly Point[]
  pointer: Point | undefined
  drawnEdge: readonly [Point, Point] | undefined
  size: Size
}

function Begun({ outline, pointer, drawnEdge, size }: BegunProps) {
  if (drawnEdge) {
    const [[x1, y1], [x2, y2]] = drawnEdge
    return (
      <rect
        className={styles.begun}
        x={Math.min(x1, x2)}
        y={Math.min(y1, y2)}
        width={Math.abs(x1 - x2)}
        height={Math.abs(y1 - y2)}
      />
    )
  }
  if (outline.length === 0) return null
  const corners = outline.map((point) => toPixels(point, size))
  return (
    <g className={styles.begun}>
      <polyline points={[...corners, ...(pointer ? [pointer] : [])].join(' ')} />
      {corners.map(([x, y], i) => (
        <circle key={`${x},${y}`} cx={x} cy={y} r={i === 0 ? 7 : 4} />
      ))}
    </g>
  )
}
