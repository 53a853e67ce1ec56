import { QRCode } from 'antd'
import type { FC, ReactNode } from 'react'
import styles from '../../ui/page/paper-label.module.css'

/** Code length in characters above which the QR code is drawn larger, so that it stays readable. */
const LONG = 120

/** A pass or label to print: QR code, name and validity. */
export const PassCard: FC<{
  value: string
  label: string
  name: string
  children?: ReactNode
  id: string
}> = ({ value, label, name, children, id }) => (
  <div className={`print-alone print-black ${styles.label}`}>
    <div>
      <QRCode
        aria-label={label}
        value={value}
        size={value.length > LONG ? 280 : 180}
        bordered={false}
        color="#000"
        bgColor="#fff"
        errorLevel="M"
        type="svg"
      />
    </div>
    <div>
      <strong>{name}</strong>
      {children}
      <code>{id}</code>
    </div>
  </div>
)
