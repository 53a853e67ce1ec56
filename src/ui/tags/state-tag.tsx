import type { FC, ReactNode } from 'react'
import styles from './state-tag.module.css'

/** What a state means; never told by colour alone: the words say it too. */
export type Tone = 'on' | 'good' | 'warning' | 'alarm' | 'offline' | 'plain'

/** A state in words with a coloured mark before it. */
export const StateTag: FC<{ tone: Tone; icon?: ReactNode; children: ReactNode }> = ({
  tone,
  icon,
  children,
}) => (
  <span className={`${styles.tag} ${styles[tone] ?? ''}`}>
    {icon ?? <span className={styles.dot} aria-hidden />}
    {children}
  </span>
)
