import { memo, type KeyboardEvent } from 'react'
import type { FloorShape } from '../../../contract/homes/floor.ts'
import type { Point } from '../../../contract/homes/shapes.ts'
import { labelBox, toPixels, type Box, type Size } from '../../domain/floor/plan-geometry.ts'
import type { RoomSummary } from '../../domain/room/room-summary.ts'
import { fitText, wrapText, widthOfText } from '../../lib/fit-text.ts'
import styles from './floor-plan.module.css'
import { useRoomLook, type ShownRoom, type RoomWords } from './use-room-words.ts'
import { LAYERS, type Layer } from '../../domain/room/room-layers.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Text sizes on a plan in screen px, independent of the plan's size. */
const SMALL = { name: 13, fact: 12, line: 16, inset: 6 }
/** Sizes in rooms of at least this width and height, px. */
const LARGE = { name: 15, fact: 14, line: 20, inset: 10, width: 200, height: 130 }
const fontIn = ({ width, height }: Box) => (width >= LARGE.width && height >= LARGE.height ? LARGE : SMALL)

/** Radius of a pin, px. */
export const PIN = 13
const PIN_TARGET = 22
/** Maximum width of a pin's label, and distance of its nearest line from the pin's center. */
const PIN_WORDS = { width: 120, away: PIN + 10, font: { size: SMALL.name, bold: true } }
const PIN_LINES = 2
/** Typical number of text lines at the top of a room. */
const ROOM_LINES = 3

/** Side of a pin's label; undefined if it would cover other labels. */
type PinWords = 'below' | 'above' | undefined

/** Position of a pin on the screen, kept inside the plan. */
export function pinAt(at: Point, size: Size): Point {
  const [x, y] = toPixels(at, size)
  return [
    Math.min(Math.max(x, PIN + 2), size.width - PIN - 2),
    Math.min(Math.max(y, PIN + 2), size.height - PIN - 2),
  ]
}

/** Label side of each pin, so that labels neither leave the plan nor cover those of rooms and other pins. */
export function placePinWords(
  shapes: readonly FloorShape[],
  names: ReadonlyMap<number, string>,
  size: Size,
): ReadonlyMap<number, PinWords> {
  const takenBoxes: Box[] = shapes.flatMap((shape) => {
    if (!('Points' in shape)) return []
    const box = labelBox(shape.Points.map((point) => toPixels(point, size)))
    const { line, inset } = fontIn(box)
    return [{ ...box, height: Math.min(box.height, inset + ROOM_LINES * line) }]
  })
  const placed = new Map<number, PinWords>()
  for (const shape of shapes) {
    if (!('At' in shape)) continue
    const [x, y] = pinAt(shape.At, size)
    const width = Math.min(PIN_WORDS.width, widthOfText(names.get(shape.RoomID) ?? '', PIN_WORDS.font))
    const height = PIN_LINES * SMALL.line
    const left = x - width / 2
    const positions = [
      ['below', { x: left, y: y + PIN, width, height }],
      ['above', { x: left, y: y - PIN - height, width, height }],
    ] as const
    const freeBox = positions.find(
      ([, box]) =>
        box.y >= 0 &&
        box.y + box.height <= size.height &&
        !takenBoxes.some((takenBox) => areOver(box, takenBox)),
    )
    if (freeBox) takenBoxes.push(freeBox[1])
    placed.set(shape.RoomID, freeBox?.[0])
  }
  return placed
}

const areOver = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

const SIGN = 8

interface Props extends ShownRoom {
  shape: FloorShape
  size: Size
  /** Id of the pattern for unknown values. */
  hatch: string
  /** Side of the pin's label. */
  pinWords: PinWords
}

/** One room on a plan: its worst state by color and sign, and as much text as fits. Renders only for changes of its own room. */
export const PlanRoom = memo(function PlanRoom({
  shape,
  size,
  name,
  open,
  hatch,
  pinWords,
  ...shown
}: Props) {
  const { words, state, step, isHatched } = useRoomLook({ ...shown })
  const { mainText, others } = usePlanWords()(words, shown.layer)
  const lines = mainText === undefined ? others : [mainText, ...others]
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open(shown.RoomID)
  }
  const labelProps = { name, lines, state, isLed: mainText !== undefined }
  return (
    <g
      role="button"
      tabIndex={0}
      aria-label={[name, words.state, ...lines].join(' · ')}
      className={styles.room}
      data-step={step}
      data-hatched={isHatched || undefined}
      data-state={state}
      onClick={() => open(shown.RoomID)}
      onKeyDown={openByKey}
    >
      <title>{name}</title>
      {'Points' in shape ? (
        <Area
          points={shape.Points.map((point) => toPixels(point, size))}
          hatch={isHatched ? hatch : undefined}
          {...labelProps}
        />
      ) : (
        <Pin at={pinAt(shape.At, size)} words={pinWords} {...labelProps} />
      )}
    </g>
  )
})

interface Face {
  name: string
  lines: readonly string[]
  state: RoomSummary['state']
  /** Whether the first line is the value of the layer. */
  isLed: boolean
}

function Area({
  points,
  hatch,
  ...face
}: Face & { points: (readonly [number, number])[]; hatch: string | undefined }) {
  const corners = points.join(' ')
  return (
    <>
      <polygon className={styles.area} points={corners} />
      {hatch && <polygon className={styles.hatch} points={corners} fill={`url(#${hatch})`} />}
      <AreaWords box={labelBox(points)} {...face} />
    </>
  )
}

function AreaWords({ box, name, lines, state, isLed }: Face & { box: Box }) {
  const font = fontIn(box)
  const [left, width] = [box.x + font.inset, box.width - 2 * font.inset]
  const lineCapacity = Math.floor((box.height - 2 * font.inset) / font.line)
  const signWidth = 2 * SIGN + 6
  // A name wraps below the sign as long as a line remains for the layer's value.
  const widths = [width - signWidth, width].slice(0, lineCapacity - (isLed ? 1 : 0))
  const title = wrapText(name, widths, { size: font.name, bold: true })
  if (lineCapacity < 1 || title.join('') === '')
    return <StateSign state={state} x={box.x + box.width / 2} y={box.y + box.height / 2} />
  const top = box.y + font.inset + font.line / 2
  return (
    <>
      <StateSign state={state} x={left + SIGN} y={top} />
      {title.map((part, i) => (
        <text
          key={i === 0 ? 'first' : 'second'}
          className={styles.name}
          x={i === 0 ? left + signWidth : left}
          y={top + i * font.line}
          fontSize={font.name}
        >
          {part}
        </text>
      ))}
      {lines.slice(0, lineCapacity - title.length).map((line, i) => (
        <text
          key={line}
          className={isLed && i === 0 ? styles.lead : ''}
          x={left}
          y={top + (i + title.length) * font.line + 2}
          fontSize={font.fact}
        >
          {fitText(line, width, { size: font.fact, bold: isLed && i === 0 })}
        </text>
      ))}
    </>
  )
}

function Pin({ at: [x, y], words, name, lines, state }: Face & { at: Point; words: PinWords }) {
  const texts = words ? [name, ...lines.slice(0, 1)] : []
  const first = words === 'above' ? y - PIN_WORDS.away - (texts.length - 1) * SMALL.line : y + PIN_WORDS.away
  return (
    <>
      <circle className={styles.target} cx={x} cy={y} r={PIN_TARGET} />
      <circle className={styles.area} cx={x} cy={y} r={PIN} />
      <StateSign state={state} x={x} y={y} />
      {texts.map((line, i) => (
        <text
          key={i === 0 ? 'name' : 'fact'}
          className={i === 0 ? styles.pinName : styles.pinFact}
          x={x}
          y={first + i * SMALL.line}
          fontSize={i === 0 ? SMALL.name : SMALL.fact}
          textAnchor="middle"
        >
          {fitText(line, PIN_WORDS.width, i === 0 ? PIN_WORDS.font : { size: SMALL.fact })}
        </text>
      ))}
    </>
  )
}

/** Signs of states, distinguishable by shape. */
const MARKS: Readonly<Record<RoomSummary['state'], string>> = {
  critical: '!',
  warning: '!',
  unknown: '?',
  well: '✓',
  bare: '–',
}

function StateSign({ state, x, y }: { state: RoomSummary['state']; x: number; y: number }) {
  return (
    <g className={styles.sign} data-state={state} aria-hidden>
      {state === 'warning' ? (
        <polygon points={`${x},${y - SIGN} ${x + SIGN},${y + SIGN - 2} ${x - SIGN},${y + SIGN - 2}`} />
      ) : state === 'critical' ? (
        <rect x={x - SIGN + 1} y={y - SIGN + 1} width={2 * SIGN - 2} height={2 * SIGN - 2} rx={3} />
      ) : (
        <circle cx={x} cy={y} r={SIGN - 1} />
      )}
      <text x={x} y={y + (state === 'warning' ? 2 : 0.5)} fontSize={11} textAnchor="middle">
        {MARKS[state]}
      </text>
    </g>
  )
}

interface PlanWords {
  /** Value of the layer; undefined if nothing in the room reports it. */
  mainText: string | undefined
  others: string[]
}

/** Writes a room in short lines; values without a short form include their name. */
function usePlanWords(): (words: RoomWords, layer: Layer | undefined) => PlanWords {
  const t = useT()
  return (words, layer) => ({
    mainText: layer && words[layer],
    others: LAYERS.filter((one) => one !== layer && one !== 'air').flatMap((one) => {
      const layerText = words[one]
      if (layerText === undefined || (one === 'booking' && layerText === t('building:noBooking'))) return []
      return [
        one === 'light' || layerText === t('building:unknown')
          ? `${t(`building:layers.${one}`)} ${layerText}`
          : layerText,
      ]
    }),
  })
}
