import type { FC, ReactNode } from 'react'
import styles from './state-tag.module.css'

/** Meaning of a state; never shown by colour alone, the text states it too. */
export type Tone = 'on' | 'good' | 'warning' | 'alarm' | 'offline' | 'plain'

/** Text of a state after a coloured mark. */
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
