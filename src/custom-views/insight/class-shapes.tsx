import type { LoadProfile } from '../../../contract/energy/insight-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import { Curve } from './curve.tsx'
import styles from './insight.module.css'

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
  const figures = useEnergyFormat()
  const name = t('insight:profile.kind', {
    name: t(`insight:profile.kinds.${shape.Class}`),
    count: shape.Days,
  })
  return (
    <section aria-label={name}>
      <h3>{name}</h3>
      <Curve label={name} line={shape.P50} low={shape.P10} high={shape.P90} top={top} />
      <p className={`${page.hint} ${styles.axis}`} aria-hidden="true">
        <span>0:00</span>
        <span>12:00</span>
        <span>23:00</span>
      </p>
      <details>
        <summary>{t('insight:profile.table')}</summary>
        <table className={`${page.table} ${page.figures} ${styles.lines}`}>
          <thead>
            <tr>
              <th scope="col">{t('insight:profile.hour')}</th>
              {(['P10', 'P50', 'P90'] as const).map((percentile) => (
                <th key={percentile} scope="col" className={styles.number}>
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
                  <td key={i} className={styles.number}>
                    {figures(of[hour])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  )
}
