import type { LoadProfile } from '../../../contract/energy/insight-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import { Curve } from './curve.tsx'
import styles from './insight.module.css'

/** Every tenth of the time, and the busiest hundredths. */
const isTold = (percent: number) => percent % 10 === 0 || percent === 1 || percent === 5

/** How long each power lasts, the highest first, with a table beside it. */
export function Duration({ points }: { points: LoadProfile['Duration'] }) {
  const t = useT()
  const figures = useEnergyFormat()
  const label = t('insight:profile.durationCaption')
  return (
    <div className={page.stack}>
      <p className={page.note}>{label}</p>
      <Curve label={label} line={points.map(({ Kw }) => Kw)} top={Math.max(0, points[0]?.Kw ?? 0)} />
      <p className={`${page.hint} ${styles.axis}`} aria-hidden="true">
        <span>0%</span>
        <span>50%</span>
        <span>100%</span>
      </p>
      <table className={`${page.table} ${page.figures} ${styles.lines}`}>
        <thead>
          <tr>
            <th scope="col">{t('insight:profile.timeShare')}</th>
            <th scope="col" className={styles.number}>
              kW
            </th>
          </tr>
        </thead>
        <tbody>
          {points
            .filter(({ Share }) => isTold(Math.round(Share * 100)))
            .map(({ Share, Kw }) => (
              <tr key={Share}>
                <th scope="row">{Math.round(Share * 100)}%</th>
                <td className={styles.number}>{figures(Kw)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
