import { Button } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import figures from '../tags/figure.module.css'
import { useNoControl } from './no-control.ts'
import styles from './stepper.module.css'

interface Props {
  /** What it sets, for those who cannot see it. */
  name: string
  /** What the device reports; undefined before its first report. */
  value: number | undefined
  /** What was asked for and is not reported yet. */
  wanted: number | undefined
  min: number
  max: number
  step: number
  unit: string
  /** Undefined where it may only be looked at. */
  onChange: ((next: number) => void) | undefined
}

/** So long after the last press it is asked for, in ms: five presses are one command. */
const DEBOUNCE_MS = 600

/** A figure that is moved in steps. It shows what the device reports, and beside it where it is asked to go. */
export const Stepper: FC<Props> = ({ name, value, wanted, min, max, step, unit, onChange }) => {
  const t = useT()
  const why = useNoControl()
  /** Where presses have moved it and nobody was asked yet. */
  const [held, setHeld] = useState<number>()
  const send = useRef(() => {})
  useEffect(() => {
    send.current = () => {
      if (held !== undefined && held !== (wanted ?? value)) onChange?.(held)
    }
  })
  useEffect(() => {
    if (held === undefined) return
    const timer = setTimeout(() => {
      send.current()
      setHeld(undefined)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [held])
  // Whoever leaves has still asked for it.
  useEffect(() => () => send.current(), [])

  const goal = held ?? wanted
  const stands = goal ?? value
  const moves = goal !== undefined && goal !== value
  const press = (by: number) => {
    const from = stands ?? Math.ceil((min + max) / 2 / step) * step
    setHeld(Math.min(max, Math.max(min, Number((from + by).toFixed(2)))))
  }
  const figure = (one: number | undefined) =>
    one === undefined ? (
      '–'
    ) : (
      <>
        {one}
        <span className={figures.unit}>{unit}</span>
      </>
    )
  return (
    <div role="group" aria-label={name} className={styles.stepper}>
      {onChange && (
        <Button
          shape="circle"
          size="large"
          aria-label={t('devices:climate.lower', { name })}
          title={why}
          disabled={why !== undefined || (stands !== undefined && stands <= min)}
          onClick={() => press(-step)}
        >
          −
        </Button>
      )}
      <span className={moves ? styles.moving : styles.figure} aria-live="polite">
        {moves && value !== undefined && <small>{figure(value)} → </small>}
        {figure(moves ? goal : value)}
      </span>
      {onChange && (
        <Button
          shape="circle"
          size="large"
          aria-label={t('devices:climate.raise', { name })}
          title={why}
          disabled={why !== undefined || (stands !== undefined && stands >= max)}
          onClick={() => press(step)}
        >
          +
        </Button>
      )}
    </div>
  )
}
