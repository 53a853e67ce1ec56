import { Alert } from 'antd'
import type { FC } from 'react'
import { useHubAddress } from '../../../data/hub-address.ts'
import { useMe } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { CopyButton } from '../../../ui/inputs/copy-button.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './hub-credentials.module.css'
import { shadowUpdate } from '../../../../contract/devices/channels/shadow.ts'
import { statusReport } from '../../../../contract/devices/channels/control.ts'

export type SettingName = 'host' | 'port' | 'username' | 'password' | 'rootId' | 'homeId' | 'topic'
export interface ConnectionSetting {
  name: SettingName
  value: string
}

/** Settings to enter into a hub to connect it, in the order in which hubs ask for them. */
export const connectionSettings = (hub: {
  host: string
  port: number
  rootId: string
  homeId: string
  thingName: string
  secret: string
}): ConnectionSetting[] => [
  { name: 'host', value: hub.host },
  { name: 'port', value: String(hub.port) },
  { name: 'username', value: hub.thingName },
  { name: 'password', value: hub.secret },
  { name: 'rootId', value: hub.rootId },
  { name: 'homeId', value: hub.homeId },
  { name: 'topic', value: statusReport.topic({ rootId: hub.rootId, homeId: hub.homeId }) },
]

/** The settings as JSON, in the format of the hub programs' configuration files (docs/hubs/modbus-tcp.md). */
export function settingsAsJson(settings: readonly ConnectionSetting[], tls: boolean): string {
  const of = (name: SettingName) => settings.find((setting) => setting.name === name)?.value ?? ''
  const gateway = {
    url: `${tls ? 'mqtts' : 'mqtt'}://${of('host')}:${of('port')}`,
    rootId: of('rootId'),
    homeId: of('homeId'),
    thingName: of('username'),
    secret: of('password'),
  }
  return JSON.stringify({ gateway }, null, 2)
}

/** Command line that connects as the hub and reports "online", so that the hub is shown as connected. */
function testCommand(settings: readonly ConnectionSetting[], tls: boolean): string {
  const of = (name: SettingName) => settings.find((setting) => setting.name === name)?.value ?? ''
  const topic = shadowUpdate.topic({ thingName: of('username'), shadowName: 'info' })
  const online = JSON.stringify({ state: { reported: { online: true } } })
  return `npx mqtt pub -h ${of('host')} -p ${of('port')}${tls ? ' -C mqtts' : ''} -i ${of('username')} -u ${of('username')} -P '${of('password')}' -q 1 -t '${topic}' -m '${online}'`
}

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
      <div className={`${page.sunken} ${page.spread}`}>
        <code>{command}</code>
        <CopyButton value={command} label={t('screens:addDevice.testCommand')} />
      </div>
    </div>
  )
}
