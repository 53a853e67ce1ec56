import { LockOutlined, UnlockOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type CarbonReport, reports } from '../../../contract/reports/calls.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import page from '../../ui/page/page.module.css'

/** Closes or reopens a carbon report; shows why it cannot be closed yet. */
export function CloseReport({ report }: { report: CarbonReport }) {
  const t = useT()
  const mayClose = useMay('electricity', 'Update')
  const mayReopen = useMay('electricity', 'Delete')
  const closing = useAction(reports.closeReport)
  const reopening = useAction(reports.reopenReport)
  const { HomeID, Kind, Period, Closed, Lacks } = report
  const key = { HomeID, Kind, Period }
  const asked = { year: Period }
  if (Closed)
    return mayReopen ? (
      <Button
        icon={<UnlockOutlined />}
        loading={reopening.busy}
        onClick={() =>
          confirm({
            title: t('report:close.reopenTitle', asked),
            content: t('report:close.reopenText'),
            okText: t('report:close.reopen'),
            okButtonProps: { danger: true },
            cancelText: t('screens:cancel'),
            onOk: async () => {
              if (await reopening.run(key)) notices.success(() => tNow('report:close.reopened', asked))
            },
          })
        }
      >
        {t('report:close.reopen')}
      </Button>
    ) : null
  if (!mayClose) return null
  if (Lacks.length) return <span className={page.hint}>{t('report:close.lacks')}</span>
  return (
    <Button
      icon={<LockOutlined />}
      loading={closing.busy}
      onClick={() =>
        confirm({
          title: t('report:close.title', asked),
          content: t('report:close.text'),
          okText: t('report:close.ok'),
          cancelText: t('screens:cancel'),
          onOk: async () => {
            if (await closing.run(key)) notices.success(() => tNow('report:close.done', asked))
          },
        })
      }
    >
      {t('report:close.ok')}
    </Button>
  )
}
