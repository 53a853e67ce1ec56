import { Button } from 'antd'
import dayjs from 'dayjs'
import { useEffect } from 'react'
import { notices, useBell } from '../../data/notices.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { usePhone } from '../../ui/page/use-phone.ts'
import styles from './bell-panel.module.css'
import { Newest } from './latest.tsx'
import { Drawer } from '../../ui/dialog/dialog.tsx'

/** Panel with the user's notifications, and below them background errors of this browser. */
export default function BellPanel({ onClose }: { onClose: () => void }) {
  const t = useT()
  const phone = usePhone()
  return (
    <Drawer
      focusAtFirst="dialog"
      open
      onClose={onClose}
      title={t('inbox:panel.title')}
      placement={phone ? 'bottom' : 'right'}
      {...(phone ? { height: '85dvh' } : { width: 440 })}
    >
      <Newest close={onClose} />
      <OfThisBrowser />
    </Drawer>
  )
}

/** Errors of this browser; showing them marks them as read. */
function OfThisBrowser() {
  const t = useT()
  const list = useBell()
  useEffect(() => {
    notices.readAll()
  }, [])
  if (list.length === 0) return null
  return (
    <section aria-label={t('inbox:panel.browser')} className={styles.browser}>
      <div className={styles.tools}>
        <h2>{t('inbox:panel.browser')}</h2>
        <Button size="small" onClick={notices.clear}>
          {t('inbox:panel.clear')}
        </Button>
      </div>
      <ul className={styles.list}>
        {list.map((notice) => (
          <li key={notice.id} className={styles.notice}>
            <p>{notice.text()}</p>
            {notice.detail && <code>{notice.detail}</code>}
            <time dateTime={new Date(notice.at).toISOString()}>
              {dayjs(notice.at).format('YYYY-MM-DD HH:mm:ss')}
            </time>
          </li>
        ))}
      </ul>
    </section>
  )
}
