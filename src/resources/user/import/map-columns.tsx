import { Alert, Button, Select } from 'antd'
import type { FC } from 'react'
import { columnName } from '../../../lib/spreadsheet/column-name.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { ImportCheck } from './check-people.ts'
import page from '../../../ui/page/page.module.css'
import styles from './import-users.module.css'
import { COLUMNS, type ColumnName, type Mapping } from './read-people.ts'
import { reasonWords } from './use-import-words.ts'

const SHOWN_LINES = 8
const SHOWN_CELLS = 20
const SHOWN_FAULTS = 100
/** Maximum number of columns offered. */
const MOST_COLUMNS = 64

/** A parsed file with its column mapping. */
export interface ColumnMapping {
  name: string
  grid: Grid
  mapping: Mapping
  checked?: ImportCheck
  checking?: boolean
  error?: unknown
}

interface Props {
  file: ColumnMapping
  titleOf: (column: ColumnName) => string
  change: (mapping: Mapping) => void
  another: () => void
  check: () => void
  create: (checked: ImportCheck) => void
}

/** First lines of the file, its column mapping, and the result of the dry run. */
export const MapColumns: FC<Props> = ({ file, titleOf, change, another, check, create }) => {
  const { name, grid, mapping, checked, checking, error } = file
  const t = useT()
  const choose = (column: ColumnName, at: number | undefined) => {
    const { [column]: _old, ...rest } = mapping
    change(at === undefined ? rest : { ...rest, [column]: at })
  }
  return (
    <>
      <strong>{name}</strong>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={t('people:import.preview')}>
        <table>
          <tbody>
            {grid.slice(0, SHOWN_LINES).map((cells, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines of a file never change places
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                {cells.slice(0, SHOWN_CELLS).map((cell, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- nor do their cells
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={styles.mapping}>
        {COLUMNS.map((column) => (
          <label key={column}>
            <span>{titleOf(column)}</span>
            <Select
              allowClear
              value={mapping[column] ?? null}
              placeholder={t('people:import.noColumn')}
              aria-label={titleOf(column)}
              options={(grid[0] ?? []).slice(0, MOST_COLUMNS).map((title, at) => ({
                value: at,
                label: `${columnName(at)} ${title}`,
              }))}
              onChange={(at: number | undefined) => choose(column, at)}
            />
          </label>
        ))}
      </div>
      {error !== undefined && <Alert showIcon type="error" message={describeFailure(error)} />}
      {checked && <CheckResult checked={checked} titleOf={titleOf} />}
      <div className={`${page.actions} ${styles.buttons}`}>
        <Button onClick={another}>{t('people:import.other')}</Button>
        <Button
          type={checked ? 'default' : 'primary'}
          loading={checking ?? false}
          disabled={mapping.Email === undefined}
          onClick={check}
        >
          {t('people:import.check')}
        </Button>
        {checked && checked.people.length > 0 && (
          <Button type="primary" onClick={() => create(checked)}>
            {t('people:import.create', { count: checked.people.length })}
          </Button>
        )}
      </div>
    </>
  )
}

const CheckResult: FC<{ checked: ImportCheck; titleOf: Props['titleOf'] }> = ({
  checked: { people, faults },
  titleOf,
}) => {
  const t = useT()
  return (
    <Alert
      showIcon
      type={faults.length > 0 ? 'warning' : 'success'}
      message={t('people:import.checked', { good: people.length, faults: faults.length })}
      description={
        faults.length > 0 && (
          <ul className={styles.faults}>
            {faults.slice(0, SHOWN_FAULTS).map(({ line, column, value, reason }) => (
              <li key={`${line} ${column} ${reason}`}>
                {t('people:import.fault', {
                  line,
                  column: titleOf(column),
                  value: value === '' ? t('people:import.blank') : value,
                  reason: reasonWords(reason),
                })}
              </li>
            ))}
          </ul>
        )
      }
    />
  )
}
