import {
  PrinterOutlined,
  DownloadOutlined,
  LockOutlined,
  UnlockOutlined,
  MailOutlined,
} from '@ant-design/icons'
import { Button, Card, Segmented, Select, Tooltip } from 'antd'
import { Link } from 'react-router'
import { useState } from 'react'
import {
  REPORT_KINDS,
  type Report,
  type ReportKind,
  type CarbonReport,
  reports,
} from '../../../contract/reports/calls.ts'
import type { ReportDocument } from '../../../contract/reports/document.ts'
import { describeRight } from '../../data/failure.ts'
import { useHomes } from '../../data/homes.ts'
import { useMay, useMe } from '../../data/session.ts'
import { useT, t as tNow } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/words.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import styles from './report.module.css'
import { periodsOf, type ReportAddress } from './use-report-address.ts'
import { holdsLabel } from '../../lib/match-words.ts'
import { useAction } from '../../data/use-action.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { reportWorkbook } from './report-workbook.ts'
import { notices } from '../../data/notices.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { PeopleSelect } from '../../domain/access/people-select.tsx'
import { Modal } from '../../ui/page/dialog.tsx'

interface Props {
  address: ReportAddress
  changeAddress: (changes: Partial<ReportAddress>) => void
  now: number
  zone: string
  /** Undefined while it loads. */
  report: Report | undefined
  document: ReportDocument | undefined
}

/** Value of the select for the whole company. */
const COMPANY = ''

/** Selects the report, with its actions. */
export function ReportTools({ address, changeAddress, now, zone, report, document }: Props) {
  const t = useT()
  const date = useFormatDate()
  const homes = useHomes() ?? []
  const { HomeID, Kind, Period, Language } = address
  const periods = periodsOf(Kind, now, zone)
  const mayPlan = useMay('company', 'Read')
  return (
    <Card className={styles.screen ?? ''}>
      <div className={page.fields}>
        <Segmented<ReportKind>
          aria-label={t('report:tools.kind')}
          value={Kind}
          onChange={(next) => changeAddress({ Kind: next })}
          options={REPORT_KINDS.map((kind) => ({ value: kind, label: t(`report:kinds.${kind}`) }))}
        />
        <Select
          aria-label={t('report:tools.site')}
          value={HomeID ?? COMPANY}
          popupMatchSelectWidth={false}
          showSearch
          filterOption={holdsLabel}
          onChange={(id) => changeAddress({ HomeID: id === COMPANY ? null : id })}
          options={[
            { value: COMPANY, label: t('report:tools.company') },
            ...homes.map((home) => ({ value: home.HomeID, label: home.HomeName })),
          ]}
        />
        <Select
          aria-label={t('report:tools.period')}
          value={Period}
          popupMatchSelectWidth={false}
          onChange={(next) => changeAddress({ Period: next })}
          options={[...new Set([...periods, Period])].map((option) => ({
            value: option,
            label: date(option),
          }))}
        />
        <Select
          aria-label={t('report:tools.language')}
          value={Language}
          onChange={(next) => changeAddress({ Language: next })}
          options={LANGUAGES.map((option) => ({ value: option, label: t(`report:languages.${option}`) }))}
        />
        <div className={page.tightRow}>
          <PrintButton disabled={!report || !document} />
          {document && <SaveReport document={document} disabled={!report} />}
          <SendReport address={address} disabled={!report} />
          {report?.Kind === 'carbon' && <CloseReport report={report} />}
          {mayPlan && <Link to={pathTo('ReportPlans')}>{t('shell:pages.ReportPlans')}</Link>}
        </div>
      </div>
    </Card>
  )
}

const EXPORT = { feature: 'electricity_download', operation: 'Export' } as const

function PrintButton({ disabled }: { disabled: boolean }) {
  const t = useT()
  const may = useMay(EXPORT.feature, EXPORT.operation)
  return (
    <Tooltip {...(!may && { title: describeRight(EXPORT) })} trigger={['hover', 'focus', 'click']}>
      <Button
        type="primary"
        icon={<PrinterOutlined />}
        disabled={may && disabled}
        aria-disabled={!may || undefined}
        onClick={() => may && window.print()}
      >
        {t('report:tools.print')}
      </Button>
    </Tooltip>
  )
}

interface SaveReportProps {
  document: ReportDocument
  disabled: boolean
}

/** Saves the tables of a report as a workbook, if the user may export energy data. */
function SaveReport({ document, disabled }: SaveReportProps) {
  const t = useT()
  const may = useMay('electricity_download', 'Export')
  const { busy, run } = useAction(async (report: ReportDocument) => {
    const { name, blob } = await reportWorkbook(report, t('report:tools.value'))
    saveBlob(name, blob)
  })
  if (!may) return null
  return (
    <Button icon={<DownloadOutlined />} loading={busy} disabled={disabled} onClick={() => void run(document)}>
      {t('report:tools.save')}
    </Button>
  )
}

/** Closes or reopens a carbon report; shows why it cannot be closed yet. */
function CloseReport({ report }: { report: CarbonReport }) {
  const t = useT()
  const mayClose = useMay('electricity', 'Update')
  const mayReopen = useMay('electricity', 'Delete')
  const closing = useAction(reports.closeReport)
  const reopening = useAction(reports.reopenReport)
  const { HomeID, Kind, Period, Closed, Lacks } = report
  const key = { HomeID, Kind, Period }
  const addressValues = { year: Period }
  if (Closed)
    return mayReopen ? (
      <Button
        icon={<UnlockOutlined />}
        loading={reopening.busy}
        onClick={() =>
          confirm({
            title: t('report:close.reopenTitle', addressValues),
            content: t('report:close.reopenText'),
            okText: t('report:close.reopen'),
            okButtonProps: { danger: true },
            cancelText: t('screens:cancel'),
            onOk: async () => {
              if (await reopening.run(key))
                notices.success(() => tNow('report:close.reopened', addressValues))
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
          title: t('report:close.title', addressValues),
          content: t('report:close.text'),
          okText: t('report:close.ok'),
          cancelText: t('screens:cancel'),
          onOk: async () => {
            if (await closing.run(key)) notices.success(() => tNow('report:close.done', addressValues))
          },
        })
      }
    >
      {t('report:close.ok')}
    </Button>
  )
}

interface SendReportProps {
  address: ReportAddress
  disabled: boolean
}

/** Sends the report by email to people of the company, each in their own language. */
function SendReport({ address, disabled }: SendReportProps) {
  const t = useT()
  const me = useMe()
  const may = useMay('electricity_download', 'Export')
  const [isOpen, setOpen] = useState(false)
  const [people, setPeople] = useState<string[]>()
  const { busy, run } = useAction(reports.sendReport)
  if (!may) return null
  const recipientIds = people ?? (me ? [me.CognitoId] : [])
  async function send() {
    const { HomeID, Kind, Period } = address
    const result = await run({ HomeID, Kind, Period, Recipients: recipientIds })
    if (!result) return
    setOpen(false)
    if (result.Letters > 0) notices.success(() => tNow('report:send.done', { count: result.Letters }))
    if (result.Skipped.length)
      notices.error(() =>
        tNow('report:send.skipped', { names: result.Skipped.map(({ Name }) => Name).join('、') }),
      )
  }
  return (
    <>
      <Button icon={<MailOutlined />} disabled={disabled} onClick={() => setOpen(true)}>
        {t('report:send.button')}
      </Button>
      <Modal
        open={isOpen}
        title={t('report:send.title')}
        okText={t('report:send.ok')}
        cancelText={t('screens:cancel')}
        confirmLoading={busy}
        okButtonProps={{ disabled: recipientIds.length === 0 }}
        onOk={() => void send()}
        onCancel={() => setOpen(false)}
      >
        <label className={page.intro}>
          <span>{t('report:send.people')}</span>
          <PeopleSelect value={recipientIds} onChange={setPeople} />
        </label>
        <p className={page.hint}>{t('report:send.hint')}</p>
      </Modal>
    </>
  )
}
