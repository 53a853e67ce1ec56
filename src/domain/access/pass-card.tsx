import { QRCode } from 'antd'
import type { FC, ReactNode } from 'react'
import styles from './access.module.css'

/** Characters from which a code is so fine that it must be drawn larger to be read. */
const LONG = 120

/** A pass or label to print: the code, whose it is, and what it is good for. */
export const PassCard: FC<{
  value: string
  label: string
  name: string
  children?: ReactNode
  id: string
}> = ({ value, label, name, children, id }) => (
  <div className={`${styles.pass} ${styles.print}`}>
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
