import { Bone } from '../../../ui/page/skeleton.tsx'
import styles from '../common/dashboard.module.css'

export const FiguresSkeleton = () => (
  <div className={styles.skeleton} aria-hidden="true">
    <Bone className={styles.boneLarge} />
    <span className={styles.bones}>
      {[1, 2, 3, 4].map((n) => (
        <Bone key={n} className={styles.bone} />
      ))}
    </span>
  </div>
)
