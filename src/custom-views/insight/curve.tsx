import styles from './insight.module.css'

const [WIDTH, HEIGHT] = [480, 160]

interface Props {
  /** Text alternative; the figures are in a table next to it. */
  label: string
  /** Values at equal distances; null for gaps. */
  line: readonly (number | null)[]
  low?: readonly (number | null)[]
  high?: readonly (number | null)[]
  /** Value at the upper edge. */
  top: number
}

export function Curve({ label, line, low, high, top }: Props) {
  const x = (i: number) => (line.length > 1 ? (i / (line.length - 1)) * WIDTH : 0)
  const y = (value: number) =>
    HEIGHT - (top > 0 ? Math.min(1, Math.max(0, value / top)) * (HEIGHT - 4) : 0) - 2
  return (
    <svg
      className={styles.curve}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {low && high && (
        <polygon
          className={styles.band}
          points={[
            ...high.flatMap((value, i) => (value === null ? [] : [`${x(i)},${y(value)}`])),
            ...low.flatMap((value, i) => (value === null ? [] : [`${x(i)},${y(value)}`])).toReversed(),
          ].join(' ')}
        />
      )}
      <polyline
        className={styles.line}
        points={line.flatMap((value, i) => (value === null ? [] : [`${x(i)},${y(value)}`])).join(' ')}
      />
    </svg>
  )
}
