import { energyText, formatFigure, formatWhole, moneyText } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useFindingWords } from '../../domain/finding/use-finding-words.ts'
import page from '../../ui/page/page.module.css'
import { Curve } from './curve.tsx'
import { BillChart, type Evidence, isOfBills, useBillNames } from './findings-bills.tsx'
import styles from './insight.module.css'

/** Daily measurements against the usual values, or bills with and without the change, as a chart and a table, with the savable part. */
export function FindingEvidence({ evidence, zone }: { evidence: Evidence; zone: string }) {
  const t = useT()
  const { Days, Claims, Bill } = evidence
  if (Days.length === 0) return null
  return (
    <section className={page.column} aria-label={t('insight:findings.drawer.evidence')} data-tour="evidence">
      <h3>{t('insight:findings.drawer.evidence')}</h3>
      {isOfBills(evidence) ? <BillChart evidence={evidence} zone={zone} /> : <DayCurve evidence={evidence} />}
      {Claims.map(({ MeterID, Name, Days: days }) => (
        <p key={MeterID} className={page.note}>
          {t('insight:findings.drawer.claimedDays', {
            name: Name ?? MeterID,
            energy: energyText(days.reduce((sum, { kWh }) => sum + kWh, 0)),
          })}
        </p>
      ))}
      {Bill && (
        <p className={page.note}>
          {t('insight:findings.drawer.bill', { was: moneyText(Bill.Was), without: moneyText(Bill.Without) })}
        </p>
      )}
      <DayTable evidence={evidence} />
    </section>
  )
}

const figureOf = (unit: Evidence['Unit'], value: number | null): string =>
  unit === 'TWD' ? formatWhole(value) : formatFigure(value)

/** Value of each day with the usual range. */
function DayCurve({ evidence: { Finding: finding, Unit, Days } }: { evidence: Evidence }) {
  const t = useT()
  const date = useFormatDate()
  const { titleOf } = useFindingWords()
  const label = t('insight:findings.drawer.chart', { name: titleOf(finding) })
  const top = Math.max(0, ...Days.flatMap(({ Value, High, Usual }) => [Value ?? 0, High ?? 0, Usual ?? 0]))
  const hasBand = Days.some(({ High }) => High !== null)
  return (
    <figure className={page.field}>
      <figcaption className={page.hint}>
        {label}（{t(`insight:findings.units.${Unit}`)}，0–{figureOf(Unit, top)}）
      </figcaption>
      <Curve
        label={label}
        line={Days.map(({ Value }) => Value)}
        {...(hasBand && { low: Days.map(({ Low }) => Low), high: Days.map(({ High }) => High) })}
        top={top * 1.05}
      />
      <p className={`${page.hint} ${page.spread}`}>
        <span>{date(Days[0]?.Date ?? '')}</span>
        {hasBand && (
          <span>
            <span className={styles.swatch} aria-hidden="true" /> {t('insight:findings.drawer.band')}
          </span>
        )}
        <span>{date(Days.at(-1)?.Date ?? '')}</span>
      </p>
    </figure>
  )
}

function DayTable({ evidence }: { evidence: Evidence }) {
  const t = useT()
  const date = useFormatDate()
  const { Finding: finding, Unit, Days, Claims } = evidence
  const billNames = useBillNames(finding)
  const names = isOfBills(evidence)
    ? { ...billNames, table: t('insight:findings.bills.table'), date: t('insight:findings.bills.from') }
    : {
        present: `${t('insight:findings.drawer.value')} (${t(`insight:findings.units.${Unit}`)})`,
        changed: t('insight:findings.drawer.usual'),
        table: t('insight:findings.drawer.table'),
        date: t('insight:findings.drawer.date'),
      }
  const claimed = new Map<string, number>()
  for (const { Days: days } of Claims)
    for (const { Date, kWh } of days) claimed.set(Date, (claimed.get(Date) ?? 0) + kWh)
  const hasUsual = Days.some(({ Usual }) => Usual !== null)
  return (
    <details>
      <summary>{names.table}</summary>
      <div className={page.scroll}>
        <table className={`${page.table} ${page.figures} ${page.amounts}`}>
          <thead>
            <tr>
              <th scope="col">{names.date}</th>
              <th scope="col">{names.present}</th>
              {hasUsual && <th scope="col">{names.changed}</th>}
              {claimed.size > 0 && <th scope="col">{t('insight:findings.drawer.claimed')} (kWh)</th>}
            </tr>
          </thead>
          <tbody>
            {Days.map(({ Date, Value, Usual }) => (
              <tr key={Date}>
                <th scope="row">{date(Date)}</th>
                <td>{figureOf(Unit, Value)}</td>
                {hasUsual && <td>{figureOf(Unit, Usual)}</td>}
                {claimed.size > 0 && <td>{formatFigure(claimed.get(Date))}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
