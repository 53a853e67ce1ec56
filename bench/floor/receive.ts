/**
 * Baseline of a live list: receives and parses the same messages, and renders nothing. The connection is in
 * the address: #{ url, clientId, username, password, topic }.
 */
import mqtt from 'mqtt'

interface Where {
  url: string
  clientId: string
  username: string
  password: string
  topic: string
}

const { url, topic, ...session } = JSON.parse(decodeURIComponent(location.hash.slice(1))) as Where
const statuses = new Map<string, object>()
const client = mqtt.connect(url, { ...session, protocolVersion: 4 })
client.on('connect', () =>
  client.subscribe(topic, () => {
    ;(document.getElementById('count') as HTMLElement).dataset['ready'] = 'true'
  }),
)
client.on('message', (_topic, payload) => {
  const { Peripherals } = JSON.parse(payload.toString()) as { Peripherals: { PeripheralUID: string }[] }
  for (const status of Peripherals) statuses.set(status.PeripheralUID, status)
})
