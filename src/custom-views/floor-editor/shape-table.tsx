import { Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { MAX_CORNERS, type FloorShape } from '../../../contract/homes/floor.ts'
import { SCALE, type Point } from '../../../contract/homes/shapes.ts'
import { areaOf, shapePointsOf, putShape, type AreaShape } from '../../domain/floor/draft.ts'
import { boundsOf, rectangleOf, withinPlan, type Box } from '../../domain/floor/plan-geometry.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './floor-editor.module.css'
import { kindOf, useShapeWords, type ShapeKind } from './editor-shape.tsx'
import { onEnter } from '../../ui/inputs/on-enter.ts'

interface Props {
  shapes: readonly FloorShape[]
  names: ReadonlyMap<number, string>
  selected: number | undefined
  problems: ReadonlyMap<number, string>
  draw: (shapes: readonly FloorShape[]) => void
  select: (RoomID: number | undefined) => void
  remove: (RoomID: number) => void
}

/** Accessible alternative to the plan: each room with its place in ten-thousandths of the plan's width and height. */
export function ShapeTable({ shapes, names, selected, problems, draw, select, remove }: Props) {
  const t = useT()
  const { describe } = useShapeWords()
  const rows = shapes
    .filter(({ RoomID }) => names.has(RoomID))
    .toSorted((a, b) => (names.get(a.RoomID) as string).localeCompare(names.get(b.RoomID) as string))
  return (
    <section className={page.tightStack} aria-labelledby="places">
      <h2 id="places" className={page.hint}>
        {t('floorEditor:places')}
      </h2>
      <p className={page.note}>{t('floorEditor:placesHint')}</p>
      <table className={`${page.table} ${page.words} ${styles.places}`}>
        <thead>
          <tr>
            <th scope="col">{t('floorEditor:room')}</th>
            <th scope="col">{t('floorEditor:place')}</th>
            <th scope="col">{t('floorEditor:actions')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.length === 0 && (
            <tr>
              <td colSpan={3}>{t('floorEditor:nobodyPlaced')}</td>
            </tr>
          )}
          {rows.map((shape) => {
            const { RoomID } = shape
            const name = names.get(RoomID) as string
            const isOpen = RoomID === selected
            return (
              <tr key={RoomID} data-selected={isOpen || undefined}>
                <th scope="row">{name}</th>
                <td>
                  {isOpen ? (
                    <PlaceInputs shape={shape} name={name} change={(next) => draw(putShape(shapes, next))} />
                  ) : (
                    describe(shape)
                  )}
                  {problems.has(RoomID) && (
                    <p className={page.fault} role="alert">
                      {problems.get(RoomID)}
                    </p>
                  )}
                </td>
                <td>
                  <div className={page.buttons}>
                    <Button
                      size="small"
                      onClick={() => select(isOpen ? undefined : RoomID)}
                      aria-expanded={isOpen}
                      aria-label={t(isOpen ? 'floorEditor:doneOf' : 'floorEditor:editOf', { room: name })}
                    >
                      {t(isOpen ? 'floorEditor:done' : 'floorEditor:edit')}
                    </Button>
                    <Button
                      size="small"
                      danger
                      onClick={() => remove(RoomID)}
                      aria-label={t('floorEditor:takeAwayOf', { room: name })}
                    >
                      {t('floorEditor:takeAway')}
                    </Button>
                  </div>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

interface InputsProps {
  shape: FloorShape
  name: string
  change: (shape: FloorShape) => void
}

const KINDS: readonly ShapeKind[] = ['rectangle', 'polygon', 'pin']

function PlaceInputs({ shape, name, change }: InputsProps) {
  const t = useT()
  const { RoomID } = shape
  const kind = kindOf(shape)
  // A polygon stays one in the form even if its corners form a rectangle.
  const [isPolygon, setIsPolygon] = useState(kind === 'polygon')
  const shownKind = kind === 'rectangle' && isPolygon ? 'polygon' : kind
  const box = boxOf(shape)
  const convertTo = (next: ShapeKind) => {
    setIsPolygon(next === 'polygon')
    if (next === 'pin')
      change({ RoomID, At: [withinPlan(box.x + box.width / 2), withinPlan(box.y + box.height / 2)] })
    else if (next === 'rectangle' || 'At' in shape) change(areaOf(RoomID, box))
  }
  return (
    <div className={page.tightRow}>
      <Select
        aria-label={t('floorEditor:kindOf', { room: name })}
        value={shownKind}
        options={KINDS.map((value) => ({ value, label: t(`floorEditor:kinds.${value}`) }))}
        onChange={convertTo}
      />
      {shownKind === 'polygon' && 'Points' in shape ? (
        <PointsInput key={String(shape.Points)} shape={shape} name={name} change={change} />
      ) : (
        <BoxInputs shape={shape} name={name} box={box} change={change} />
      )}
    </div>
  )
}

/** Bounding box of a shape; for a pin a square around it, inside the plan. */
function boxOf(shape: FloorShape): Box {
  if ('Points' in shape) return rectangleOf(shape.Points) ?? boundsOf(shape.Points)
  const [x, y] = shape.At
  const side = 1_000
  const start = (value: number) => Math.min(SCALE - side, Math.max(0, value - side / 2))
  return { x: start(x), y: start(y), width: side, height: side }
}

function BoxInputs({ shape, name, box, change }: InputsProps & { box: Box }) {
  const t = useT()
  const { RoomID } = shape
  const isPin = 'At' in shape
  const [x, y] = isPin ? shape.At : [box.x, box.y]
  const all = { x, y, width: box.width, height: box.height }
  const fields = isPin ? (['x', 'y'] as const) : (['x', 'y', 'width', 'height'] as const)
  const maxValues = {
    x: isPin ? SCALE : SCALE - box.width,
    y: isPin ? SCALE : SCALE - box.height,
    width: SCALE - box.x,
    height: SCALE - box.y,
  }
  const set = (field: (typeof fields)[number], value: number | null) => {
    if (value === null) return
    const next = { ...all, [field]: value }
    change(isPin ? { RoomID, At: [next.x, next.y] } : areaOf(RoomID, next))
  }
  return fields.map((field) => (
    <InputNumber
      key={field}
      className={styles.unit ?? ''}
      prefix={t(`floorEditor:units.${field}`)}
      aria-label={t(`floorEditor:unitsOf.${field}`, { room: name })}
      min={field === 'width' || field === 'height' ? 1 : 0}
      max={maxValues[field]}
      precision={0}
      value={all[field]}
      onChange={(value) => set(field, value)}
    />
  ))
}

/** Corners as text, "x,y x,y x,y"; applied on blur if valid. */
function PointsInput({ shape, name, change }: InputsProps & { shape: AreaShape }) {
  const t = useT()
  const [text, setText] = useState(() =>
    shapePointsOf(shape)
      .map(([x, y]) => `${x},${y}`)
      .join(' '),
  )
  const points = readPoints(text)
  const commit = () => points && change({ RoomID: shape.RoomID, Points: points.map(([x, y]) => [x, y]) })
  return (
    <Input
      className={styles.points ?? ''}
      aria-label={t('floorEditor:cornersOf', { room: name })}
      aria-invalid={points === undefined}
      status={points ? '' : 'error'}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={commit}
      onPressEnter={onEnter(commit)}
    />
  )
}

/** Corners of a text; undefined if it is invalid, has too few or too many, or one outside the plan. */
function readPoints(text: string): Point[] | undefined {
  const pairs = text.trim().split(/\s+/)
  const points = pairs.map((pair) => /^(\d{1,5}),(\d{1,5})$/.exec(pair))
  if (points.length < 3 || points.length > MAX_CORNERS) return undefined
  const read = points.map((match): Point => [Number(match?.[1] ?? Infinity), Number(match?.[2] ?? Infinity)])
  return read.every(([x, y]) => x <= SCALE && y <= SCALE) ? read : undefined
}
