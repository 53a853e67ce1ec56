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
export function testCommand(settings: readonly ConnectionSetting[], tls: boolean): string {
  const of = (name: SettingName) => settings.find((setting) => setting.name === name)?.value ?? ''
  const topic = shadowUpdate.topic({ thingName: of('username'), shadowName: 'info' })
  const online = JSON.stringify({ state: { reported: { online: true } } })
  return `npx mqtt pub -h ${of('host')} -p ${of('port')}${tls ? ' -C mqtts' : ''} -i ${of('username')} -u ${of('username')} -P '${of('password')}' -q 1 -t '${topic}' -m '${online}'`
}
