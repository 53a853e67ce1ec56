import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { findings } from '../../../contract/findings/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import { useFindingWords } from '../../domain/finding/use-finding-words.ts'
import page from '../../ui/page/page.module.css'
import { Curve } from './curve.tsx'
import styles from './insight.module.css'

export type Evidence = ResultsOf<typeof findings.getFindingEvidence>

/** Daily measurements against the usual values, as a chart and a table, with the savable part. */
export function FindingEvidence({ evidence }: { evidence: Evidence }) {
  const t = useT()
  const date = useFormatDate()
  const figures = useEnergyFormat()
  const { titleOf } = useFindingWords()
  const { Finding: finding, Unit, Days, Claims, Bill } = evidence
  if (Days.length === 0) return null
  const label = t('insight:findings.drawer.chart', { name: titleOf(finding) })
  const top = Math.max(0, ...Days.flatMap(({ Value, High, Usual }) => [Value ?? 0, High ?? 0, Usual ?? 0]))
  const hasBand = Days.some(({ High }) => High !== null)
  return (
    <section className={page.column} aria-label={t('insight:findings.drawer.evidence')}>
      <h3>{t('insight:findings.drawer.evidence')}</h3>
      <figure className={styles.chart}>
        <figcaption className={page.hint}>
          {label}（{t(`insight:findings.units.${Unit}`)}，0–{figures(top)}）
        </figcaption>
        <Curve
          label={label}
          line={Days.map(({ Value }) => Value)}
          {...(hasBand && { low: Days.map(({ Low }) => Low), high: Days.map(({ High }) => High) })}
          top={top * 1.05}
        />
        <p className={`${page.hint} ${styles.axis}`}>
          <span>{date(Days[0]?.Date ?? '')}</span>
          {hasBand && (
            <span>
              <span className={styles.swatch} aria-hidden="true" /> {t('insight:findings.drawer.band')}
            </span>
          )}
          <span>{date(Days.at(-1)?.Date ?? '')}</span>
        </p>
      </figure>
      {Claims.map(({ MeterID, Name, Days: days }) => (
        <p key={MeterID} className={page.note}>
          {t('insight:findings.drawer.claimedDays', {
            name: Name ?? MeterID,
            kwh: figures(days.reduce((sum, { kWh }) => sum + kWh, 0)),
          })}
        </p>
      ))}
      {Bill && (
        <p className={page.note}>
          {t('insight:findings.drawer.bill', { was: figures(Bill.Was), without: figures(Bill.Without) })}
        </p>
      )}
      <DayTable evidence={evidence} />
    </section>
  )
}

function DayTable({ evidence }: { evidence: Evidence }) {
  const t = useT()
  const date = useFormatDate()
  const figures = useEnergyFormat()
  const { Unit, Days, Claims } = evidence
  const claimed = new Map<string, number>()
  for (const { Days: days } of Claims)
    for (const { Date, kWh } of days) claimed.set(Date, (claimed.get(Date) ?? 0) + kWh)
  const hasUsual = Days.some(({ Usual }) => Usual !== null)
  return (
    <details className={styles.proof}>
      <summary>{t('insight:findings.drawer.table')}</summary>
      <div className={page.scroll}>
        <table className={`${page.table} ${page.figures} ${styles.lines}`}>
          <thead>
            <tr>
              <th scope="col">{t('insight:findings.drawer.date')}</th>
              <th scope="col" className={styles.number}>
                {t('insight:findings.drawer.value')} ({t(`insight:findings.units.${Unit}`)})
              </th>
              {hasUsual && (
                <th scope="col" className={styles.number}>
                  {t('insight:findings.drawer.usual')}
                </th>
              )}
              {claimed.size > 0 && (
                <th scope="col" className={styles.number}>
                  {t('insight:findings.drawer.claimed')} (kWh)
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {Days.map(({ Date, Value, Usual }) => (
              <tr key={Date}>
                <th scope="row">{date(Date)}</th>
                <td className={styles.number}>{figures(Value)}</td>
                {hasUsual && <td className={styles.number}>{figures(Usual)}</td>}
                {claimed.size > 0 && <td className={styles.number}>{figures(claimed.get(Date))}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
