import { QrcodeOutlined } from '@ant-design/icons'
import { Button, QRCode } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import styles from '../../../ui/page/paper-label.module.css'
import { Modal } from '../../../ui/page/dialog.tsx'

interface Props {
  /** Path of the page that the QR code opens. */
  path: string
  name: string
  /** Location, if known. */
  place?: string | undefined
  id: string
}

/** Printable label with a QR code that opens the page of the device or hub. */
export const DeviceLabel: FC<Props> = (props) => {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon={<QrcodeOutlined />} onClick={() => setOpen(true)}>
        {t('devices:label.show')}
      </Button>
      <Modal
        open={open}
        title={t('devices:label.title')}
        okText={t('devices:label.print')}
        cancelText={t('screens:cancel')}
        onOk={() => window.print()}
        onCancel={() => setOpen(false)}
        destroyOnHidden
      >
        <Label {...props} />
      </Modal>
    </>
  )
}

const Label: FC<Props> = ({ path, name, place, id }) => {
  const t = useT()
  const address = `${location.origin}${path}`
  return (
    <div className={`print-alone print-black ${styles.label}`}>
      <a href={address} aria-label={t('devices:label.code', { name })}>
        <QRCode value={address} size={140} bordered={false} color="#000" bgColor="#fff" errorLevel="M" />
      </a>
      <div>
        <strong>{name}</strong>
        {place && <span>{place}</span>}
        <code>{id}</code>
      </div>
    </div>
  )
}
