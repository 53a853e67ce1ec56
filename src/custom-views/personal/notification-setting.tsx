import { useQuery } from '@tanstack/react-query'
import { Card, Switch } from 'antd'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { personalQuery, savePersonalConfig } from '../../data/personal.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import styles from './personal.module.css'
import { Settings } from './settings.tsx'
import { useBrowserPermission } from './use-browser-permission.ts'
import { InstallHint } from '../../domain/install/install-hint.tsx'
import { useAction } from '../../data/use-action.ts'

/**
 * Whether the person wants notifications. The choice is kept with their account; the page says what that does and does
 * not do, and how this browser stands to notifications.
 */
export default function NotificationSetting() {
  const t = useT()
  const query = useQuery(personalQuery)
  const { busy, run } = useAction(savePersonalConfig)
  const permission = useBrowserPermission()
  return (
    <section className={styles.page}>
      <h1>{t('personal:notification.title')}</h1>
      <Card>
        <Settings query={query}>
          {({ Notification }) => (
            <label className={styles.row}>
              <span>{t('personal:notification.receive')}</span>
              <Switch
                checked={Notification}
                loading={busy}
                aria-label={t('personal:notification.receive')}
                onChange={(next) => void run({ Notification: next }, () => tNow('personal:updated'))}
              />
            </label>
          )}
        </Settings>
        <p className={styles.note}>{t('personal:notification.note')}</p>
      </Card>
      <Card className={page.above16} title={t('personal:notification.browser')}>
        <StateTag tone={permission === 'granted' ? 'good' : permission === 'denied' ? 'warning' : 'plain'}>
          {t(`personal:notification.permission.${permission}`)}
        </StateTag>
        <p className={styles.last}>{t(`personal:notification.explain.${permission}`)}</p>
      </Card>
      <InstallHint className={page.above16} />
    </section>
  )
}
