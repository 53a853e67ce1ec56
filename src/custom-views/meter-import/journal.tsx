import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import type { FC } from 'react'
import { meterImports, type MeterImport } from '../../../contract/meters/import-calls.ts'
import { formatWhen } from '../../lib/format-when.ts'
import { call, callQuery } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { t as tNow, useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'

/** Imports of a home, newest first, each with an undo button. */
export const Journal: FC<{ homeId: string; zone: string }> = ({ homeId, zone }) => {
  const t = useT()
  const query = useQuery(callQuery(meterImports.listMeterImport, { HomeID: homeId }))
  if (query.error && !query.data) return <LoadFailed error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <ListSkeleton rows={3} />
  if (query.data.length === 0) return <EmptyState why={t('meterImport:journalEmpty')} />
  return (
    <ul className={styles.journal}>
      {query.data.map((each) => (
        <JournalLine key={each.MeterImportID} line={each} zone={zone} />
      ))}
    </ul>
  )
}

const JournalLine: FC<{ line: MeterImport; zone: string }> = ({ line, zone }) => {
  const t = useT()
  const language = useLanguage()
  const number = new Intl.NumberFormat(language)
  const undone = line.State === 'undone'
  return (
    <li>
      <div>
        <strong>{line.FileName}</strong> <Tag>{t(`meterImport:kinds.${line.Kind}`)}</Tag>
        {undone && <Tag>{t('meterImport:undone', { by: line.UndoneBy ?? '' })}</Tag>}
        <div className={page.note}>
          {t('meterImport:journalLine', {
            added: number.format(line.Added),
            rows: number.format(line.Rows),
            meters: line.Meters,
            by: line.By,
            at: formatWhen(line.CommittedAt ?? line.CreatedAt, language, zone),
          })}
        </div>
      </div>
      {!undone && <UndoButton done={line} />}
    </li>
  )
}

export const UndoButton: FC<{ done: MeterImport; undone?: () => void }> = ({ done, undone }) => {
  const t = useT()
  const may = useMay('electricity', 'Update')
  if (!may) return null
  const { HomeID, MeterImportID, FileName, Added } = done
  const undo = async () => {
    try {
      await call(meterImports.undoMeterImport, { HomeID, MeterImportID })
      notices.success(() => tNow('meterImport:undoDone', { name: FileName }))
      undone?.()
    } catch (error) {
      notices.error(() => describeFailure(error))
    }
  }
  return (
    <Button
      onClick={() =>
        confirm({
          title: t('meterImport:undoTitle', { name: FileName }),
          content: t('meterImport:undoText', { count: Added }),
          okText: t('meterImport:undo'),
          okButtonProps: { danger: true },
          cancelText: t('screens:cancel'),
          onOk: undo,
        })
      }
    >
      {t('meterImport:undo')}
    </Button>
  )
}
