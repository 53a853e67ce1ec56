import mqtt, { type MqttClient } from 'mqtt'

/** Maximum per message (docs/hub-protocol.md, section 8). */
const MAX_READINGS = 5_000

/** Settings of a new hub as shown on the Add Device screen. */
export interface HubSettings {
  host: string
  port: number
  username: string
  password: string
  rootId: string
  homeId: string
}

export interface HubDevice {
  PeripheralUID: string
  PeripheralType: string
  PeripheralName: string
}

export interface HubCommand {
  RequestID: string
  PeripheralUID: string
  Values: Record<string, unknown>
}

/** Stock MQTT client that implements docs/hub-protocol.md, without code of the product. */
export interface PlainHub {
  /** Announces the devices. */
  announce(devices: readonly HubDevice[]): Promise<void>
  /** Reports a device's state; resolves when it is acknowledged. */
  report(PeripheralUID: string, fields: Record<string, unknown>): Promise<void>
  read(PeripheralUID: string, fields: Record<string, number>): Promise<void>
  /** Reports readings of meters, the maximum number per message. */
  readAll(readings: readonly object[]): Promise<void>
  /** Next unanswered command that sets this field of this device. */
  command(PeripheralUID: string, field: string): Promise<HubCommand>
  acknowledge(command: HubCommand): Promise<void>
  /** Disconnects properly: the hub is offline immediately, without the half minute after a lost connection. */
  leave(): void
  end(): Promise<void>
}

export async function connectHub(settings: HubSettings): Promise<PlainHub> {
  const { username: ThingName, rootId, homeId } = settings
  const shadow = (name: string) => `$aws/things/${ThingName}/shadow/name/${name}/update`
  const info = (online: boolean) => JSON.stringify({ state: { reported: { online } } })
  const client: MqttClient = await mqtt.connectAsync({
    host: settings.host,
    port: settings.port,
    username: ThingName,
    password: settings.password,
    clientId: ThingName,
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    reconnectPeriod: 0,
    will: { topic: shadow('info'), payload: Buffer.from(info(false)), qos: 1, retain: false },
  })
  const publish = async (topic: string, payload: unknown) => {
    await client.publishAsync(topic, typeof payload === 'string' ? payload : JSON.stringify(payload), {
      qos: 1,
    })
  }
  await client.subscribeAsync([`${rootId}/${homeId}/control/command/${ThingName}`], { qos: 1 })
  await publish(shadow('info'), info(true))
  return {
    announce: (Peripherals) => publish(shadow('registration'), { state: { reported: { Peripherals } } }),
    report: (PeripheralUID, fields) =>
      publish(`${rootId}/${homeId}/status/report`, {
        ThingName,
        Timestamp: Date.now(),
        Peripherals: [{ PeripheralUID, ...fields }],
      }),
    read: (PeripheralUID, fields) =>
      publish(`${rootId}/${homeId}/meter/report`, {
        ThingName,
        Readings: [{ PeripheralUID, Timestamp: Date.now(), ...fields }],
      }),
    readAll: async (readings) => {
      for (let from = 0; from < readings.length; from += MAX_READINGS)
        await publish(`${rootId}/${homeId}/meter/report`, {
          ThingName,
          Readings: readings.slice(from, from + MAX_READINGS),
        })
    },
    command: (PeripheralUID, field) =>
      new Promise((resolve) => {
        client.on('message', function hear(_topic, text) {
          const command = JSON.parse(text.toString()) as HubCommand
          if (command.PeripheralUID !== PeripheralUID || !(field in command.Values)) return
          client.off('message', hear)
          resolve(command)
        })
      }),
    acknowledge: ({ RequestID, PeripheralUID }) =>
      publish(`${rootId}/${homeId}/control/ack`, { ThingName, RequestID, PeripheralUID, Result: 'ok' }),
    leave: () => void client.endAsync(),
    end: async () => {
      await client.endAsync(true)
    },
  }
}
