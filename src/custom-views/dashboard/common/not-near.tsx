import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './not-near.module.css'
import { Bone } from '../../../ui/page/skeleton.tsx'

/**
 * Placeholder with the title and size of a card that has not loaded; in print it states why it is empty. Not marked busy, because a card
 * below the fold loads only when it comes near.
 */
export function NotNear({ title }: { title: string }) {
  const t = useT()
  return (
    <div className={`${page.card} ${styles.place}`}>
      <h2>{title}</h2>
      <Bone />
      <span className={`${page.onPaper} ${page.muted}`}>{t('dashboard:notPrinted')}</span>
    </div>
  )
}
