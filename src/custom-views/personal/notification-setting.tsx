import { useQuery } from '@tanstack/react-query'
import { Card, Switch, Checkbox, Select } from 'antd'
import { type FC, useRef } from 'react'
import { loadNamespaces, t as tNow, useT, t } from '../../lib/i18n/i18n.ts'
import { personalQuery, savePersonalConfig } from '../../data/personal.ts'
import { Page } from '../../ui/page/page.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import personal from './personal.module.css'
import { Settings } from './settings.tsx'
import { InstallHint } from '../../domain/install/install-hint.tsx'
import page from '../../ui/page/page.module.css'
import { useAction } from '../../data/use-action.ts'
import type { PersonalConfig } from '../../../contract/people/personal-calls.ts'
import {
  NOTIFICATION_CATEGORIES,
  NOTIFICATION_SEVERITIES,
  type NotificationCategory,
  type NotificationSeverity,
  type NotificationSettings,
} from '../../../contract/notifications/settings.ts'
import { useMailEnabled } from '../../data/gateway-features.ts'
import choiceStyles from './notification-choices.module.css'
import { QuietHoursChoice } from './quiet-hours-choice.tsx'
import { queryClient } from '../../data/api.ts'

const CHANNELS = ['Push', 'Mail'] as const

/** Settings for notifications by category and channel, and quiet hours; each change is saved at once. */
const NotificationChoices: FC<{ config: PersonalConfig }> = ({ config }) => {
  const t = useT()
  const { change } = useNotificationSettings()
  const { Notifications: settings } = config
  return (
    <>
      <Card className={page.above16} title={t('inbox:settings.what')}>
        <Ways config={config} change={change} />
        <label className={`${page.spread} ${page.tall}`}>
          <span>{t('inbox:settings.least')}</span>
          <Select<NotificationSeverity>
            className={choiceStyles.choice ?? ''}
            aria-label={t('inbox:settings.least')}
            value={settings.Least}
            options={NOTIFICATION_SEVERITIES.toReversed().map((value) => ({
              value,
              label: t(`inbox:settings.leasts.${value}`),
            }))}
            onChange={(Least) => change((now) => ({ ...now, Least }))}
          />
        </label>
        <label className={`${page.spread} ${page.tall}`}>
          <span>{t('inbox:settings.cleared')}</span>
          <Switch
            aria-label={t('inbox:settings.cleared')}
            checked={settings.TellCleared}
            onChange={(TellCleared) => change((now) => ({ ...now, TellCleared }))}
          />
        </label>
        <p className={page.note}>{t('inbox:settings.history')}</p>
      </Card>
      <QuietHoursChoice
        quiet={settings.Quiet}
        change={(edit) => change((now) => ({ ...now, Quiet: edit(now.Quiet) }))}
      />
    </>
  )
}

interface WaysProps {
  config: PersonalConfig
  change: (edit: Edit) => void
}

/** Table of categories and channels. The main switch turns off push for all categories, but not email. */
const Ways: FC<WaysProps> = ({ config, change }) => {
  const t = useT()
  const hasMail = useMailEnabled()
  const { Notification: pushes, Notifications: settings } = config
  const setChannel = (category: NotificationCategory, way: (typeof CHANNELS)[number], isOn: boolean) =>
    change((now) => ({
      ...now,
      Categories: { ...now.Categories, [category]: { ...now.Categories[category], [way]: isOn } },
    }))
  return (
    <>
      <table className={`${page.table} ${page.below12} ${choiceStyles.ways}`}>
        <caption className="visually-hidden">{t('inbox:settings.what')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('inbox:history.columns.category')}</th>
            {CHANNELS.map((way) => (
              <th key={way} scope="col">
                {t(`inbox:settings.ways.${way}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {NOTIFICATION_CATEGORIES.map((category) => (
            <tr key={category}>
              <th scope="row">
                {t(`screens:noticeCategories.${category}`)}
                <small>{t(`inbox:settings.about.${category}`)}</small>
              </th>
              {CHANNELS.map((way) => (
                <td key={way}>
                  <Checkbox
                    aria-label={t('inbox:settings.way', {
                      category: t(`screens:noticeCategories.${category}`),
                      way: t(`inbox:settings.ways.${way}`),
                    })}
                    disabled={way === 'Push' && !pushes}
                    checked={settings.Categories[category][way]}
                    onChange={({ target }) => setChannel(category, way, target.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={`${page.note} ${page.below12}`}>
        {t(pushes ? 'inbox:settings.mailNote' : 'inbox:settings.pushOff')}
        {!hasMail && <> {t('inbox:settings.noMail')}</>}
      </p>
    </>
  )
}

type Edit = (now: NotificationSettings) => NotificationSettings

/**
 * Saves each change of the notification settings at once, one after the other. If another session has changed them meanwhile, the gateway
 * rejects the change and the form shows the present settings.
 */
function useNotificationSettings(): { busy: boolean; change: (edit: Edit) => void } {
  const { busy, run } = useAction(async (edit: Edit, send) => {
    const { Notifications: stored } = await queryClient.ensureQueryData(personalQuery)
    return savePersonalConfig({ Notifications: edit(stored), Seen: { Notifications: stored } }, send)
  })
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const change = (edit: Edit) => {
    line.current = line.current.then(() => run(edit, () => t('personal:updated')))
  }
  return { busy, change }
}

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
    <Page title={t('personal:notification.title')} width="form" className={personal.page}>
      <Card>
        <Settings query={query}>
          {({ Notification }) => (
            <label className={`${page.spread} ${page.tall}`}>
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
        <p className={`${page.note} ${page.below12}`}>{t('personal:notification.note')}</p>
      </Card>
      {query.data && <NotificationChoices config={query.data} />}
      <PushSection />
      <InstallHint className={page.above16} />
    </Page>
  )
}
