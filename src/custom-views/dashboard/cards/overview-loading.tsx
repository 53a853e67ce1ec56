import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { HomeOverview } from '../use-overview.ts'
import styles from './cards.module.css'
import { Bone } from '../../../ui/plain/skeleton.tsx'

/** What is known of the homes that have loaded; says when some could not be, so that silence is not taken for calm. */
export function Loading({ overview, children }: { overview: readonly HomeOverview[]; children: ReactNode }) {
  const t = useT()
  const known = overview.filter(({ summary }) => summary).length
  const waiting = overview.some(({ summary, error }) => !summary && error === undefined)
  if (waiting) return <Bone />
  return (
    <div className={styles.body}>
      {known > 0 && children}
      {known < overview.length && (
        <p className={styles.warning}>
          {t('dashboard:homesCounted', { counted: known, homes: overview.length })}
        </p>
      )}
    </div>
  )
}
