import { CopyOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { useHubAddress } from '../../data/hub-address.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useMe } from '../../data/session.ts'
import { connectionSettings, settingsAsJson, testCommand } from './connection-settings.ts'
import styles from './hub-credentials.module.css'

/** What a new hub signs in with, shown this once, with the exact settings to type and a command to try them. */
export const HubCredentials: FC<{ thingName: string; homeId: string; secret: string }> = ({
  thingName,
  homeId,
  secret,
}) => {
  const t = useT()
  const rootId = useMe()?.RootCognitoId ?? ''
  const { host, port, tls } = useHubAddress()
  const settings = connectionSettings({ host, port, rootId, homeId, thingName, secret })
  const command = testCommand(settings, tls)
  return (
    <div className={styles.credentials}>
      <Alert type="warning" showIcon message={t('screens:addDevice.once')} />
      <dl>
        {settings.map(({ name, value }) => (
          <div key={name}>
            <dt>{t(`screens:addDevice.settings.${name}`)}</dt>
            <dd>
              <code>{value}</code>
              <Copy value={value} label={t(`screens:addDevice.settings.${name}`)} />
            </dd>
          </div>
        ))}
      </dl>
      <Button icon={<CopyOutlined />} onClick={() => copy(settingsAsJson(settings, tls))}>
        {t('screens:addDevice.copyAll')}
      </Button>
      <p>{t('screens:addDevice.test')}</p>
      <div className={styles.command}>
        <code>{command}</code>
        <Copy value={command} label={t('screens:addDevice.testCommand')} />
      </div>
    </div>
  )
}

const Copy: FC<{ value: string; label: string }> = ({ value, label }) => {
  const t = useT()
  return (
    <Button
      type="text"
      className={styles.copy ?? ''}
      icon={<CopyOutlined />}
      aria-label={t('screens:copy', { what: label })}
      onClick={() => copy(value)}
    />
  )
}

/** Browsers have no clipboard on a page that came without TLS from another machine. */
const copy = (value: string): void =>
  void Promise.resolve(
    navigator.clipboard?.writeText(value) ?? Promise.reject(new Error('no clipboard')),
  ).then(
    () => notices.success(() => t('screens:copied')),
    () => notices.error(() => t('screens:copyFailed')),
  )
