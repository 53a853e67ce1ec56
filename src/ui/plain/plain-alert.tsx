import ExclamationCircleFilled from '@ant-design/icons-svg/es/asn/ExclamationCircleFilled.js'
import type { FC, ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './plain-alert.module.css'

interface Props {
  title: ReactNode
  children?: ReactNode
  /** Button or link that helps. */
  action?: ReactNode
}

/** Warning about a part of the page, without Ant Design. */
export const PlainAlert: FC<Props> = ({ title, children, action }) => (
  <div role="alert" className={styles.alert}>
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
