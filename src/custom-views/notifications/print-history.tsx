import { PrinterOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState, type FC } from 'react'
import { createPortal } from 'react-dom'
import { type Notification, notifications } from '../../../contract/notifications/calls.ts'
import type { ResultsOf } from '../../data/api.ts'
import { useHomes } from '../../data/homes.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useSentences } from '../../shell/notifications/use-sentences.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './history.module.css'
import type { HistoryFilter } from './use-history-filter.tsx'
import page from '../../ui/page/page.module.css'

/** Maximum number of printed notifications. */
const MAX_ROWS = 500

interface Props {
  HomeID: string
  filter: HistoryFilter
}
type Answer = ResultsOf<typeof notifications.listNotification>

/** Prints the newest 500 notifications that match the filters. */
export const PrintHistory: FC<Props> = ({ HomeID, filter }) => {
  const t = useT()
  const [answer, setAnswer] = useState<Answer>()
  const { busy, run } = useAction(async (_: null, send) =>
    setAnswer(await send(notifications.listNotification, { ...filter.input, Limit: MAX_ROWS })),
  )
  return (
    <>
      <Button
        icon={<PrinterOutlined />}
        loading={busy || answer !== undefined}
        onClick={() => void run(null)}
      >
        {t('inbox:history.print')}
      </Button>
      {answer && (
        <Printed
          answer={answer}
          HomeID={filter.isOfAll ? undefined : HomeID}
          onDone={() => setAnswer(undefined)}
        />
      )}
    </>
  )
}

interface PrintedProps {
  answer: Answer
  /** Undefined for all homes. */
  HomeID: string | undefined
  onDone: () => void
}

const Printed: FC<PrintedProps> = ({ answer: { Rows, Total }, HomeID, onDone }) => {
  const t = useT()
  const now = useNow()
  const { fullWhen: when } = useFormatWhen()
  const homes = useHomes()
  useEffect(() => {
    window.addEventListener('afterprint', onDone, { once: true })
    window.print()
    return () => window.removeEventListener('afterprint', onDone)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- printed once
  }, [])
  const name = homes?.find((home) => home.HomeID === HomeID)?.HomeName ?? t('inbox:history.allHomes')
  const title = t('inbox:history.printed', { home: name })
  return createPortal(
    <section className={`print-alone print-black ${page.onPaper} ${styles.printed}`} aria-label={title}>
      <h1>{title}</h1>
      <p>{t('inbox:history.printedAt', { at: when(now), count: Rows.length, total: Total })}</p>
      <table className={page.fill}>
        <thead>
          <tr>
            <th scope="col">{t('inbox:history.columns.at')}</th>
            <th scope="col">{t('screens:severity')}</th>
            <th scope="col">{t('inbox:history.columns.category')}</th>
            <th scope="col">{t('inbox:history.columns.what')}</th>
          </tr>
        </thead>
        <tbody>
          {Rows.map((row) => (
            <PrintedRow key={row.NotificationID} row={row} />
          ))}
        </tbody>
      </table>
    </section>,
    document.body,
  )
}

const PrintedRow: FC<{ row: Notification }> = ({ row }) => {
  const t = useT()
  const { fullWhen: when } = useFormatWhen()
  const { title, body } = useSentences()(row)
  return (
    <tr>
      <td>{when(row.At)}</td>
      <td>{t(`screens:severities.${row.Severity}`)}</td>
      <td>{t(`screens:noticeCategories.${row.Category}`)}</td>
      <td>
        {title}
        {body !== '' && <small>{body}</small>}
      </td>
    </tr>
  )
}
