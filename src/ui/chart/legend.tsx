import { memo, useRef, useState, type KeyboardEvent, useId } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './chart.module.css'
import type { TimeSeries } from './model.ts'
import { useThemeMode } from '../theme/theme-mode.ts'
import { DASHES, MARK_OPACITY, MARKS, TILE } from './textures.ts'

const SIZE = 12
const STROKE = { length: 22, width: 3 }

/** Sample of a series' bar or line, shown next to its name. */
export function Swatch({ color, draw, isFaint = false }: Pick<TimeSeries, 'color' | 'draw' | 'isFaint'>) {
  const mode = useThemeMode()
  const pattern = useId()
  const { texture, [mode]: paint } = color
  const opacity = isFaint ? 0.5 : 1
  if (draw !== 'bars')
    return (
      <svg className={styles.swatch} width={STROKE.length} height={SIZE} aria-hidden="true">
        <line
          x2={STROKE.length}
          y1={SIZE / 2}
          y2={SIZE / 2}
          stroke={paint}
          strokeWidth={STROKE.width}
          opacity={opacity}
          {...(texture && { strokeDasharray: DASHES[texture].join(' ') })}
        />
      </svg>
    )
  return (
    <svg className={styles.swatch} width={SIZE} height={SIZE} aria-hidden="true">
      {isFaint ? (
        <rect
          {...{ x: 0.5, y: 0.5, width: SIZE - 1, height: SIZE - 1, rx: 2.5 }}
          fill={paint}
          fillOpacity={0.25}
          stroke={paint}
        />
      ) : (
        <rect width={SIZE} height={SIZE} rx={3} fill={paint} />
      )}
      {texture && (
        <>
          <pattern id={pattern} width={TILE} height={TILE} patternUnits="userSpaceOnUse">
            <rect {...MARKS[texture]} opacity={MARK_OPACITY} className={styles.ground ?? ''} />
          </pattern>
          <rect width={SIZE} height={SIZE} rx={3} fill={`url(#${pattern})`} />
        </>
      )}
    </svg>
  )
}

interface Props {
  series: readonly TimeSeries[]
  hidden: ReadonlySet<string>
  toggle: (key: string) => void
}

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

/** Legend of the series; each button hides and shows its series. One tab stop, arrow keys move within it; a long legend scrolls. */
export const Legend = memo(function Legend({ series, hidden, toggle }: Props) {
  const t = useT()
  const list = useRef<HTMLUListElement>(null)
  const [stop, setStop] = useState(0)
  const last = series.length - 1
  function onKeyDown(event: KeyboardEvent) {
    const to = STEPS[event.key]?.(Math.min(stop, last), last)
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    setStop(to)
    list.current?.querySelectorAll('button')[to]?.focus()
  }
  return (
    <ul ref={list} className={styles.legend} aria-label={t('charts:legend')}>
      {series.map(({ key, label, color, draw, isFaint = false }, i) => (
        <li key={key}>
          <button
            type="button"
            title={label}
            aria-pressed={!hidden.has(key)}
            tabIndex={i === Math.min(stop, last) ? 0 : -1}
            onFocus={() => setStop(i)}
            onKeyDown={onKeyDown}
            onClick={() => toggle(key)}
          >
            <Swatch color={color} draw={draw} isFaint={isFaint} />
            <span>{label}</span>
          </button>
        </li>
      ))}
    </ul>
  )
})
