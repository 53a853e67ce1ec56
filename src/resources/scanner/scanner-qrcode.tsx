import { PrinterOutlined } from '@ant-design/icons'
import { Button, Card } from 'antd'
import type { FC } from 'react'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import page from '../../ui/page/page.module.css'
import { PassCard } from '../../domain/access/pass-card.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { ScannerFrame } from './scanner-frame.tsx'
import { scannerTopics, setUpCode, usePlace } from './set-up.ts'
import { Page } from '../../ui/page/page.tsx'

/** /ScannerManagement/DeviceQrcodeView/{deviceName}: label with the QR code that a scanner reads to configure its connection. */
export default function ScannerQrcode() {
  return <ScannerFrame>{(scanner) => <Label scanner={scanner} />}</ScannerFrame>
}

const Label: FC<{ scanner: ScannerWithState }> = ({ scanner }) => {
  const t = useT()
  const place = usePlace(scanner)
  const topics = scannerTopics(place)
  return (
    <Page
      title={t('shell:pages.DeviceQrcodeView')}
      width="form"
      actions={
        <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
          {t('access:print')}
        </Button>
      }
    >
      <PassCard
        value={setUpCode(place)}
        label={t('access:scanner.setUpCode', { name: scanner.ScannerName })}
        name={scanner.ScannerName}
        id={scanner.ThingName}
      >
        <span>{t('access:scanner.labelNote')}</span>
      </PassCard>
      <Card size="small" title={t('access:scanner.topics')}>
        <dl className={page.fields}>
          {(['scan', 'decision', 'presence'] as const).map((name) => (
            <div key={name}>
              <dt>{t(`access:topics.${name}`)}</dt>
              <dd>
                <code>{topics[name]}</code>
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </Page>
  )
}
