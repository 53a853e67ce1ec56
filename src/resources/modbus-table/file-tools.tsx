import { DownloadOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useRef, type FC } from 'react'
import {
  type ModbusRow,
  type ModbusTable,
  MAX_MODBUS_ROWS,
} from '../../../contract/devices/modbus/modbus-table.ts'
import { saveFile } from '../../lib/save-file.ts'
import { describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { showError } from '../../ui/page/dialogs.ts'
import page from '../../ui/page/page.module.css'
import type { About, FileProblem } from './table-file.ts'
import { replaceRows } from './plain-row.ts'

const MAX_FILE_BYTES = 2 ** 20
/** Maximum number of problems listed. */
const MAX_NAMED = 10

interface Props {
  editable: boolean
  rows: readonly ModbusRow[]
  /** Current table in the form. */
  table: () => Omit<ModbusTable, 'ModbusTableID'>
  fill: (about: About, rows: readonly ModbusRow[]) => void
}

/** Imports a table from a file and exports it: JSON contains the whole table, CSV its rows for a spreadsheet. */
export const FileTools: FC<Props> = ({ editable, rows, table, fill }) => {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)

  const inWords = (problem: FileProblem): string => {
    if ('file' in problem) return t(`modbus:file.${problem.file}`, { most: MAX_MODBUS_ROWS })
    if ('missing' in problem) return t('modbus:file.missingColumn', { column: problem.missing })
    if ('unknown' in problem) return t('modbus:file.unknownColumn', { column: problem.unknown })
    const { row, column, value, reason } = problem
    return t('modbus:file.problem', {
      row,
      column: t('modbus:file.column', { name: t(`modbus:fields.${column}`), column }),
      value,
      reason: describeField(reason),
    })
  }

  const refuse = (name: string, problems: readonly string[]) =>
    showError({
      title: t('modbus:file.problems', { name }),
      okText: t('screens:close'),
      width: 560,
      content: (
        <ul className={page.bullets}>
          {problems.slice(0, MAX_NAMED).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {problems.length > MAX_NAMED && (
            <li>{t('modbus:file.moreProblems', { count: problems.length - MAX_NAMED })}</li>
          )}
        </ul>
      ),
    })

  const read = async (file: File) => {
    if (file.size > MAX_FILE_BYTES) return refuse(file.name, [t('modbus:file.tooLarge')])
    const { readTableFile } = await import('./table-file.ts')
    const imported = readTableFile(new Uint8Array(await file.arrayBuffer()))
    if ('problems' in imported) return refuse(file.name, imported.problems.map(inWords))
    replaceRows(rows.length, () => {
      fill(imported.about, imported.rows)
      notices.success(() => t('modbus:file.imported', { count: imported.rows.length }))
    })
  }

  const write = async (format: 'csv' | 'json') => {
    const { tableToCsv, tableToJson } = await import('./table-file.ts')
    const validTable = table()
    const name = validTable.TableName || 'modbus'
    if (format === 'csv') saveFile(`${name}.csv`, tableToCsv(rows), 'text/csv;charset=utf-8')
    else saveFile(`${name}.json`, tableToJson(validTable), 'application/json')
  }

  return (
    <>
      {editable && (
        <>
          <input
            ref={input}
            type="file"
            accept=".json,.csv,application/json,text/csv"
            hidden
            aria-label={t('modbus:file.import')}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              if (file) void read(file)
            }}
          />
          <Button icon={<UploadOutlined />} onClick={() => input.current?.click()}>
            {t('modbus:file.import')}
          </Button>
        </>
      )}
      <Dropdown
        disabled={rows.length === 0}
        trigger={['click']}
        menu={{
          items: (['csv', 'json'] as const).map((format) => ({
            key: format,
            label: t(`modbus:file.${format}`),
          })),
          onClick: ({ key }) => void write(key as 'csv' | 'json'),
        }}
      >
        <Button icon={<DownloadOutlined />}>{t('modbus:file.export')}</Button>
      </Dropdown>
    </>
  )
}
