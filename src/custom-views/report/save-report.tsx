import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReportDocument } from '../../../contract/reports/document.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { reportWorkbook } from './report-workbook.ts'

interface Props {
  document: ReportDocument
  disabled: boolean
}

/** The tables of a report as a workbook, for who may take energy data away. */
export function SaveReport({ document, disabled }: Props) {
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
