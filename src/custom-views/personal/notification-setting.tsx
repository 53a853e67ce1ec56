import { useQuery } from '@tanstack/react-query'
import { Card, Switch } from 'antd'
import { loadNamespaces, t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { personalQuery, savePersonalConfig } from '../../data/personal.ts'
import { lazyPart } from '../../ui/page/lazy.tsx'
import styles from './personal.module.css'
import { NotificationChoices } from './notification-choices.tsx'
import { Settings } from './settings.tsx'
import { InstallHint } from '../../domain/install/install-hint.tsx'
import page from '../../ui/page/page.module.css'
import { useAction } from '../../data/use-action.ts'

const PushSection = lazyPart(
  async () => (await Promise.all([import('./push-section.tsx'), loadNamespaces(['push'])]))[0],
)

/**
 * Notification settings: main switch, categories, channels and quiet hours, stored with the account; below them the push state of this
 * browser and the user's others.
 */
export default function NotificationSetting() {
  const t = useT()
  const query = useQuery(personalQuery)
  const { busy, run } = useAction(savePersonalConfig)
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
      {query.data && <NotificationChoices config={query.data} />}
      <PushSection />
      <InstallHint className={page.above16} />
    </section>
  )
}
