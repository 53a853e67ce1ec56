import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './not-near.module.css'
import { Bone } from '../../../ui/plain/skeleton.tsx'

/**
 * The place and title of a card that has not been loaded, in the size of the card; on paper it says why it is empty. It is not busy:
 * a card below the fold is loaded when it comes near.
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
