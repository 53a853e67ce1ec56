import { formatFigure } from '../../../contract/kernel/numbers.ts'
import styles from './insight.module.css'
import type { LoadProfile } from '../../../contract/energy/insight-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

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

/** Median course of each kind of day, with the band between the 10th and 90th percentiles, and tables. */
export function ClassShapes({ classes }: { classes: LoadProfile['Classes'] }) {
  const t = useT()
  const top = Math.max(0, ...classes.flatMap(({ P90 }) => P90.map((kw) => kw ?? 0)))
  return (
    <div className={page.stack}>
      <p className={page.note}>{t('insight:profile.classCaption')}</p>
      <div className={styles.classes}>
        {classes.map((loadClass) => (
          <OneClass key={loadClass.Class} shape={loadClass} top={top} />
        ))}
      </div>
    </div>
  )
}

function OneClass({ shape, top }: { shape: LoadProfile['Classes'][number]; top: number }) {
  const t = useT()
  const name = t('insight:profile.kind', {
    name: t(`insight:profile.kinds.${shape.Class}`),
    count: shape.Days,
  })
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <Curve label={name} line={shape.P50} low={shape.P10} high={shape.P90} top={top} />
      <p className={`${page.hint} ${page.spread}`} aria-hidden="true">
        <span>0:00</span>
        <span>12:00</span>
        <span>23:00</span>
      </p>
      <details>
        <summary>{t('insight:profile.table')}</summary>
        <table className={`${page.table} ${page.figures} ${page.amounts}`}>
          <thead>
            <tr>
              <th scope="col">{t('insight:profile.hour')}</th>
              {(['P10', 'P50', 'P90'] as const).map((percentile) => (
                <th key={percentile} scope="col">
                  {t(`insight:profile.quantiles.${percentile}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shape.P50.map((_, hour) => (
              <tr key={hour}>
                <th scope="row">{String(hour).padStart(2, '0')}:00</th>
                {[shape.P10, shape.P50, shape.P90].map((of, i) => (
                  <td key={i}>{formatFigure(of[hour])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
