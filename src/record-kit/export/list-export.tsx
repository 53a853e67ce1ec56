import { formatWhole } from '../../../contract/kernel/numbers.ts'
import { DownloadOutlined, LoadingOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Right } from '../../../contract/kernel/permissions.ts'
import { faultOf } from '../../lib/export/fault.ts'
import type { ListFormat } from '../../lib/export/list-file.ts'
import { useStore } from '../../lib/store.ts'
import { describeFailure, describeRight } from '../../data/failure.ts'
import { useT, t as words } from '../../lib/i18n/i18n.ts'
import { forcedSignOut } from '../../live/session.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useZone } from '../../ui/page/format-when.ts'
import type { ListColumn, ExportedRows } from './columns.ts'
import page from '../../ui/page/page.module.css'

interface Props<Row> {
  /** Name of the list, used as file name. */
  name: string
  /** Right required for the export (§6). */
  right: Right
  columns: readonly ListColumn<Row>[]
  /** Filtered and sorted rows; undefined while they are not known. */
  rows: ExportedRows<Row> | undefined
  /** Total number of rows if they are paged. */
  total?: number | undefined
  /** Time zone of the exported times; defaults to that of the company's lists. */
  zone?: string
}

/**
 * Exports a whole list as CSV or workbook, filtered and sorted. A click during the export cancels it, as do leaving the page and losing the
 * right, which shows a notice; the browser asks before it is closed.
 */
export function ListExport<Row>({ name, right, columns, rows, total, zone }: Props<Row>) {
  const t = useT()
  const defaultZone = useZone()
  const may = useMay(right.feature, right.operation)
  const [progress, setProgress] = useState<{ doneCount: number; total: number }>()
  const work = useRef<AbortController | undefined>(undefined)
  const isRunning = progress !== undefined
  const isRefused = useStore(forcedSignOut) !== undefined
  useEffect(() => {
    if (!isRunning) return
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', preventUnload)
    return () => removeEventListener('beforeunload', preventUnload)
  }, [isRunning])
  useEffect(
    () => () => {
      if (!work.current) return
      work.current.abort()
      notices.info(() => words('lists:export.stopped', { name }))
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only on unmount, not when the name changes
    [],
  )
  useEffect(() => {
    if (!isRefused) return
    work.current?.abort()
    work.current = undefined
    setProgress(undefined)
  }, [isRefused])

  if (!may)
    return (
      <Tooltip title={describeRight(right)} trigger={['hover', 'focus', 'click']}>
        <Button aria-disabled icon={<DownloadOutlined aria-hidden />} className={page.stale ?? ''}>
          {t('lists:export.button')}
        </Button>
      </Tooltip>
    )
  const count = typeof rows === 'object' ? rows.length : (total ?? 0)
  const save = async (format: ListFormat) => {
    if (!rows) return
    const controller = new AbortController()
    work.current = controller
    const { signal } = controller
    setProgress({ doneCount: 0, total: count })
    try {
      const { saveList } = await import('./save-list.ts')
      const written = await saveList({
        format,
        name,
        zone: zone ?? defaultZone,
        columns,
        rows,
        signal,
        onProgress: (doneCount, totalCount) =>
          !signal.aborted && setProgress({ doneCount, total: totalCount }),
      })
      if (written !== undefined) notices.success(() => words('lists:export.done', { name, count: written }))
    } catch (error) {
      const isFull = faultOf(error) === 'space'
      if (!signal.aborted)
        notices.error(() => (isFull ? words('lists:export.noSpace', { name }) : describeFailure(error)))
    } finally {
      if (!signal.aborted) {
        work.current = undefined
        setProgress(undefined)
      }
    }
  }
  const stop = () => {
    work.current?.abort()
    work.current = undefined
    setProgress(undefined)
  }
  return (
    <Dropdown
      trigger={progress ? [] : ['click']}
      disabled={count === 0}
      menu={{
        items: [
          { key: 'xlsx', label: t('lists:export.xlsx') },
          { key: 'csv', label: t('lists:export.csv') },
        ],
        onClick: ({ key }) => void save(key as ListFormat),
      }}
    >
      {progress ? (
        <Button icon={<LoadingOutlined aria-hidden />} className={page.figures ?? ''} onClick={stop}>
          {t('lists:export.stop', {
            done: formatWhole(progress.doneCount),
            of: formatWhole(progress.total),
          })}
        </Button>
      ) : (
        <Button icon={<DownloadOutlined aria-hidden />}>{t('lists:export.button')}</Button>
      )}
    </Dropdown>
  )
}
