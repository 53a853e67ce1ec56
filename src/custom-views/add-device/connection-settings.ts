import { shadowUpdate } from '../../../contract/channels/shadow.ts'
import { statusReport } from '../../../contract/channels/status.ts'

/** The usual MQTT port of a gateway; an operator may have set another one. */
const MQTT_PORT = 1883

export type SettingName = 'host' | 'port' | 'username' | 'password' | 'rootId' | 'homeId' | 'topic'
export interface Setting {
  name: SettingName
  value: string
}

/** Everything that has to be typed into a hub to connect it, in the order people are asked for it. */
export const connectionSettings = (hub: {
  host: string
  rootId: string
  homeId: string
  thingName: string
  secret: string
}): Setting[] => [
  { name: 'host', value: hub.host },
  { name: 'port', value: String(MQTT_PORT) },
  { name: 'username', value: hub.thingName },
  { name: 'password', value: hub.secret },
  { name: 'rootId', value: hub.rootId },
  { name: 'homeId', value: hub.homeId },
  { name: 'topic', value: statusReport.topic({ rootId: hub.rootId, homeId: hub.homeId }) },
]

/** A command line that connects as the hub and says "online": the hub then shows as connected. */
export function testCommand(settings: readonly Setting[]): string {
  const of = (name: SettingName) => settings.find((setting) => setting.name === name)?.value ?? ''
  const topic = shadowUpdate.topic({ thingName: of('username'), shadowName: 'info' })
  const online = JSON.stringify({ state: { reported: { online: true } } })
  return `npx mqtt pub -h ${of('host')} -p ${of('port')} -i ${of('username')} -u ${of('username')} -P '${of('password')}' -q 1 -t '${topic}' -m '${online}'`
}
