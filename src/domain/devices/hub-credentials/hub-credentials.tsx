import { Alert } from 'antd'
import type { FC } from 'react'
import { useHubAddress } from '../../../data/hub-address.ts'
import { useMe } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { CopyButton } from '../../../ui/inputs/copy-button.tsx'
import {
  connectionSettings,
  settingsAsJson,
  testCommand,
  type ConnectionSetting,
} from './connection-settings.ts'
import styles from './hub-credentials.module.css'

/** Credentials of a hub, shown only once, with the settings to enter and a test command. */
export const HubCredentials: FC<{ thingName: string; homeId: string; secret: string }> = ({
  thingName,
  homeId,
  secret,
}) => {
  const t = useT()
  const rootId = useMe()?.RootCognitoId ?? ''
  const { host, port, tls } = useHubAddress()
  return (
    <>
      <Alert type="warning" showIcon message={t('screens:addDevice.once')} />
      <SettingList
        settings={connectionSettings({ host, port, rootId, homeId, thingName, secret })}
        tls={tls}
      />
    </>
  )
}

/** All settings one by one, as JSON, and a test command. */
export const SettingList: FC<{ settings: readonly ConnectionSetting[]; tls: boolean }> = ({
  settings,
  tls,
}) => {
  const t = useT()
  const command = testCommand(settings, tls)
  return (
    <div className={styles.credentials}>
      <dl>
        {settings.map(({ name, value }) => (
          <div key={name}>
            <dt>{t(`screens:addDevice.settings.${name}`)}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton value={value} label={t(`screens:addDevice.settings.${name}`)} />
            </dd>
          </div>
        ))}
      </dl>
      <CopyButton value={settingsAsJson(settings, tls)} label={t('screens:addDevice.copyAll')}>
        {t('screens:addDevice.copyAll')}
      </CopyButton>
      <p>{t('screens:addDevice.test')}</p>
      <div className={styles.command}>
        <code>{command}</code>
        <CopyButton value={command} label={t('screens:addDevice.testCommand')} />
      </div>
    </div>
  )
}
