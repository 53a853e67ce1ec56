import { Alert, Button, Radio, Select, Tag } from 'antd'
import { type FC, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { ReadingFact, ReadingFactName } from '../../../contract/meters/import-reading.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { describeFailure } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { holdsLabel } from '../../lib/match-words.ts'
import { columnName } from '../../lib/spreadsheet/column-name.ts'
import { DELIMITERS, SHEET_HEADING } from '../../lib/spreadsheet/file-fault.ts'
import { FileButton } from '../../ui/inputs/file-button.tsx'
import { TimeZoneSelect } from '../../ui/inputs/time-zone-select.tsx'
import page from '../../ui/page/page.module.css'
import { factValues, useFactText } from './fact-text.ts'
import styles from './meter-import.module.css'
import { ProblemList } from './problem-list.tsx'
import type { MeterName, Question } from './reading/facts.ts'
import type { FileView, ReadingView } from './reading/messages.ts'
import type { Series } from './reading/series.ts'
import { describeTrial, missingOf, NOT_IMPORTED, type OpenFile } from './use-import.ts'

interface Props {
  open: OpenFile
  zone: string
  meters: readonly MeterName[]
  /** Whether the file is being read again with another answer. */
  isReading: boolean
  error: unknown
  answer: (answers: OpenFile['answers']) => void
  chooseMeter: (series: number, uid: string) => void
  reopen: (how: { delimiter?: string; sheet?: number }) => void
  check: () => void
  openOther: (file: File) => void
}

/** Types of files that can be imported. */
export const FILE_TYPES = [
  '.csv',
  '.tsv',
  '.txt',
  '.xlsx',
  '.json',
  '.ndjson',
  '.xml',
  '.gz',
  '.zip',
  'text/csv',
  'application/json',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]

/** Value of the option that lets the reader choose: the fullest sheet, with those that have the same headings. */
const AUTOMATIC = -1

/** Selection of the sheet of a workbook that is read. */
export const SheetSelect: FC<{
  id?: string
  view: FileView
  reopen: (how: { sheet?: number }) => void
}> = ({ id, view, reopen }) => {
  const t = useT()
  const automatic =
    view.joinedCount > 0
      ? t('meterImport:sheetsJoined', { count: view.joinedCount })
      : t('meterImport:sheetAutomatic')
  return (
    <Select
      {...(id === undefined ? { 'aria-label': t('meterImport:facts.sheet') } : { id })}
      value={view.joinedCount > 0 ? AUTOMATIC : view.sheet}
      onChange={(sheet) => reopen(sheet === AUTOMATIC ? {} : { sheet })}
      options={[
        { value: AUTOMATIC, label: automatic },
        ...view.sheets.map((name, value) => ({ value, label: name })),
      ]}
    />
  )
}

/** Meaning of a file: what it leaves open, its meters, and how everything else was found. */
export const ReadingReview: FC<Props> = (props) => {
  const { open, zone, meters, isReading, error, answer, chooseMeter, reopen, check, openOther } = props
  const { reading, answers, view } = open
  const t = useT()
  const missing = missingOf(open)
  const unreadSheets = view.sheets.length - Math.max(1, view.joinedCount)
  const put = (fact: ReadingFactName, value: string) => answer({ ...answers, [fact]: value })
  const checkButton = useRef<HTMLButtonElement>(null)
  // The page begins at its top again: the failure, and the button that continues, are at its end.
  useEffect(() => {
    if (error !== undefined) checkButton.current?.focus()
  }, [error])
  return (
    <div className={page.stack} aria-busy={isReading}>
      {open.earlierError !== undefined && (
        <Alert
          type="warning"
          showIcon
          message={t('meterImport:earlierUnknown', { reason: describeFailure(open.earlierError) })}
        />
      )}
      {open.sameAs && <SameFile sameAs={open.sameAs} zone={zone} />}
      {open.profile && (
        <p className={page.note}>{t('meterImport:knownFile', { name: isolated(open.profile.Name) })}</p>
      )}
      {view.sheets.length > 1 && (
        <div className={page.fields}>
          <Field label={t('meterImport:facts.sheet')}>
            {(id) => <SheetSelect id={id} view={view} reopen={reopen} />}
          </Field>
          {unreadSheets > 0 && (
            <p className={page.note}>{t('meterImport:sheetsUnread', { count: unreadSheets })}</p>
          )}
        </div>
      )}
      <Summary reading={reading} zone={zone} />
      {open.questions.map((question) => (
        <QuestionChoice
          key={question.fact}
          question={question}
          value={answers[question.fact]}
          choose={(value) => put(question.fact, value)}
        />
      ))}
      <SeriesMeters series={reading.series} uids={open.uids} meters={meters} choose={chooseMeter} />
      {reading.problemCount > 0 && <ProblemList problems={reading.problems} count={reading.problemCount} />}
      <PreviewTable view={view} reading={reading} />
      <HowRead open={open} put={put} reopen={reopen} />
      {error !== undefined && <Alert type="error" showIcon message={describeTrial(error)} />}
      <div className={`${page.wideRow} ${styles.actions}`}>
        <Button
          ref={checkButton}
          type="primary"
          disabled={missing !== undefined || isReading}
          onClick={check}
        >
          {t('meterImport:check')}
        </Button>
        <FileButton label={t('meterImport:file')} accept={FILE_TYPES} choose={openOther}>
          {t('meterImport:otherFile')}
        </FileButton>
        <span className={page.note} role="status">
          {isReading
            ? t('meterImport:steps.opening')
            : t(missing ? `meterImport:missing.${missing}` : 'meterImport:nothingYet')}
        </span>
      </div>
    </div>
  )
}

function SameFile({ sameAs, zone }: { sameAs: NonNullable<OpenFile['sameAs']>; zone: string }) {
  const t = useT()
  const at = formatWhen(sameAs.CommittedAt ?? sameAs.CreatedAt, useLanguage(), zone)
  return (
    <Alert
      type="warning"
      showIcon
      message={t('meterImport:sameFile', { name: isolated(sameAs.FileName), at, by: isolated(sameAs.By) })}
    />
  )
}

/** The file in one sentence: kind, period, energy. */
function Summary({ reading, zone }: { reading: ReadingView; zone: string }) {
  const t = useT()
  const language = useLanguage()
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  const rows = reading.series.reduce((sum, series) => sum + series.rows, 0)
  const from = Math.min(...reading.series.map((series) => series.from))
  const through = Math.max(...reading.series.map((series) => series.through))
  return (
    <p className={page.words}>
      {t(`meterImport:summary.${reading.kind}`, {
        rows: number.format(rows),
        count: reading.series.length,
        from: formatWhen(from, language, zone),
        through: formatWhen(through, language, zone),
      })}
    </p>
  )
}

/** Question about the file, with an example from it and the energy of each answer. */
function QuestionChoice(props: {
  question: Question
  value: string | undefined
  choose: (value: string) => void
}) {
  const { question, value, choose } = props
  const t = useT()
  const factText = useFactText()
  const number = new Intl.NumberFormat(useLanguage(), { maximumFractionDigits: 1 })
  return (
    <fieldset className={styles.question}>
      <legend>
        {t(`meterImport:questions.${question.fact}` as 'meterImport:questions.unit', {
          example: isolated(question.example),
        })}
      </legend>
      <Radio.Group
        className={page.stack ?? ''}
        name={question.fact}
        value={value ?? null}
        onChange={(event) => choose(event.target.value)}
        options={question.options.map(({ value: option, kWh, text }) => ({
          value: option,
          label: (
            <>
              {factText.option(question, option, text)}{' '}
              <span className={page.note}>
                {kWh === null ? '' : t('meterImport:sum', { kwh: number.format(kWh) })}
                {option === question.suggested && ` ${t('meterImport:likely')}`}
              </span>
            </>
          ),
        }))}
      />
    </fieldset>
  )
}

/** Meter of each series, with its energy. */
function SeriesMeters(props: {
  series: readonly Series[]
  uids: readonly (string | null)[]
  meters: readonly MeterName[]
  choose: (series: number, uid: string) => void
}) {
  const { series, uids, meters, choose } = props
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage(), { maximumFractionDigits: 1 })
  const hasReturn = series.some(({ direction }) => direction === 'export')
  const options = [
    { value: NOT_IMPORTED, label: t('meterImport:notImported') },
    ...meters.flatMap(({ uid, name }) => [
      { value: uid, label: name },
      ...(hasReturn ? [{ value: `${uid}.return`, label: t('meterImport:returned', { name }) }] : []),
    ]),
  ]
  return (
    <fieldset className={page.field}>
      <legend>{t('meterImport:values')}</legend>
      <ul className={styles.series}>
        {series.map(({ name, column, unit, rows, kWh, direction }, index) => {
          const label = name === '' ? t('meterImport:column', { column: columnName(column) }) : name
          return (
            // oxlint-disable-next-line react/no-array-index-key -- two series may have the same name
            <li key={index}>
              <div>
                <strong>{label}</strong> <Tag>{unit}</Tag>
                {direction && <Tag>{t(`meterImport:directions.${direction}`)}</Tag>}
                <div className={page.note}>
                  {t('meterImport:seriesSum', { rows: number.format(rows), kwh: number.format(kWh) })}
                </div>
              </div>
              <Select
                aria-label={t('meterImport:meterOf', { name: label })}
                value={uids[index] ?? null}
                showSearch
                filterOption={holdsLabel}
                classNames={{ popup: { root: styles.options ?? '' } }}
                placeholder={t('meterImport:meter')}
                onChange={(uid: string) => choose(index, uid)}
                options={options}
              />
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** First lines of a file with the roles of their columns. */
const PreviewTable: FC<{ view: FileView; reading: ReadingView }> = ({ view, reading }) => {
  const t = useT()
  const columns = Array.from({ length: Math.min(view.width, MAX_SHOWN_COLUMNS) }, (_, column) => column)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
    <div className={page.scroll} tabIndex={0} role="region" aria-label={t('meterImport:preview')}>
      <table className={styles.preview}>
        <thead>
          <tr>
            <th scope="col">{t('meterImport:line')}</th>
            {columns.map((column) => {
              const role = reading.roles[column]
              return (
                <th key={column} scope="col">
                  {columnName(column)}{' '}
                  <span className={page.accent}>{role ? t(`meterImport:roles.${role}`) : ''}</span>
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {view.lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines of a file keep their order
            <tr key={index} className={index < reading.headLines ? styles.head : undefined}>
              <th scope="row">{index + 1}</th>
              {columns.map((column) => (
                <td key={column}>
                  {column === view.sheetColumn && line[column] === SHEET_HEADING && index < reading.headLines
                    ? t('meterImport:facts.sheet')
                    : (line[column] ?? '')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
const MAX_SHOWN_COLUMNS = 100

/** All facts, and those that the user can change. Rendered once opened: the selects take longer than the rest of the page. */
function HowRead(props: {
  open: OpenFile
  put: (fact: ReadingFactName, value: string) => void
  reopen: Props['reopen']
}) {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t('meterImport:howRead')}</summary>
      {isOpen && (
        <>
          <FactEditors {...props} />
          <FactList facts={props.open.reading.facts} />
        </>
      )}
    </details>
  )
}

/** Facts that the user can change, although the file needs no answer. */
function FactEditors({
  open,
  put,
  reopen,
}: {
  open: OpenFile
  put: (fact: ReadingFactName, value: string) => void
  reopen: Props['reopen']
}) {
  const t = useT()
  const factText = useFactText()
  const { view, reading } = open
  const valueOf = (fact: ReadingFactName) => reading.facts.find(({ Fact }) => Fact === fact)?.Value
  return (
    <div className={page.fields}>
      {view.delimiter !== undefined && (
        <Field label={t('meterImport:facts.delimiter')}>
          {(id) => (
            <Select
              id={id}
              value={view.delimiter ?? null}
              onChange={(delimiter) => reopen({ delimiter })}
              options={DELIMITERS.map((value) => ({
                value: value as string,
                label: factText.value('delimiter', value),
              }))}
            />
          )}
        </Field>
      )}
      {(Object.keys(factValues) as (keyof typeof factValues)[])
        .filter((fact) => (factValues[fact] as readonly (string | undefined)[]).includes(valueOf(fact)))
        .map((fact) => (
          <Field key={fact} label={t(`meterImport:facts.${fact}`)}>
            {(id) => (
              <Select
                id={id}
                value={valueOf(fact) ?? null}
                onChange={(value) => put(fact, value)}
                options={factValues[fact].map((value) => ({ value, label: factText.value(fact, value) }))}
              />
            )}
          </Field>
        ))}
      <Field label={t('meterImport:facts.zone')}>
        {(id) => <TimeZoneSelect id={id} value={reading.zone} onChange={(value) => put('zone', value)} />}
      </Field>
    </div>
  )
}

/** Facts with their sources, as they are kept with the import. */
export function FactList({ facts }: { facts: readonly ReadingFact[] }) {
  const t = useT()
  const factText = useFactText()
  return (
    <ul className={styles.facts}>
      {facts.map((fact, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- facts keep their order
        <li key={index}>
          <span>
            {t(`meterImport:facts.${fact.Fact}`)}
            {fact.Column !== null && ` · ${fact.Column}`}
          </span>
          <strong>{factText.value(fact.Fact, fact.Value)}</strong>
          <span>
            <Tag>{t(`meterImport:sources.${fact.Source}`)}</Tag>
            {factText.evidence(fact)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Field(props: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={page.field}>
      <label htmlFor={id}>{props.label}</label>
      {props.children(id)}
    </div>
  )
}
