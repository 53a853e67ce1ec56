import { Alert, App, Button, Modal, Progress as Bar, Select } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { MAX_USER_IMPORT, people as calls } from '../../../../contract/procedures/people.ts'
import type { Department } from '../../../../contract/resources/department.ts'
import { displayName } from '../../../../contract/rules/display-name.ts'
import { TEMPLATE_NAMES, type TemplateName } from '../../../../contract/rules/permission-templates.ts'
import { FileRefused, type FileFault } from '../../../lib/spreadsheet/file-fault.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { columnName } from '../../../lib/spreadsheet/column-name.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { call } from '../../../providers/api.ts'
import { describeFailure, describeField } from '../../../providers/failure.ts'
import { t as say, useT } from '../../../providers/i18n.ts'
import { callErrorIn } from '../../../providers/post.ts'
import { refreshAfter } from '../../../ui/crud/refresh-after.ts'
import { ListSkeleton } from '../../../ui/crud/states.tsx'
import { FileButton } from '../../../ui/file-button.tsx'
import { csvOfLines } from '../../../ui/paged-list/csv-of-lines.ts'
import { createPeople, type Progress } from './create-people.ts'
import styles from './import-users.module.css'
import { MOST_BYTES, readFile } from './read-file.ts'
import {
  COLUMNS,
  guessMapping,
  readPeople,
  type CellFault,
  type ColumnName,
  type Known,
  type Mapping,
  type ReadPeople,
} from './read-people.ts'

type State =
  | { step: 'choose'; fault?: FileFault }
  | { step: 'reading' }
  | {
      step: 'map'
      name: string
      grid: Grid
      mapping: Mapping
      checked?: Checked
      checking?: boolean
      error?: unknown
    }
  | { step: 'creating'; of: number; progress: Progress }
  | { step: 'done'; of: number; progress: Progress; saved: boolean }

/** What a dry run found: who can be created, and every broken cell. */
type Checked = Pick<ReadPeople, 'people' | 'faults'>

const SHOWN_LINES = 8
const SHOWN_FAULTS = 100
const TYPES = ['.csv', '.tsv', '.txt', '.xlsx', 'text/csv']
const NONE: Progress = { created: [], failed: [] }

/** An address is no name: what is taken or comes twice is said of it as such. */
const reasonWords = (reason: string): string =>
  reason === 'taken' || reason === 'repeated' ? say(`people:import.${reason}`) : describeField(reason)

/** People from a file: look, map the columns, try, create one after the other, and hand out the initial passwords. */
export const ImportUsers: FC<{ departments: readonly Department[]; close: () => void }> = (props) => {
  const t = useT()
  const { modal } = App.useApp()
  const [state, setState] = useState<State>({ step: 'choose' })
  const stop = useRef(new AbortController())
  useEffect(() => {
    const controller = stop.current
    return () => controller.abort()
  }, [])

  const columnWords: Known<ColumnName> = {
    Email: [t('resources:user.fields.Email'), 'email', 'e-mail', 'mail', '電子郵件', '信箱'],
    FirstName: [t('resources:user.fields.FirstName'), 'firstname', 'givenname', '名', '名字'],
    LastName: [t('resources:user.fields.LastName'), 'lastname', 'familyname', 'surname', '姓', '姓氏'],
    nickname: [t('resources:user.fields.nickname'), '暱稱'],
    Department: [t('resources:user.fields.DepartmentID'), '部門', 'dept'],
    rank: [t('resources:user.fields.rank'), '職級'],
    template: [t('people:import.template'), '權限範本', 'role'],
  }
  const templateWords = Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [
      name,
      [t(`people:templates.${name}`), t(`people:templates.${name}`).split(/[：:]/)[0] ?? ''],
    ]),
  ) as unknown as Known<TemplateName>
  const titleOf = (column: ColumnName) =>
    column === 'template'
      ? t('people:import.template')
      : t(`resources:user.fields.${column === 'Department' ? 'DepartmentID' : column}`)

  const open = async (file: File) => {
    setState({ step: 'reading' })
    try {
      const grid = await readFile(file)
      setState({ step: 'map', name: file.name, grid, mapping: guessMapping(grid[0] ?? [], columnWords) })
    } catch (error) {
      setState({ step: 'choose', fault: error instanceof FileRefused ? error.fault : 'notRead' })
    }
  }

  /** The dry run: what the file itself says, and what the gateway would refuse. */
  const check = async (asked: Extract<State, { step: 'map' }>) => {
    const read = readPeople(asked.grid, asked.mapping, props.departments, templateWords)
    if (read.tooMany) return setState({ step: 'choose', fault: 'tooManyRows' })
    setState({ ...asked, checking: true })
    try {
      const refused = await call(calls.checkUserImport, {
        People: read.people.map(({ person: { Email, DepartmentID, Permissions } }) => ({
          Email,
          DepartmentID,
          Permissions,
        })),
      })
      const cells = { Email: 'Email', DepartmentID: 'Department', Permissions: 'template' } as const
      const more = refused.flatMap(({ Row, Field, Reason }): CellFault[] => {
        const row = read.people[Row]
        const value = asked.grid[(row?.line ?? 0) - 1]?.[asked.mapping[cells[Field]] ?? -1] ?? ''
        return row ? [{ line: row.line, column: cells[Field], value, reason: Reason }] : []
      })
      const broken = new Set(refused.map(({ Row }) => Row))
      setState({
        ...asked,
        checked: {
          people: read.people.filter((_, index) => !broken.has(index)),
          faults: [...read.faults, ...more].toSorted((a, b) => a.line - b.line),
        },
      })
    } catch (error) {
      setState({ ...asked, error })
    }
  }

  const create = async ({ people }: Checked) => {
    setState({ step: 'creating', of: people.length, progress: NONE })
    const progress = await createPeople(
      people,
      (now) => setState({ step: 'creating', of: people.length, progress: now }),
      stop.current.signal,
    )
    setState({ step: 'done', of: people.length, progress, saved: false })
    await refreshAfter('user')
  }

  const passwords = ({ created }: Progress) =>
    csvOfLines([
      [t('resources:user.fields.Email'), t('resources:user.fields.name'), t('people:import.password')],
      ...created.map(({ person, password }) => [person.Email, displayName(person), password]),
    ])

  const leave = () => {
    if (state.step === 'creating') return
    const unsaved = state.step === 'done' && !state.saved && state.progress.created.length > 0
    if (!unsaved) return props.close()
    void modal.confirm({
      title: t('people:import.unsaved'),
      content: t('people:import.once'),
      okText: t('people:import.leave'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      autoFocusButton: 'cancel',
      onOk: props.close,
    })
  }

  return (
    <Modal
      open
      width={880}
      title={t('people:import.title')}
      onCancel={leave}
      closable={state.step !== 'creating'}
      maskClosable={false}
      footer={null}
    >
      <div className={styles.flow}>
        {state.step === 'choose' && (
          <>
            <p>{t('people:import.intro', { most: MAX_USER_IMPORT, megabytes: MOST_BYTES / 2 ** 20 })}</p>
            <FileButton label={t('people:import.file')} accept={TYPES} choose={(file) => void open(file)}>
              {t('people:import.choose')}
            </FileButton>
            {state.fault && (
              <Alert
                showIcon
                type="error"
                message={t(`people:import.faults.${state.fault}`, {
                  most: MAX_USER_IMPORT,
                  megabytes: MOST_BYTES / 2 ** 20,
                })}
              />
            )}
          </>
        )}
        {state.step === 'reading' && <ListSkeleton rows={4} />}
        {state.step === 'map' && (
          <>
            <strong>{state.name}</strong>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
            <div className={styles.scroll} tabIndex={0} role="region" aria-label={t('people:import.preview')}>
              <table>
                <tbody>
                  {state.grid.slice(0, SHOWN_LINES).map((cells, index) => (
                    // oxlint-disable-next-line react/no-array-index-key -- lines of a file never change places
                    <tr key={index}>
                      <th scope="row">{index + 1}</th>
                      {cells.slice(0, 20).map((cell, at) => (
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
                    value={state.mapping[column] ?? null}
                    placeholder={t('people:import.noColumn')}
                    aria-label={titleOf(column)}
                    options={(state.grid[0] ?? []).slice(0, 64).map((title, at) => ({
                      value: at,
                      label: `${columnName(at)} ${title}`,
                    }))}
                    onChange={(at: number | undefined) => {
                      const { [column]: _old, ...rest } = state.mapping
                      setState({
                        step: 'map',
                        name: state.name,
                        grid: state.grid,
                        mapping: at === undefined ? rest : { ...rest, [column]: at },
                      })
                    }}
                  />
                </label>
              ))}
            </div>
            {state.error !== undefined && (
              <Alert showIcon type="error" message={describeFailure(state.error)} />
            )}
            {state.checked && (
              <Alert
                showIcon
                type={state.checked.faults.length > 0 ? 'warning' : 'success'}
                message={t('people:import.checked', {
                  good: state.checked.people.length,
                  faults: state.checked.faults.length,
                })}
                description={
                  state.checked.faults.length > 0 && (
                    <ul className={styles.faults}>
                      {state.checked.faults.slice(0, SHOWN_FAULTS).map(({ line, column, value, reason }) => (
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
            )}
            <div className={styles.buttons}>
              <Button onClick={() => setState({ step: 'choose' })}>{t('people:import.other')}</Button>
              <Button
                type={state.checked ? 'default' : 'primary'}
                loading={state.checking ?? false}
                disabled={state.mapping.Email === undefined}
                onClick={() => void check(state)}
              >
                {t('people:import.check')}
              </Button>
              {state.checked && state.checked.people.length > 0 && (
                <Button type="primary" onClick={() => state.checked && void create(state.checked)}>
                  {t('people:import.create', { count: state.checked.people.length })}
                </Button>
              )}
            </div>
          </>
        )}
        {state.step === 'creating' && (
          <div role="status">
            <Bar
              percent={Math.floor(
                ((state.progress.created.length + state.progress.failed.length) / state.of) * 100,
              )}
              aria-label={t('people:import.creating')}
            />
            <div className={styles.buttons}>
              <span>{t('people:import.creating')}</span>
              <Button onClick={() => stop.current.abort()}>{t('people:import.stop')}</Button>
            </div>
          </div>
        )}
        {state.step === 'done' && (
          <>
            <Alert
              showIcon
              type={state.progress.created.length === state.of ? 'success' : 'warning'}
              message={t('people:import.done', { count: state.progress.created.length, of: state.of })}
              description={t('people:import.once')}
            />
            {state.progress.failed.length > 0 && (
              <ul className={styles.faults}>
                {state.progress.failed.map(({ line, person, error }) => {
                  const [reason] = Object.values(callErrorIn(error)?.fields ?? {})
                  return (
                    <li key={line}>
                      {t('people:import.failed', {
                        line,
                        email: person.Email,
                        reason: reason ? reasonWords(reason) : describeFailure(error),
                      })}
                    </li>
                  )
                })}
              </ul>
            )}
            <div className={styles.buttons}>
              {state.progress.created.length > 0 && (
                <Button
                  type="primary"
                  onClick={() => {
                    saveFile(
                      `${t('people:import.passwords')}.csv`,
                      passwords(state.progress),
                      'text/csv;charset=utf-8',
                    )
                    setState({ ...state, saved: true })
                  }}
                >
                  {t('people:import.download')}
                </Button>
              )}
              <Button onClick={leave}>{t('screens:close')}</Button>
            </div>
          </>
        )}
      </div>
    </Modal>
  )
}
