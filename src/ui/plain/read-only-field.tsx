import type { IconDefinition } from '@ant-design/icons-svg/es/types'
import type { FC } from 'react'
import { Icon } from './icon.tsx'
import styles from './closed-field.module.css'

/**
 * Stands in the place of a field of Ant Design that is being fetched: as it looks while it is closed, with what is chosen in it.
 *
 * icon  that stands behind it
 */
export const ReadOnlyField: FC<{ text: string; icon: IconDefinition }> = ({ text, icon }) => (
  <span className={styles.closed} aria-busy="true">
    <span className={styles.text}>{text}</span>
    <Icon of={icon} />
  </span>
)
