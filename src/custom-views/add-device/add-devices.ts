import { peripheral, type Peripheral } from '../../../contract/resources/peripheral.ts'
import { call } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'

type NewDevice = Pick<Peripheral, 'PeripheralUID' | 'PeripheralName' | 'RoomID'>

/** What became of one device. */
export interface Outcome extends NewDevice {
  /** Why it was not added; undefined when it was. */
  problem: string | undefined
}

/**
 * Adds devices, one call for each room. A call is all or nothing: when it fails, each of its devices is tried alone, so
 * that one that cannot be added does not keep the others back and is named.
 */
export async function addDevices(homeId: string, described: readonly NewDevice[]): Promise<Outcome[]> {
  // As the gateway keeps them.
  const devices = described.map((device) => ({ ...device, PeripheralName: device.PeripheralName.trim() }))
  const add = (RoomID: number, some: readonly NewDevice[]) =>
    call(peripheral.operations.create, {
      HomeID: homeId,
      RoomID,
      Peripherals: some.map(({ PeripheralUID, PeripheralName }) => ({ PeripheralUID, PeripheralName })),
    })
  const outcomes: Outcome[] = []
  for (const RoomID of new Set(devices.map((device) => device.RoomID))) {
    const some = devices.filter((device) => device.RoomID === RoomID)
    try {
      await add(RoomID, some)
      outcomes.push(...some.map((device) => ({ ...device, problem: undefined })))
    } catch {
      for (const device of some)
        outcomes.push({
          ...device,
          problem: await add(RoomID, [device]).then(() => undefined, describeFailure),
        })
    }
  }
  return outcomes
}
