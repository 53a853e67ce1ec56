import type { FC } from 'react'
import page from '../page/page.module.css'
import styles from './skeleton.module.css'

/** The shape of words or of lines while they load. */
export const Skeleton: FC<{ rows: number }> = ({ rows }) => (
  <div className={page.tightStack} aria-busy="true">
    {Array.from({ length: rows }, (_, row) => (
      <span key={row} className={styles.line} />
    ))}
  </div>
)

/** The shape of a figure or a picture while it loads; the class gives it its height. */
export const SkeletonBox: FC<{ className: string | undefined }> = ({ className = '' }) => (
  <div className={`${styles.box} ${className}`} aria-busy="true" />
)

/** The shape of what a part that is marked as busy will show: the rest of a card, unless a class gives it another size. */
export const Bone: FC<{ className?: string | undefined }> = ({ className = styles.rest ?? '' }) => (
  <span className={`${styles.bone} ${className}`} aria-hidden="true" />
)
