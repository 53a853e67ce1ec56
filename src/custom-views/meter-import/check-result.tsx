import { formatFigure, formatLimitKw, formatWhole, NO_VALUE } from '../../../contract/kernel/numbers.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { Alert, Button, Checkbox } from 'antd'
import { type FC, type ReactNode, useState } from 'react'
import {
  DRAFT_LIFETIME_HOURS,
  type ImportedMeter,
  MAX_DRAFTS,
  PLAUSIBLE_RATIO,
} from '../../../contract/meters/import-calls.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { columnName } from '../../lib/spreadsheet/column-name.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'
import { DayChart } from './day-chart.tsx'
import { lineText, ProblemList } from './problem-list.tsx'
import type { RowsView } from './reading/messages.ts'
import type { RowProblem } from './reading/rows.ts'
import { describeTrial, type Import, type PreparedImport } from './use-import.ts'

/** Maximum number of problems shown; the rest are counted. */
const MAX_SHOWN = 100

interface Props {
  rows: RowsView
  prepared: PreparedImport
  homeId: string
  zone: string
  nameOf: (uid: string) => string
  callReader: Import['callReader']
  isCommitting: boolean
  error: unknown
  commit: (isSure: boolean) => void
  back: () => void
}

/** Effect of an import: new, conflicting and invalid rows, their energy by meter, day and month. */
export const CheckResult: FC<Props> = (props) => {
  const { rows, prepared, homeId, zone, nameOf, isCommitting, error, commit, back } = props
  const { check, places } = prepared
  const t = useT()
  const language = useLanguage()
  const number = new Intl.NumberFormat(language)
  const [isSure, setIsSure] = useState(false)
  const oddMeters = check.Meters.filter(({ Ratio }) => Ratio !== null && !isPlausibleRatio(Ratio))
  const isImplausible = check.Implausible.length > 0 || check.OverLimitCount > 0 || oddMeters.length > 0
  const problems: RowProblem[] = [
    ...rows.problems,
    ...check.Faults.map(({ Row, Fault }) => {
      const { value = '', ...place } = places.get(Row) ?? { line: 0, column: 0 }
      return { ...place, reason: Fault, value: String(value) }
    }),
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
      <dl className={`${page.tiles} ${page.measures}`}>
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{t(`meterImport:counts.${name}`)}</dt>
            <dd>{number.format(count)}</dd>
          </div>
        ))}
      </dl>
      {rows.tooMany && <Alert type="warning" showIcon message={t('meterImport:tooMany')} />}
      {check.Conflicting > 0 && <Alert type="warning" showIcon message={t('meterImport:conflictsNote')} />}
      {broken > 0 && <ProblemList problems={problems} count={broken} />}
      <MeterFigures meters={check.Meters} nameOf={nameOf} />
      <DayChart {...props} homeId={homeId} meters={check.Meters} />
      <Conflicts check={check} places={places} />
      <Months months={check.Months} zone={zone} />
      {isImplausible && (
        <Warnings check={check} oddMeters={oddMeters} places={places} zone={zone} nameOf={nameOf}>
          <Checkbox
            className={styles.sure ?? ''}
            checked={isSure}
            disabled={isCommitting}
            onChange={(event) => setIsSure(event.target.checked)}
          >
            {t('meterImport:sure')}
          </Checkbox>
        </Warnings>
      )}
      {error !== undefined && <Alert type="error" showIcon message={describeTrial(error)} />}
      <div className={`${page.wideRow} ${styles.actions}`}>
        <Button
          type="primary"
          loading={isCommitting}
          disabled={check.New === 0 || (isImplausible && !isSure)}
          onClick={() => commit(isSure)}
        >
          {t('meterImport:commit', { count: number.format(check.New) })}
        </Button>
        <Button disabled={isCommitting} onClick={back}>
          {t('meterImport:back')}
        </Button>
        <span className={page.note} role="status">
          {isCommitting
            ? t('meterImport:steps.committing')
            : t('meterImport:kept', { hours: DRAFT_LIFETIME_HOURS, drafts: MAX_DRAFTS })}
        </span>
      </div>
    </>
  )
}

/** Whether imported energy agrees with what is stored. */
const isPlausibleRatio = (ratio: number): boolean =>
  ratio >= PLAUSIBLE_RATIO.min && ratio <= PLAUSIBLE_RATIO.max

/** Ratios that a wrong unit makes: Wh or MWh for kWh, and kW for the energy of a quarter of an hour, or the reverse. */
const UNIT_RATIOS = [
  [1_000, 'wh'],
  [0.001, 'mwh'],
  [4, 'kw'],
  [0.25, 'quarter'],
] as const
const UNIT_RATIO_TOLERANCE = 1.15

/** Explanation of a ratio to the stored energy. */
const ratioKey = (ratio: number) =>
  UNIT_RATIOS.find(([of]) => ratio / of < UNIT_RATIO_TOLERANCE && of / ratio < UNIT_RATIO_TOLERANCE)?.[1] ??
  'other'

/** Energy of each meter in figures that a user can judge: use per day, cost per month, power. */
function MeterFigures({ meters, nameOf }: { meters: readonly ImportedMeter[]; nameOf: Props['nameOf'] }) {
  const t = useT()
  if (meters.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
    <div className={page.scroll} tabIndex={0} role="region" aria-label={t('meterImport:figures.title')}>
      <table className={`${page.table} ${page.amounts} ${page.figures}`}>
        <caption>{t('meterImport:figures.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('meterImport:meter')}</th>
            <th scope="col">{t('meterImport:figures.perDay')}</th>
            <th scope="col">{t('meterImport:figures.cost')}</th>
            <th scope="col">{t('meterImport:figures.meanKw')}</th>
            <th scope="col">{t('meterImport:figures.maxKw')}</th>
            <th scope="col">{t('meterImport:figures.limitKw')}</th>
            <th scope="col">{t('meterImport:figures.ratio')}</th>
          </tr>
        </thead>
        <tbody>
          {meters.map((meter) => (
            <tr key={meter.PeripheralUID}>
              <th scope="row">{nameOf(meter.PeripheralUID)}</th>
              <td>{formatFigure(meter.PerDay)}</td>
              <td>{formatWhole(meter.CostPerMonth)}</td>
              <td>{formatFigure(meter.MeanKw)}</td>
              <td>{formatFigure(meter.MaxKw)}</td>
              <td>{formatLimitKw(meter.LimitKw)}</td>
              <td>{meter.Ratio === null ? NO_VALUE : `${formatFigure(meter.Ratio)} ×`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Reasons to doubt an import; the user must confirm them. */
function Warnings(props: {
  check: PreparedImport['check']
  oddMeters: readonly ImportedMeter[]
  places: PreparedImport['places']
  zone: string
  nameOf: Props['nameOf']
  children: ReactNode
}) {
  const { check, oddMeters, places, zone, nameOf } = props
  const t = useT()
  const language = useLanguage()
  const kwh = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
  const figure = new Intl.NumberFormat(language, { maximumSignificantDigits: 4 })
  const lines = [
    ...oddMeters.map(({ PeripheralUID, Ratio }) =>
      t(`meterImport:ratios.${ratioKey(Ratio ?? 1)}`, {
        meter: isolated(nameOf(PeripheralUID)),
        ratio: figure.format(Ratio ?? 1),
      }),
    ),
    ...check.Implausible.map(({ PeripheralUID, Timestamp, kWh, Limit }) =>
      t('meterImport:implausibleMonth', {
        meter: isolated(nameOf(PeripheralUID)),
        month: formatWhen(Timestamp, language, zone, 'month'),
        kwh: kwh.format(kWh),
        limit: kwh.format(Limit),
      }),
    ),
    ...check.OverLimit.map(({ Row, PeripheralUID, kW, LimitKw }) =>
      t('meterImport:overLimit', {
        line: lineText(places.get(Row) ?? { line: 0 }),
        meter: isolated(nameOf(PeripheralUID)),
        kw: figure.format(kW),
        limit: figure.format(LimitKw),
      }),
    ),
  ]
  const total = oddMeters.length + check.Implausible.length + check.OverLimitCount
  return (
    <Alert
      type="warning"
      showIcon
      message={t('meterImport:unusual')}
      description={
        <div className={page.stack}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard */}
          <ul className={`${page.bullets} ${page.scrollBox}`} tabIndex={0}>
            {lines.slice(0, MAX_SHOWN).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          {total > MAX_SHOWN && (
            <p>{t('meterImport:moreProblems', { count: kwh.format(total - MAX_SHOWN) })}</p>
          )}
          {props.children}
        </div>
      }
    />
  )
}

/** Rows that differ from stored values, with these values. */
function Conflicts({ check, places }: Pick<PreparedImport, 'check' | 'places'>) {
  const t = useT()
  const language = useLanguage()
  const count = new Intl.NumberFormat(language)
  const kwh = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })
  if (check.Conflicting === 0) return null
  return (
    <details>
      <summary>{t('meterImport:conflicts', { count: count.format(check.Conflicting) })}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard */}
      <ul tabIndex={0}>
        {check.Conflicts.slice(0, MAX_SHOWN).map(({ Row, Value, Stored }) => {
          const of = {
            line: lineText(places.get(Row) ?? { line: 0 }),
            column: columnName(places.get(Row)?.column ?? 0),
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
  if (months.length === 0) return null
  const nameOf = (at: number) => formatWhen(at, language, zone, 'month')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
    <div className={page.scroll} tabIndex={0} role="region" aria-label={t('meterImport:months')}>
      <table className={`${page.table} ${page.amounts} ${page.figures}`}>
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
              <td>{formatFigure(Before)}</td>
              <td>{formatFigure(After)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
