import { formatWhen } from '../../lib/format-when.ts'
import { Alert, Button, Checkbox } from 'antd'
import { type FC, type ReactNode, useState } from 'react'
import { DRAFT_LIFETIME_HOURS, MAX_DRAFTS } from '../../../contract/meters/import-calls.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { columnName } from '../../lib/spreadsheet/column-name.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useDecimalPrecision } from '../../data/personal.ts'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'
import type { ReadRows, RowProblem } from './reading/rows.ts'
import { describeTrial, type PreparedImport } from './use-import.ts'

/** Maximum number of problems shown; the rest are counted. */
const MAX_SHOWN = 100

interface Props {
  rows: ReadRows
  prepared: PreparedImport
  zone: string
  nameOf: (uid: string) => string
  error: unknown
  commit: (isSure: boolean) => void
  back: () => void
}

/** Effect of an import: new, conflicting and invalid rows, and the months before and after. */
export const CheckResult: FC<Props> = ({ rows, prepared: { check }, zone, nameOf, error, commit, back }) => {
  const t = useT()
  const language = useLanguage()
  const number = new Intl.NumberFormat(language)
  const [isSure, setIsSure] = useState(false)
  const isImplausible = check.Implausible.length > 0
  const problems: RowProblem[] = [
    ...rows.problems,
    ...check.Faults.map(({ Row, Fault }) => ({
      line: rows.lines[Row] ?? 0,
      column: rows.columns[Row] ?? 0,
      reason: Fault,
      value: String(rows.values[Row] ?? ''),
    })),
  ].toSorted((a, b) => a.line - b.line)
  const broken = rows.problemCount + check.Faulty
  const counts = [
    ['new', check.New],
    ['same', check.Same],
    ['conflicting', check.Conflicting],
    ['broken', broken],
  ] as const
  return (
    <>
      <dl className={styles.counts}>
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{t(`meterImport:counts.${name}`)}</dt>
            <dd>{number.format(count)}</dd>
          </div>
        ))}
      </dl>
      {rows.tooMany && <Alert type="warning" showIcon message={t('meterImport:tooMany')} />}
      {check.Conflicting > 0 && <Alert type="warning" showIcon message={t('meterImport:conflictsNote')} />}
      {broken > 0 && (
        <details className={styles.problems} open>
          <summary>{t('meterImport:problems', { count: number.format(broken) })}</summary>
          <ul>
            {problems.slice(0, MAX_SHOWN).map(({ line, column, reason, value }) => (
              <li key={`${line} ${column} ${reason}`}>
                {t('meterImport:problem', {
                  line,
                  column: columnName(column),
                  value: value === '' ? t('meterImport:blank') : value,
                  reason: t(`meterImport:reasons.${reason}`),
                })}
              </li>
            ))}
          </ul>
          {broken > MAX_SHOWN && (
            <p>{t('meterImport:moreProblems', { count: number.format(broken - MAX_SHOWN) })}</p>
          )}
        </details>
      )}
      <Conflicts check={check} rows={rows} />
      <Months months={check.Months} zone={zone} />
      {isImplausible && (
        <ImplausibleMonths months={check.Implausible} zone={zone} nameOf={nameOf}>
          <Checkbox checked={isSure} onChange={(event) => setIsSure(event.target.checked)}>
            {t('meterImport:sure')}
          </Checkbox>
        </ImplausibleMonths>
      )}
      {error !== undefined && <Alert type="error" showIcon message={describeTrial(error)} />}
      <div className={`${page.wideRow} ${styles.actions}`}>
        <Button
          type="primary"
          disabled={check.New === 0 || (isImplausible && !isSure)}
          onClick={() => commit(isSure)}
        >
          {t('meterImport:commit', { count: number.format(check.New) })}
        </Button>
        <Button onClick={back}>{t('meterImport:back')}</Button>
        <span className={page.note}>
          {t('meterImport:kept', { hours: DRAFT_LIFETIME_HOURS, drafts: MAX_DRAFTS })}
        </span>
      </div>
    </>
  )
}

/** Months with more energy than the meter has ever counted; the user must confirm them. */
function ImplausibleMonths(props: {
  months: PreparedImport['check']['Implausible']
  zone: string
  nameOf: Props['nameOf']
  children: ReactNode
}) {
  const t = useT()
  const language = useLanguage()
  const monthOf = (at: number) => formatWhen(at, language, props.zone, 'month')
  const kwh = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  return (
    <Alert
      type="warning"
      showIcon
      message={t('meterImport:implausible', { count: kwh.format(props.months.length) })}
      description={
        <div className={page.stack}>
          <ul>
            {props.months.slice(0, MAX_SHOWN).map(({ PeripheralUID, Timestamp, kWh, Limit }) => (
              <li key={`${PeripheralUID} ${Timestamp}`}>
                {t('meterImport:implausibleMonth', {
                  meter: isolated(props.nameOf(PeripheralUID)),
                  month: monthOf(Timestamp),
                  kwh: kwh.format(kWh),
                  limit: kwh.format(Limit),
                })}
              </li>
            ))}
          </ul>
          {props.months.length > MAX_SHOWN && (
            <p>{t('meterImport:moreMonths', { count: kwh.format(props.months.length - MAX_SHOWN) })}</p>
          )}
          {props.children}
        </div>
      }
    />
  )
}

/** Rows that differ from stored values, with these values. */
function Conflicts({ check, rows }: { check: PreparedImport['check']; rows: ReadRows }) {
  const t = useT()
  const language = useLanguage()
  const count = new Intl.NumberFormat(language)
  const kwh = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  if (check.Conflicting === 0) return null
  return (
    <details className={styles.problems}>
      <summary>{t('meterImport:conflicts', { count: count.format(check.Conflicting) })}</summary>
      <ul>
        {check.Conflicts.slice(0, MAX_SHOWN).map(({ Row, Value, Stored }) => {
          const of = {
            line: rows.lines[Row] ?? 0,
            column: columnName(rows.columns[Row] ?? 0),
            value: kwh.format(Value),
          }
          return (
            <li key={Row}>
              {Stored === null
                ? t('meterImport:conflictSpan', of)
                : t('meterImport:conflict', { ...of, stored: kwh.format(Stored) })}
            </li>
          )
        })}
      </ul>
      {check.Conflicting > MAX_SHOWN && (
        <p>{t('meterImport:moreProblems', { count: count.format(check.Conflicting - MAX_SHOWN) })}</p>
      )}
    </details>
  )
}

function Months({ months, zone }: { months: PreparedImport['check']['Months']; zone: string }) {
  const t = useT()
  const language = useLanguage()
  const decimals = useDecimalPrecision()
  if (months.length === 0) return null
  const nameOf = (at: number) => formatWhen(at, language, zone, 'month')
  const value = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  const formatKwh = (kwh: number | null) => (kwh === null ? '—' : value.format(kwh))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
    <div className={page.scroll} tabIndex={0} role="region" aria-label={t('meterImport:months')}>
      <table className={styles.months}>
        <caption>{t('meterImport:months')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('meterImport:month')}</th>
            <th scope="col">{t('meterImport:before')}</th>
            <th scope="col">{t('meterImport:after')}</th>
          </tr>
        </thead>
        <tbody>
          {months.map(({ Timestamp, Before, After }) => (
            <tr key={Timestamp}>
              <th scope="row">{nameOf(Timestamp)}</th>
              <td>{formatKwh(Before)}</td>
              <td>{formatKwh(After)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
