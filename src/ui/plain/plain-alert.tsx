import ExclamationCircleFilled from '@ant-design/icons-svg/es/asn/ExclamationCircleFilled.js'
import type { FC, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './plain-alert.module.css'

interface Props {
  tone: 'info' | 'warning' | 'alarm'
  title: ReactNode
  children?: ReactNode
  /** What can be done about it. */
  action?: ReactNode
}

/** Something that a person has to know of the page, where Ant Design may not be there. */
export const PlainAlert: FC<Props> = ({ tone, title, children, action }) => (
  <div role="alert" className={styles.alert} data-tone={tone}>
    <span className={styles.sign}>
      <Icon of={ExclamationCircleFilled} />
    </span>
    <div className={styles.words}>
      <div>{title}</div>
      {children && <div>{children}</div>}
    </div>
    {action}
  </div>
)
