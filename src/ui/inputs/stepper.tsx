import { Button } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import figures from '../tags/figure.module.css'
import { useNoControl } from './no-control.ts'
import styles from './stepper.module.css'

interface Props {
  /** Accessible name of the value. */
  name: string
  /** Reported value; undefined before the device's first report. */
  value: number | undefined
  /** Requested value that the device has not reported yet. */
  requested: number | undefined
  min: number
  max: number
  step: number
  unit: string
  /** Undefined if the value is read-only. */
  onChange: ((next: number) => void) | undefined
}

/** Delay after the last press, in ms: five presses are one command. */
const DEBOUNCE_MS = 600

/** Numeric value with step buttons. Shows the reported value, and next to it the requested one. */
export const Stepper: FC<Props> = ({ name, value, requested, min, max, step, unit, onChange }) => {
  const t = useT()
  const reason = useNoControl()
  /** Value after presses that have not been sent yet. */
  const [pressedGoal, setPressedGoal] = useState<number>()
  const send = useRef(() => {})
  useEffect(() => {
    send.current = () => {
      if (pressedGoal !== undefined && pressedGoal !== (requested ?? value)) onChange?.(pressedGoal)
    }
  })
  useEffect(() => {
    if (pressedGoal === undefined) return
    const timer = setTimeout(() => {
      send.current()
      setPressedGoal(undefined)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [pressedGoal])
  // Sends a pending value on unmount.
  useEffect(() => () => send.current(), [])

  const goal = pressedGoal ?? requested
  const currentValue = goal ?? value
  const moves = goal !== undefined && goal !== value
  const press = (delta: number) => {
    const from = currentValue ?? Math.ceil((min + max) / 2 / step) * step
    setPressedGoal(Math.min(max, Math.max(min, Number((from + delta).toFixed(2)))))
  }
  const figure = (number: number | undefined) =>
    number === undefined ? (
      '–'
    ) : (
      <>
        {number}
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
          title={reason}
          disabled={reason !== undefined || (currentValue !== undefined && currentValue <= min)}
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
          title={reason}
          disabled={reason !== undefined || (currentValue !== undefined && currentValue >= max)}
          onClick={() => press(step)}
        >
          +
        </Button>
      )}
    </div>
  )
}
