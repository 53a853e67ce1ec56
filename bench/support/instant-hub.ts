import { connectAsync } from 'mqtt'
import { controlCommand } from '../../contract/devices/channels/control.ts'
import type { MeterReading } from '../../contract/meters/channels.ts'
import { hubMessages } from '../../device-link/hub-messages.ts'
import type { FleetHub } from '../../simulator/building/building.ts'
import { atEnd } from './clean-up.ts'
import type { GatewayUnderTest } from './gateway.ts'

export interface InstantHub {
  /** Reports states of its devices; resolves when they are stored. */
  report(peripherals: readonly object[]): Promise<void>
  /** Sends readings of its meters; resolves when they are stored. */
  readings(readings: readonly MeterReading[]): Promise<void>
}

/**
 * A hub whose devices execute every command and report the new state immediately. Its lights are off at first.
 *
 * onCommand  called for each command on arrival
 */
export async function connectInstantHub(
  gateway: Pick<GatewayUnderTest, 'mqttUrl'>,
  hub: FleetHub,
  onCommand: (peripheralUID: string, requestId: string) => void = () => {},
): Promise<InstantHub> {
  const messages = hubMessages(hub)
  const client = await connectAsync(gateway.mqttUrl, {
    protocolVersion: 4,
    clientId: hub.ThingName,
    username: hub.ThingName,
    password: hub.Secret,
  })
  // Not awaited: the end of a client whose connection breaks at that time never resolves.
  atEnd(() => void client.end(true))
  client.on('message', (_topic, payload) => {
    const { RequestID, PeripheralUID, Values } = controlCommand.payload.parse(JSON.parse(payload.toString()))
    onCommand(PeripheralUID, RequestID)
    const ack = messages.ack({ RequestID, PeripheralUID, Result: 'ok' })
    const report = messages.status(Date.now(), [{ PeripheralUID, ...Values }])
    for (const { topic, payload } of [ack, report]) client.publish(topic, payload, { qos: 1 })
  })
  const { rootId, HomeID: homeId, ThingName: thingName } = hub
  await client.subscribeAsync(controlCommand.topic({ rootId, homeId, thingName }), { qos: 1 })
  const publish = async ({ topic, payload }: { topic: string; payload: string }) => {
    await client.publishAsync(topic, payload, { qos: 1 })
  }
  await publish(messages.info(true, Date.now()))
  await publish(
    messages.status(
      Date.now(),
      hub.devices.map(({ PeripheralUID }) => ({ PeripheralUID, Switch: 0 })),
    ),
  )
  return {
    report: (peripherals) => publish(messages.status(Date.now(), [...peripherals] as never)),
    readings: (readings) => publish(messages.readings([...readings])),
  }
}
