import { Alert, Button, Select } from 'antd'
import type { FC } from 'react'
import { columnName } from '../../../lib/spreadsheet/column-name.ts'
import type { TextGrid } from '../../../lib/spreadsheet/grid.ts'
import { describeFailure, describeField } from '../../../data/failure.ts'
import { useT, t as say } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './import-users.module.css'
import {
  COLUMNS,
  type ColumnName,
  type Mapping,
  type CellFault,
  type ReadPeople,
  type KnownPeople,
} from './read-people.ts'
import { people as calls } from '../../../../contract/people/calls.ts'
import { call } from '../../../data/api.ts'
import { TEMPLATE_NAMES, type TemplateName } from '../../../../contract/people/permission-templates.ts'

/** Message for a reason; duplicate emails have messages of their own. */
export const reasonWords = (reason: string): string =>
  reason === 'taken' || reason === 'repeated' ? say(`people:import.${reason}`) : describeField(reason)

/** Names of columns and templates, and the names accepted in files. */
export function useImportWords() {
  const t = useT()
  const columns: KnownPeople<ColumnName> = {
    Email: [t('resources:user.fields.Email'), 'email', 'e-mail', 'mail', '電子郵件', '信箱'],
    FirstName: [t('resources:user.fields.FirstName'), 'firstname', 'givenname', '名', '名字'],
    LastName: [t('resources:user.fields.LastName'), 'lastname', 'familyname', 'surname', '姓', '姓氏'],
    nickname: [t('resources:user.fields.nickname'), '暱稱'],
    Department: [t('resources:user.fields.DepartmentID'), '部門', 'dept'],
    rank: [t('resources:user.fields.rank'), '職級'],
    template: [t('people:import.template'), '權限範本', 'role'],
  }
  const templates = Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [
      name,
      [t(`people:templates.${name}`), t(`people:templates.${name}`).split(/[：:]/)[0] ?? ''],
    ]),
  ) as unknown as KnownPeople<TemplateName>
  const titleOf = (column: ColumnName): string =>
    column === 'template'
      ? t('people:import.template')
      : t(`resources:user.fields.${column === 'Department' ? 'DepartmentID' : column}`)
  return { columns, templates, titleOf }
}

/** Result of a dry run: people that can be created, and all invalid cells. */
export type ImportCheck = Pick<ReadPeople, 'people' | 'faults'>

const CELLS = { Email: 'Email', DepartmentID: 'Department', Permissions: 'template' } as const

/** Completes a dry run: adds the gateway's errors to those found in the file. Errors: CallError. */
export async function checkPeople(read: ReadPeople, grid: TextGrid, mapping: Mapping): Promise<ImportCheck> {
  const refused = await call(calls.checkUserImport, {
    People: read.people.map(({ person: { Email, DepartmentID, Permissions } }) => ({
      Email,
      DepartmentID,
      Permissions,
    })),
  })
  const serverFaults = refused.flatMap(({ Row, Field, Reason }): CellFault[] => {
    const row = read.people[Row]
    const value = grid[(row?.line ?? 0) - 1]?.[mapping[CELLS[Field]] ?? -1] ?? ''
    return row ? [{ line: row.line, column: CELLS[Field], value, reason: Reason }] : []
  })
  const broken = new Set(refused.map(({ Row }) => Row))
  return {
    people: read.people.filter((_, index) => !broken.has(index)),
    faults: [...read.faults, ...serverFaults].toSorted((a, b) => a.line - b.line),
  }
}

const MAX_PREVIEW_LINES = 8
const MAX_PREVIEW_CELLS = 20
const MAX_SHOWN_FAULTS = 100
/** Maximum number of columns offered. */
const MAX_COLUMNS = 64

/** A parsed file with its column mapping. */
export interface ColumnMapping {
  name: string
  grid: TextGrid
  mapping: Mapping
  checked?: ImportCheck
  checking?: boolean
  error?: unknown
}

interface Props {
  file: ColumnMapping
  titleOf: (column: ColumnName) => string
  change: (mapping: Mapping) => void
  onOtherFile: () => void
  check: () => void
  create: (checked: ImportCheck) => void
}

/** First lines of the file, its column mapping, and the result of the dry run. */
export const MapColumns: FC<Props> = ({ file, titleOf, change, onOtherFile, check, create }) => {
  const { name, grid, mapping, checked, checking, error } = file
  const t = useT()
  const choose = (column: ColumnName, at: number | undefined) => {
    const { [column]: _old, ...rest } = mapping
    change(at === undefined ? rest : { ...rest, [column]: at })
  }
  return (
    <>
      <strong>{name}</strong>
      <div
        className={`${page.box} ${page.scroll} ${styles.preview}`}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label={t('people:import.preview')}
      >
        <table>
          <tbody>
            {grid.slice(0, MAX_PREVIEW_LINES).map((cells, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines of a file never change places
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                {cells.slice(0, MAX_PREVIEW_CELLS).map((cell, at) => (
                  // oxlint-disable-next-line react/no-array-index-key -- nor do their cells
                  <td key={at}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className={page.fields}>
        {COLUMNS.map((column) => (
          <label key={column}>
            <span>{titleOf(column)}</span>
            <Select
              allowClear
              value={mapping[column] ?? null}
              placeholder={t('people:import.noColumn')}
              aria-label={titleOf(column)}
              options={(grid[0] ?? []).slice(0, MAX_COLUMNS).map((title, at) => ({
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
      <div className={page.actions}>
        <Button onClick={onOtherFile}>{t('people:import.other')}</Button>
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
          <ul className={`${page.bullets} ${page.scrollBox}`}>
            {faults.slice(0, MAX_SHOWN_FAULTS).map(({ line, column, value, reason }) => (
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
