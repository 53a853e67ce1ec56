import { memo, type KeyboardEvent } from 'react'
import type { FloorShape } from '../../../contract/resources/floor.ts'
import { labelBox, toPixels, type Box, type Size } from '../../domain/floor/plan-geometry.ts'
import type { RoomSummary } from '../../domain/room/room-summary.ts'
import { fitText } from '../../lib/fit-text.ts'
import styles from './floor-plan.module.css'
import { usePlanWords } from './plan-words.ts'
import { useRoomLook, type ShownRoom } from './use-room-look.ts'

/** Sizes of words, px on the screen, whatever the plan's own size. */
const SMALL = { name: 13, fact: 12, line: 16, inset: 6 }
/** In rooms of so many px and more. */
const LARGE = { name: 15, fact: 14, line: 20, inset: 10, width: 200, height: 130 }
const SIGN = 8
const PIN = 13
/** Words beside a pin. */
const PIN_WORDS = 120

interface Props extends ShownRoom {
  shape: FloorShape
  size: Size
  /** The pattern of what is not known. */
  hatch: string
}

/** One room on a plan: its worst state by colour and sign, and as much of it as its size allows. It draws again for itself alone. */
export const PlanRoom = memo(function PlanRoom({ shape, size, name, open, hatch, ...shown }: Props) {
  const { words, state, step, isHatched } = useRoomLook({ ...shown })
  const { lead, others } = usePlanWords()(words, shown.layer)
  const lines = lead === undefined ? others : [lead, ...others]
  const openByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open(shown.RoomID)
  }
  const face = { name, lines, state, isLed: lead !== undefined }
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
          {...face}
        />
      ) : (
        <Pin at={toPixels(shape.At, size)} {...face} />
      )}
    </g>
  )
})

interface Face {
  name: string
  lines: readonly string[]
  state: RoomSummary['state']
  /** The first line is what the plan is coloured by. */
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
  const font = box.width >= LARGE.width && box.height >= LARGE.height ? LARGE : SMALL
  const [left, width] = [box.x + font.inset, box.width - 2 * font.inset]
  const room = Math.floor((box.height - 2 * font.inset) / font.line)
  const title = fitText(name, width - 2 * SIGN - 6, font.name)
  if (room < 1 || title === '')
    return <StateSign state={state} x={box.x + box.width / 2} y={box.y + box.height / 2} />
  const top = box.y + font.inset + font.line / 2
  return (
    <>
      <StateSign state={state} x={left + SIGN} y={top} />
      <text className={styles.name} x={left + 2 * SIGN + 6} y={top} fontSize={font.name}>
        {title}
      </text>
      {lines.slice(0, room - 1).map((line, i) => (
        <text
          key={line}
          className={isLed && i === 0 ? styles.lead : ''}
          x={left}
          y={top + (i + 1) * font.line + 2}
          fontSize={font.fact}
        >
          {fitText(line, width, font.fact)}
        </text>
      ))}
    </>
  )
}

function Pin({ at: [x, y], name, lines, state }: Face & { at: readonly [number, number] }) {
  const [first] = lines
  return (
    <>
      <circle className={styles.area} cx={x} cy={y} r={PIN} />
      <StateSign state={state} x={x} y={y} />
      <text className={styles.pinName} x={x} y={y + PIN + 10} fontSize={SMALL.name} textAnchor="middle">
        {fitText(name, PIN_WORDS, SMALL.name)}
      </text>
      {first !== undefined && (
        <text
          className={styles.pinFact}
          x={x}
          y={y + PIN + 10 + SMALL.line}
          fontSize={SMALL.fact}
          textAnchor="middle"
        >
          {fitText(first, PIN_WORDS, SMALL.fact)}
        </text>
      )}
    </>
  )
}

/** Signs of states, each of a form of its own. */
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
