import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button, InputNumber, Select } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import type { ImportKind } from '../../../contract/meters/meter-import.ts'
import { columnName } from '../../lib/spreadsheet/column-name.ts'
import { DELIMITERS } from '../../lib/spreadsheet/file-fault.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { TimeZoneSelect } from '../../ui/inputs/time-zone-select.tsx'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'
import type { BothKinds } from './reading/both-kinds.ts'
import type { Preview } from './reading/messages.ts'
import { INTERVALS, nextColumn, UNITS, type Columns, type Mapping, type MeterName } from './reading/rows.ts'
import { TIME_FORMATS } from './reading/time.ts'
import { KindChoice } from './kind-choice.tsx'
import { describeTrial } from './use-import.ts'
import { holdsLabel } from '../../lib/match-words.ts'

/** First lines of a file with the meaning of its columns. */
const PreviewTable: FC<{ preview: Preview; mapping: Columns }> = ({ preview, mapping }) => {
  const t = useT()
  const columns = Array.from({ length: preview.width }, (_, column) => column)
  const roleOf = (column: number) => {
    if (column === mapping.timeColumn || column === mapping.clockColumn) return t('meterImport:roles.time')
    if (column === mapping.meterColumn) return t('meterImport:roles.meter')
    return mapping.values.some((value) => value.column === column) ? t('meterImport:roles.value') : ''
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard
    <div className={page.scroll} tabIndex={0} role="region" aria-label={t('meterImport:preview')}>
      <table className={styles.preview}>
        <thead>
          <tr>
            <th scope="col">{t('meterImport:line')}</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {columnName(column)} <span className={page.accent}>{roleOf(column)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {preview.lines.map((line, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines of a file keep their order
            <tr key={index} className={index < mapping.headLines ? styles.head : undefined}>
              <th scope="row">{index + 1}</th>
              {columns.map((column) => (
                <td key={column}>{line[column] ?? ''}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Names of the delimiters, in their order. */
const DELIMITER_NAMES = ['comma', 'semicolon', 'tab', 'bar'] as const

interface Props {
  preview: Preview
  meters: readonly MeterName[]
  error: unknown
  sumBoth: (columns: Columns) => Promise<BothKinds>
  reopen: (how: { delimiter?: string; sheet?: number }) => void
  check: (mapping: Mapping) => void
  restart: () => void
}

/** Form for the meaning of a file's columns, prefilled with a guess. */
export const MappingForm: FC<Props> = ({ preview, meters, error, sumBoth, reopen, check, restart }) => {
  const t = useT()
  const { sure, likely, kind: guessedKind, ...guess } = preview.guess
  const [mapping, setMapping] = useState<Columns>(guess)
  const [kind, setKind] = useState<ImportKind | null>(guessedKind)
  const change = (next: Partial<Columns>) => setMapping({ ...mapping, ...next })
  const head = preview.lines[mapping.headLines - 1] ?? []
  const columns = Array.from({ length: preview.width }, (_, column) => ({
    value: column,
    label: [columnName(column), head[column]?.slice(0, 40)].filter(Boolean).join(' · '),
  }))
  const meterOptions = meters.map(({ uid, name }) => ({ value: uid, label: name }))
  const byColumn = mapping.meterColumn === null
  const incomplete =
    mapping.values.length === 0 || (byColumn && mapping.values.some(({ uid }) => uid === null))
  const missing = incomplete
    ? 'meterImport:chooseMeters'
    : kind === null
      ? 'meterImport:chooseKind'
      : undefined

  return (
    <>
      <PreviewTable preview={preview} mapping={mapping} />
      <div className={styles.fields}>
        {preview.sheets.length > 1 && (
          <Field label={t('meterImport:sheet')}>
            <Select
              aria-label={t('meterImport:sheet')}
              value={preview.sheet}
              onChange={(sheet) => reopen({ sheet })}
              options={preview.sheets.map((name, value) => ({ value, label: name }))}
            />
          </Field>
        )}
        {preview.delimiter !== undefined && (
          <Field label={t('meterImport:delimiter')}>
            <Select
              aria-label={t('meterImport:delimiter')}
              value={preview.delimiter}
              onChange={(delimiter) => reopen({ delimiter })}
              options={DELIMITERS.map((value, index) => ({
                value: value as string,
                label: t(`meterImport:delimiters.${DELIMITER_NAMES[index] ?? 'comma'}`),
              }))}
            />
          </Field>
        )}
        <Field label={t('meterImport:headLines')}>
          <InputNumber
            aria-label={t('meterImport:headLines')}
            min={0}
            max={100}
            precision={0}
            value={mapping.headLines}
            onChange={(headLines) => change({ headLines: headLines ?? 0 })}
          />
        </Field>
        <Field label={t('meterImport:timeColumn')}>
          <Select
            aria-label={t('meterImport:timeColumn')}
            value={mapping.timeColumn}
            onChange={(timeColumn) => change({ timeColumn })}
            options={columns}
          />
        </Field>
        <Field label={t('meterImport:clockColumn')}>
          <Select
            aria-label={t('meterImport:clockColumn')}
            value={mapping.clockColumn ?? -1}
            onChange={(column) => change({ clockColumn: column < 0 ? null : column })}
            options={[{ value: -1, label: t('meterImport:noClockColumn') }, ...columns]}
          />
        </Field>
        <Field label={t('meterImport:format')}>
          <Select
            aria-label={t('meterImport:format')}
            value={mapping.format}
            onChange={(format) => change({ format })}
            options={TIME_FORMATS.map((value) => ({ value, label: t(`meterImport:formats.${value}`) }))}
          />
        </Field>
        <Field label={t('meterImport:zone')} htmlFor="import-zone">
          <TimeZoneSelect id="import-zone" value={mapping.zone} onChange={(zone) => change({ zone })} />
        </Field>
      </div>
      {!sure && <Alert type="warning" showIcon message={t('meterImport:unsure')} />}
      <KindChoice columns={mapping} kind={kind} likely={likely} sumBoth={sumBoth} choose={setKind} />
      <div className={styles.fields}>
        <Field label={t('meterImport:unit')}>
          <Select
            aria-label={t('meterImport:unit')}
            value={mapping.unit}
            onChange={(unit) => change({ unit })}
            options={(Object.keys(UNITS) as (keyof typeof UNITS)[]).map((value) => ({ value, label: value }))}
          />
        </Field>
        {kind === 'interval' && (
          <>
            <Field label={t('meterImport:interval')}>
              <Select
                aria-label={t('meterImport:interval')}
                value={mapping.interval}
                onChange={(interval) => change({ interval })}
                options={INTERVALS.map((value) => ({ value, label: t(`meterImport:intervals.${value}`) }))}
              />
            </Field>
            <Field label={t('meterImport:stamp')}>
              <Select
                aria-label={t('meterImport:stamp')}
                value={mapping.stamp}
                onChange={(stamp) => change({ stamp })}
                options={(['begin', 'end'] as const).map((value) => ({
                  value,
                  label: t(`meterImport:stamps.${value}`),
                }))}
              />
            </Field>
          </>
        )}
        <Field label={t('meterImport:meterColumn')}>
          <Select
            aria-label={t('meterImport:meterColumn')}
            value={mapping.meterColumn ?? -1}
            onChange={(column) => change({ meterColumn: column < 0 ? null : column })}
            options={[{ value: -1, label: t('meterImport:noMeterColumn') }, ...columns]}
          />
        </Field>
      </div>
      <fieldset className={styles.values}>
        <legend>{t('meterImport:values')}</legend>
        {mapping.values.map((value, index) => {
          const put = (next: Partial<typeof value>) =>
            change({
              values: mapping.values.map((mappedValue, at) =>
                at === index ? { ...mappedValue, ...next } : mappedValue,
              ),
            })
          return (
            // oxlint-disable-next-line react/no-array-index-key -- two lines may be equal
            <div key={index} className={styles.value}>
              <Select
                aria-label={t('meterImport:valueColumn')}
                value={value.column}
                onChange={(column) => put({ column })}
                options={columns}
              />
              {byColumn && (
                <Select
                  aria-label={t('meterImport:meter')}
                  value={value.uid}
                  showSearch
                  filterOption={holdsLabel}
                  placeholder={t('meterImport:meter')}
                  onChange={(uid) => put({ uid })}
                  options={meterOptions}
                />
              )}
              {mapping.values.length > 1 && (
                <Button
                  icon={<DeleteOutlined />}
                  aria-label={t('meterImport:removeColumn', { column: columnName(value.column) })}
                  onClick={() => change({ values: mapping.values.filter((_, at) => at !== index) })}
                />
              )}
            </div>
          )
        })}
        {byColumn && mapping.values.length < preview.width - 1 && (
          <Button
            type="dashed"
            icon={<PlusOutlined />}
            onClick={() =>
              change({
                values: [...mapping.values, { column: nextColumn(mapping, preview.width), uid: null }],
              })
            }
          >
            {t('meterImport:addColumn')}
          </Button>
        )}
      </fieldset>
      {error !== undefined && <Alert type="error" showIcon message={describeTrial(error)} />}
      <div className={`${page.wideRow} ${styles.actions}`}>
        <Button
          type="primary"
          disabled={missing !== undefined}
          onClick={() => kind !== null && check({ ...mapping, kind })}
        >
          {t('meterImport:check')}
        </Button>
        <Button onClick={restart}>{t('meterImport:otherFile')}</Button>
        <span className={page.note}>{t(missing ?? 'meterImport:nothingYet')}</span>
      </div>
    </>
  )
}

function Field(props: { label: string; htmlFor?: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      {props.htmlFor ? <label htmlFor={props.htmlFor}>{props.label}</label> : <span>{props.label}</span>}
      {props.children}
    </div>
  )
}
