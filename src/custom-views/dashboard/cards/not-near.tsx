import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './not-near.module.css'

/** The place of a card that comes when it is near to what is seen; on paper it says why it is empty. */
export function NotNear() {
  const t = useT()
  return (
    <span className={`${page.card} ${styles.place}`} aria-hidden="true">
      <span className={`${page.onPaper} ${page.muted}`}>{t('dashboard:notPrinted')}</span>
    </span>
  )
}
