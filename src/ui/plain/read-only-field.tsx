import type { IconDefinition } from '@ant-design/icons-svg/es/types'
import type { FC } from 'react'
import { Icon } from './icon.tsx'
import styles from './closed-field.module.css'

/**
 * Placeholder of an Ant Design field that is being fetched: looks like the closed field with its value.
 *
 * icon  shown after the text
 */
export const ReadOnlyField: FC<{ text: string; icon: IconDefinition }> = ({ text, icon }) => (
  <span className={styles.closed} aria-busy="true">
    <span className={styles.text}>{text}</span>
    <Icon of={icon} />
  </span>
)
