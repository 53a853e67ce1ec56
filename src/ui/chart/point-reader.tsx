import type { KeyboardEvent, ReactNode } from 'react'
import { useStore, type Store } from '../../lib/store.ts'
import styles from './chart.module.css'
import type { HoveredPoint } from './model.ts'

interface Props {
  label: string
  hintId: string
  pointed: Store<HoveredPoint | undefined>
  moments: ArrayLike<number>
  words: (at: number) => string
  onKeyDown: (event: KeyboardEvent) => void
  onBlur: () => void
  children: ReactNode
}

/** Chart for screen readers: a slider over its points that announces the values of each. */
export function PointReader({ label, hintId, pointed, moments, words, onKeyDown, onBlur, children }: Props) {
  const place = useStore(pointed)?.place ?? 0
  const at = moments[place]
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.reader}
      aria-label={label}
      aria-describedby={hintId}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, moments.length - 1)}
      aria-valuenow={place}
      aria-valuetext={at === undefined ? '' : words(at)}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      {children}
    </div>
  )
}
