import { DownloadOutlined, LoadingOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { Right } from '../../../contract/kernel/permissions.ts'
import { faultOf } from '../../lib/export/fault.ts'
import type { ListFormat } from '../../lib/export/list-file.ts'
import { useStore } from '../../lib/store.ts'
import { describeFailure, describeRight } from '../../data/failure.ts'
import { useLanguage, useT, t as words } from '../../lib/i18n/i18n.ts'
import { forcedSignOut } from '../../live/live.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useZone } from '../../ui/page/use-zone.ts'
import type { ListColumn, ExportedRows } from './columns.ts'
import styles from './list-export.module.css'

interface Props<Row> {
  /** Of the file: what the list is called. */
  name: string
  /** Who may take the list away (§6). */
  right: Right
  columns: readonly ListColumn<Row>[]
  /** The list as it is filtered and sorted; undefined while it is not known. */
  rows: ExportedRows<Row> | undefined
  /** How many rows there are, where they come in pages. */
  total?: number | undefined
  /** The clock that moments are shown on; that of the company's lists when left out. */
  zone?: string
}

/**
 * A list as a CSV or a workbook: all of it, as it is filtered and sorted. A click while it is made stops it; so does leaving the
 * page or losing rights, of which the person is told, and a browser that is closed asks first.
 */
export function ListExport<Row>({ name, right, columns, rows, total, zone }: Props<Row>) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  const own = useZone()
  const may = useMay(right.feature, right.operation)
  const [progress, setProgress] = useState<{ done: number; of: number }>()
  const work = useRef<AbortController | undefined>(undefined)
  const isRunning = progress !== undefined
  const isRefused = useStore(forcedSignOut) !== undefined
  useEffect(() => {
    if (!isRunning) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isRunning])
  useEffect(
    () => () => {
      if (!work.current) return
      work.current.abort()
      notices.info(() => words('lists:export.stopped', { name }))
    },
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when the page is left, not when the list is called otherwise
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
        <Button aria-disabled icon={<DownloadOutlined aria-hidden />} className={styles.denied ?? ''}>
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
    setProgress({ done: 0, of: count })
    try {
      const { saveList } = await import('./save-list.ts')
      const written = await saveList({
        format,
        name,
        zone: zone ?? own,
        columns,
        rows,
        signal,
        onProgress: (done, of) => !signal.aborted && setProgress({ done, of }),
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
        <Button icon={<LoadingOutlined aria-hidden />} className={styles.progress ?? ''} onClick={stop}>
          {t('lists:export.stop', { done: number.format(progress.done), of: number.format(progress.of) })}
        </Button>
      ) : (
        <Button icon={<DownloadOutlined aria-hidden />}>{t('lists:export.button')}</Button>
      )}
    </Dropdown>
  )
}
