import { peripheral, type Peripheral } from '../../../contract/devices/peripheral.ts'
import { call } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'

type NewDevice = Pick<Peripheral, 'PeripheralUID' | 'PeripheralName' | 'RoomID'> & {
  ParentMeter?: string | null
}

/** What became of one device. */
export interface AddResult extends NewDevice {
  /** Why it was not added; undefined when it was. */
  problem: string | undefined
}

/** Devices in the order in which they can be added: a meter after the one above it. */
function inRounds(devices: readonly NewDevice[]): NewDevice[][] {
  const left = new Map(devices.map((device) => [device.PeripheralUID, device]))
  const rounds: NewDevice[][] = []
  while (left.size > 0) {
    const free = [...left.values()].filter(({ ParentMeter }) => !ParentMeter || !left.has(ParentMeter))
    // A loop is refused where it is added.
    const round = free.length > 0 ? free : [...left.values()]
    for (const { PeripheralUID } of round) left.delete(PeripheralUID)
    rounds.push(round)
  }
  return rounds
}

/**
 * Adds devices, one call for each room; meters after those they stand below. A call is all or nothing: when it fails, each of its devices is tried alone, so
 * that one that cannot be added does not keep the others back and is named.
 */
export async function addDevices(homeId: string, described: readonly NewDevice[]): Promise<AddResult[]> {
  // As the gateway keeps them.
  const devices = described.map((device) => ({ ...device, PeripheralName: device.PeripheralName.trim() }))
  const add = (RoomID: number, some: readonly NewDevice[]) =>
    call(peripheral.operations.create, {
      HomeID: homeId,
      RoomID,
      Peripherals: some.map(({ PeripheralUID, PeripheralName, ParentMeter }) => ({
        PeripheralUID,
        PeripheralName,
        ...(ParentMeter && { ParentMeter }),
      })),
    })
  const outcomes: AddResult[] = []
  for (const round of inRounds(devices))
    for (const RoomID of new Set(round.map((device) => device.RoomID))) {
      const some = round.filter((device) => device.RoomID === RoomID)
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
