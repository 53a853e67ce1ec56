import type { FC } from 'react'
import page from './page.module.css'
import styles from './skeleton.module.css'

/** The shape of words or of lines while they load. */
export const Skeleton: FC<{ rows: number }> = ({ rows }) => (
  <div className={page.tightStack} aria-busy="true">
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} className={styles.line} />
    ))}
  </div>
)
