import { MAX_ADDED_AT_ONCE, peripheral } from '../../../contract/devices/peripheral.ts'
import { session } from '../../../contract/people/session-calls.ts'
import { thing } from '../../../contract/devices/thing.ts'
import type { Company } from './company.ts'
import { connectHub, type HubDevice, type PlainHub } from './hub.ts'

/** Hub that the test itself simulates, with its devices added to a home. */
export interface OwnHub {
  hub: PlainHub
  /** Reconnects as the same hub. */
  reconnect(): Promise<PlainHub>
}

/** Adds a hub and its devices in the owner's name, and connects it. */
export async function addOwnHub(
  { product, owner }: Pick<Company, 'product' | 'owner'>,
  { HomeID, DeviceName, devices }: { HomeID: string; DeviceName: string; devices: readonly HubDevice[] },
): Promise<OwnHub> {
  const { ThingName, Secret } = await owner(thing.operations.create, { HomeID, DeviceName })
  const { RootCognitoId } = await owner(session.getPersonalPermissions, {})
  const { hostname, port } = new URL(product.mqttUrl)
  const connect = () =>
    connectHub({
      host: hostname,
      port: Number(port),
      username: ThingName,
      password: Secret,
      rootId: RootCognitoId,
      homeId: HomeID,
    })
  const hub = await connect()
  await hub.announce(devices)
  for (let from = 0; from < devices.length; from += MAX_ADDED_AT_ONCE)
    await owner(peripheral.operations.create, {
      HomeID,
      Peripherals: devices
        .slice(from, from + MAX_ADDED_AT_ONCE)
        .map(({ PeripheralUID, PeripheralName }) => ({ PeripheralUID, PeripheralName })),
    })
  return { hub, reconnect: connect }
}
