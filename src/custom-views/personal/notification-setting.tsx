import { Card, Switch } from 'antd'
import { useT } from '../../providers/i18n.ts'
import { usePersonalConfig } from '../../providers/personal.ts'
import styles from './personal.module.css'
import { useSavePersonal } from './use-save-personal.ts'

/** Whether the person wants notifications. */
export default function NotificationSetting() {
  const t = useT()
  const { Notification } = usePersonalConfig()
  const { busy, save } = useSavePersonal()
  return (
    <section className={styles.page}>
      <h1>{t('screens:notification.title')}</h1>
      <Card>
        <label className={styles.row}>
          <span>{t('screens:notification.receive')}</span>
          <Switch
            checked={Notification}
            loading={busy}
            aria-label={t('screens:notification.receive')}
            onChange={(next) => void save({ Notification: next })}
          />
        </label>
        <p className={styles.note}>{t('screens:notification.note')}</p>
      </Card>
    </section>
  )
}
