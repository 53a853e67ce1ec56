import { Alert, Button, Progress as Bar } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { UploadOutlined } from '@ant-design/icons'
import { MAX_USER_IMPORT } from '../../../../contract/people/calls.ts'
import type { Department } from '../../../../contract/people/department.ts'
import { FileRefused, type FileFault } from '../../../lib/spreadsheet/file-fault.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { confirm } from '../../../ui/page/dialogs.ts'
import { ListSkeleton } from '../../../ui/page/states.tsx'
import { FileButton } from '../../../ui/inputs/file-button.tsx'
import {
  type ImportCheck,
  checkPeople,
  MapColumns,
  type ColumnMapping,
  useImportWords,
  reasonWords,
} from './map-columns.tsx'
import { createPeople, type ImportProgress } from './create-people.ts'
import page from '../../../ui/page/page.module.css'
import { guessMapping, readPeople } from './read-people.ts'
import { Modal } from '../../../ui/page/dialog.tsx'
import type { TextGrid } from '../../../lib/spreadsheet/grid.ts'
import type { FromReader } from './read.worker.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { describeFailure } from '../../../data/failure.ts'
import { callErrorIn } from '../../../data/post.ts'
import { BYTE_ORDER_MARK, csvText } from '../../../lib/export/text-files.ts'
import { useMay } from '../../../data/session.ts'
import { useDepartments } from '../../../domain/department/use-department-filter.tsx'

/** Lines of text as CSV (RFC 4180, with byte-order mark); spreadsheets do not evaluate its cells as formulas. */
const csvOfLines = (lines: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + lines.map((line) => `${line.map(csvText).join(',')}\r\n`).join('')

interface Props {
  /** Number of people to create. */
  of: number
  progress: ImportProgress
  /** Called once the initial passwords are saved to a file. */
  saved: () => void
  close: () => void
}

/** People who were created and who failed, and the initial passwords, which are shown only once. */
const ImportOutcome: FC<Props> = ({ of, progress: { created, failed }, saved, close }) => {
  const t = useT()
  const savePasswords = () => {
    const passwords = csvOfLines([
      [t('resources:user.fields.Email'), t('resources:user.fields.name'), t('people:import.password')],
      ...created.map(({ person, password }) => [person.Email, displayName(person), password]),
    ])
    saveFile(`${t('people:import.passwords')}.csv`, passwords, 'text/csv;charset=utf-8')
    saved()
  }
  return (
    <>
      <Alert
        showIcon
        type={created.length === of ? 'success' : 'warning'}
        message={t('people:import.done', { count: created.length, of })}
        description={t('people:import.once')}
      />
      {failed.length > 0 && (
        <ul className={`${page.bullets} ${page.scrollBox}`}>
          {failed.map(({ line, person, error }) => {
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
      <div className={page.actions}>
        {created.length > 0 && (
          <Button type="primary" onClick={savePasswords}>
            {t('people:import.download')}
          </Button>
        )}
        <Button onClick={close}>{t('screens:close')}</Button>
      </div>
    </>
  )
}

/** Maximum file size in bytes; five hundred people need far less. */
const MAX_FILE_BYTES = 5 * 2 ** 20
/** Timeout for reading a file, ms. */
const READ_TIMEOUT_MS = 30_000

/** Cells of a CSV or of a workbook's first sheet. Errors: FileRefused. */
async function readFile(file: File): Promise<TextGrid> {
  if (file.size > MAX_FILE_BYTES) throw new FileRefused('tooLarge')
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' })
  let delayTimer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<TextGrid>((resolve, reject) => {
      const refuse = () => reject(new FileRefused('notRead'))
      delayTimer = setTimeout(refuse, READ_TIMEOUT_MS)
      worker.addEventListener('error', refuse, { once: true })
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<FromReader>) =>
          'grid' in data ? resolve(data.grid) : reject(new FileRefused(data.refused)),
        { once: true },
      )
      worker.postMessage(file, [])
    })
  } finally {
    clearTimeout(delayTimer)
    worker.terminate()
  }
}

type State =
  | { step: 'choose'; fault?: FileFault }
  | { step: 'reading' }
  | ({ step: 'map' } & ColumnMapping)
  | { step: 'creating'; of: number; progress: ImportProgress }
  | { step: 'done'; of: number; progress: ImportProgress; saved: boolean }

const TYPES = ['.csv', '.tsv', '.txt', '.xlsx', 'text/csv']
const NONE: ImportProgress = { created: [], failed: [] }
/** Limits of a file, for messages. */
const LIMIT_VALUES = { most: MAX_USER_IMPORT, megabytes: MAX_FILE_BYTES / 2 ** 20 }

/**
 * Dialog that imports users from a file: preview, map the columns, dry run, create one after another, and hand out the initial passwords.
 */
const ImportUsers: FC<{ departments: readonly Department[]; close: () => void }> = (props) => {
  const t = useT()
  const words = useImportWords()
  const [state, setState] = useState<State>({ step: 'choose' })
  const stop = useRef(new AbortController())
  useEffect(() => {
    const controller = stop.current
    return () => controller.abort()
  }, [])

  const open = async (file: File) => {
    setState({ step: 'reading' })
    try {
      const grid = await readFile(file)
      setState({ step: 'map', name: file.name, grid, mapping: guessMapping(grid[0] ?? [], words.columns) })
    } catch (error) {
      setState({ step: 'choose', fault: error instanceof FileRefused ? error.fault : 'notRead' })
    }
  }

  const check = async (mapState: Extract<State, { step: 'map' }>) => {
    const read = readPeople(mapState.grid, mapState.mapping, props.departments, words.templates)
    if (read.tooMany) return setState({ step: 'choose', fault: 'tooManyRows' })
    setState({ ...mapState, checking: true })
    try {
      setState({ ...mapState, checked: await checkPeople(read, mapState.grid, mapState.mapping) })
    } catch (error) {
      setState({ ...mapState, error })
    }
  }

  const create = async ({ people }: ImportCheck) => {
    setState({ step: 'creating', of: people.length, progress: NONE })
    const progress = await createPeople(
      people,
      (now) => setState({ step: 'creating', of: people.length, progress: now }),
      stop.current.signal,
    )
    setState({ step: 'done', of: people.length, progress, saved: false })
  }

  const confirmLeave = () => {
    if (state.step === 'creating') return
    const unsaved = state.step === 'done' && !state.saved && state.progress.created.length > 0
    if (!unsaved) return props.close()
    confirm({
      title: t('people:import.unsaved'),
      content: t('people:import.once'),
      okText: t('people:import.leave'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: props.close,
    })
  }

  return (
    <Modal
      open
      width={880}
      title={t('people:import.title')}
      onCancel={confirmLeave}
      closable={state.step !== 'creating'}
      maskClosable={false}
      footer={null}
    >
      <div className={page.stack}>
        {state.step === 'choose' && (
          <>
            <p>{t('people:import.intro', LIMIT_VALUES)}</p>
            <FileButton label={t('people:import.file')} accept={TYPES} choose={(file) => void open(file)}>
              {t('people:import.choose')}
            </FileButton>
            {state.fault && (
              <Alert showIcon type="error" message={t(`people:import.faults.${state.fault}`, LIMIT_VALUES)} />
            )}
          </>
        )}
        {state.step === 'reading' && <ListSkeleton rows={4} />}
        {state.step === 'map' && (
          <MapColumns
            file={state}
            titleOf={words.titleOf}
            change={(mapping) => setState({ step: 'map', name: state.name, grid: state.grid, mapping })}
            onOtherFile={() => setState({ step: 'choose' })}
            check={() => void check(state)}
            create={(checked) => void create(checked)}
          />
        )}
        {state.step === 'creating' && (
          <div role="status">
            <Bar
              percent={Math.floor(
                ((state.progress.created.length + state.progress.failed.length) / state.of) * 100,
              )}
              aria-label={t('people:import.creating')}
            />
            <div className={page.actions}>
              <span>{t('people:import.creating')}</span>
              <Button onClick={() => stop.current.abort()}>{t('people:import.stop')}</Button>
            </div>
          </div>
        )}
        {state.step === 'done' && (
          <ImportOutcome
            of={state.of}
            progress={state.progress}
            saved={() => setState({ ...state, saved: true })}
            close={confirmLeave}
          />
        )}
      </div>
    </Modal>
  )
}

/** Button that imports users from a file; needs the right to create users. */
export function ImportButton() {
  const t = useT()
  const mayCreate = useMay('user', 'Create')
  const departments = useDepartments()
  const [importing, setImporting] = useState(false)
  if (!mayCreate) return null
  return (
    <>
      <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>
        {t('people:import.button')}
      </Button>
      {importing && <ImportUsers departments={departments} close={() => setImporting(false)} />}
    </>
  )
}
