import { PrinterOutlined, DownloadOutlined } from '@ant-design/icons'
import { Button, Card, Segmented, Select, Tooltip } from 'antd'
import { Link } from 'react-router'
import { REPORT_KINDS, type Report, type ReportKind } from '../../../contract/reports/calls.ts'
import type { ReportDocument } from '../../../contract/reports/document.ts'
import { describeRight } from '../../data/failure.ts'
import { useHomes } from '../../data/homes.ts'
import { useMay } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/words.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import { CloseReport } from './close-report.tsx'
import { SendReport } from './send-report.tsx'
import styles from './report.module.css'
import { periodsOf, type ReportAddress } from './use-report-address.ts'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'
import { useAction } from '../../data/use-action.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { reportWorkbook } from './report-workbook.ts'

interface Props {
  address: ReportAddress
  go: (changes: Partial<ReportAddress>) => void
  now: number
  zone: string
  /** Undefined while it loads. */
  report: Report | undefined
  document: ReportDocument | undefined
}

/** Value of the select for the whole company. */
const COMPANY = ''

/** Selects the report, with its actions. */
export function ReportTools({ address, go, now, zone, report, document }: Props) {
  const t = useT()
  const date = useFormatDate()
  const homes = useHomes() ?? []
  const { HomeID, Kind, Period, Language } = address
  const periods = periodsOf(Kind, now, zone)
  const mayPlan = useMay('company', 'Read')
  return (
    <Card className={styles.screen ?? ''}>
      <div className={page.tightStack}>
        <div className={page.wideRow}>
          <Segmented<ReportKind>
            aria-label={t('report:tools.kind')}
            value={Kind}
            onChange={(next) => go({ Kind: next })}
            options={REPORT_KINDS.map((kind) => ({ value: kind, label: t(`report:kinds.${kind}`) }))}
          />
          <Select
            aria-label={t('report:tools.site')}
            value={HomeID ?? COMPANY}
            popupMatchSelectWidth={false}
            showSearch
            filterOption={holdsLabel}
            onChange={(id) => go({ HomeID: id === COMPANY ? null : id })}
            options={[
              { value: COMPANY, label: t('report:tools.company') },
              ...homes.map((home) => ({ value: home.HomeID, label: home.HomeName })),
            ]}
          />
          <Select
            aria-label={t('report:tools.period')}
            value={Period}
            popupMatchSelectWidth={false}
            onChange={(next) => go({ Period: next })}
            options={[...new Set([...periods, Period])].map((one) => ({ value: one, label: date(one) }))}
          />
          <Select
            aria-label={t('report:tools.language')}
            value={Language}
            onChange={(next) => go({ Language: next })}
            options={LANGUAGES.map((one) => ({ value: one, label: t(`report:languages.${one}`) }))}
          />
        </div>
        <div className={page.wideRow}>
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
  const { busy, run } = useAction(async (shown: ReportDocument) => {
    const { name, blob } = await reportWorkbook(shown, t('report:tools.value'))
    saveBlob(name, blob)
  })
  if (!may) return null
  return (
    <Button icon={<DownloadOutlined />} loading={busy} disabled={disabled} onClick={() => void run(document)}>
      {t('report:tools.save')}
    </Button>
  )
}
