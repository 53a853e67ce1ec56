import type { ReportChart, ReportWords } from '../../../contract/reports/document.ts'
import styles from './report.module.css'

/** Size and margins of the drawing, in its own units. */
const [WIDTH, HEIGHT] = [720, 200]
const [LEFT, BOTTOM, TOP] = [48, 22, 8]
const PLOT = HEIGHT - BOTTOM - TOP
/** Steps of the axis: 1, 2 or 5 times a power of ten. */
const NICE = [1, 2, 5, 10]
const LINES = 4

/** Highest line of an axis, and distance between its lines. */
function axisOf(most: number): { top: number; step: number } {
  if (most <= 0) return { top: 1, step: 1 }
  const power = 10 ** Math.floor(Math.log10(most / LINES))
  const step = power * (NICE.find((one) => one * power * LINES >= most) ?? 10)
  return { top: step * Math.ceil(most / step), step }
}

/**
 * Bar of each day with an outline of the same day a year before, distinguishable without color. A day without data has a hatched background
 * and no bar.
 */
export function ReportBars({ chart, words }: { chart: ReportChart; words: ReportWords }) {
  const { bars, title, unit } = chart
  const values = bars.flatMap(({ value, before }) => [value ?? 0, before ?? 0])
  const { top, step } = axisOf(Math.max(0, ...values))
  const width = (WIDTH - LEFT) / Math.max(1, bars.length)
  const y = (value: number) => TOP + PLOT * (1 - value / top)
  const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step)
  const isUnknown = bars.some(({ value }) => value === null)
  return (
    <figure className={styles.figureBox}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        <defs>
          <pattern id="report-unknown" width="6" height="6" patternUnits="userSpaceOnUse">
            <path d="M0 6L6 0" className={styles.hatch} />
          </pattern>
        </defs>
        {lines.map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} className={styles.grid} />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {value.toLocaleString('en-US')}
            </text>
          </g>
        ))}
        {bars.map(({ label, value, before }, i) => {
          const x = LEFT + i * width
          return (
            <g key={label}>
              {value === null ? (
                <rect x={x + 1} y={TOP} width={width - 2} height={PLOT} fill="url(#report-unknown)" />
              ) : (
                <rect
                  x={x + width * 0.2}
                  y={y(Math.max(0, value))}
                  width={width * 0.6}
                  height={(PLOT * Math.max(0, value)) / top}
                  className={styles.bar}
                />
              )}
              {before !== null && (
                <line
                  x1={x + width * 0.08}
                  x2={x + width * 0.92}
                  y1={y(before)}
                  y2={y(before)}
                  className={styles.before}
                />
              )}
              <text x={x + width / 2} y={HEIGHT - 6} textAnchor="middle">
                {label}
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption>
        <span className={styles.keyBar} /> {words.text('report:legend.now')} ({unit})
        <span className={styles.keyLine} /> {words.text('report:legend.before')}
        {isUnknown && (
          <>
            <span className={styles.keyUnknown} /> {words.text('report:legend.unknown')}
          </>
        )}
      </figcaption>
    </figure>
  )
}
