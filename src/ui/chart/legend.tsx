import { memo, useRef, useState, type KeyboardEvent } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './chart.module.css'
import type { TimeSeries } from './model.ts'
import { Swatch } from './swatch.tsx'

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
      {series.map(({ key, label, color, draw, faint = false }, i) => (
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
            <Swatch color={color} draw={draw} faint={faint} />
            <span>{label}</span>
          </button>
        </li>
      ))}
    </ul>
  )
})
