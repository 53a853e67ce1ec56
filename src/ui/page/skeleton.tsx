import type { FC } from 'react'
import page from './page.module.css'
import styles from './skeleton.module.css'

/** Placeholder of text or lines while they load. */
export const Skeleton: FC<{ rows: number }> = ({ rows }) => (
  <div className={page.tightStack} aria-busy="true">
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} className={styles.line} />
    ))}
  </div>
)

/** Placeholder of a figure or a picture while it loads; the class sets its height. */
export const SkeletonBox: FC<{ className: string | undefined }> = ({ className = '' }) => (
  <div className={`${styles.box} ${className}`} aria-busy="true" />
)

/** Placeholder of the content of a part that is marked as busy: fills the rest of a card, unless a class sets another size. */
export const Bone: FC<{ className?: string | undefined }> = ({ className = styles.rest ?? '' }) => (
  <span className={`${styles.bone} ${className}`} aria-hidden="true" />
)
