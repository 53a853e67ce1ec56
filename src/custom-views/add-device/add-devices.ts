import { peripheral, type Peripheral } from '../../../contract/devices/peripheral.ts'
import { call } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'

type NewDevice = Pick<Peripheral, 'PeripheralUID' | 'PeripheralName' | 'RoomID'> & {
  ParentMeter?: string | null
}

export interface AddResult extends NewDevice {
  /** Reason that it was not added; undefined if it was. */
  problem: string | undefined
}

/** Batches in the order in which devices can be added: a meter after its parent. */
function inRounds(devices: readonly NewDevice[]): NewDevice[][] {
  const left = new Map(devices.map((device) => [device.PeripheralUID, device]))
  const rounds: NewDevice[][] = []
  while (left.size > 0) {
    const free = [...left.values()].filter(({ ParentMeter }) => !ParentMeter || !left.has(ParentMeter))
    // The gateway rejects a loop.
    const round = free.length > 0 ? free : [...left.values()]
    for (const { PeripheralUID } of round) left.delete(PeripheralUID)
    rounds.push(round)
  }
  return rounds
}

/**
 * Adds devices, one call per room; meters after their parents. A call is atomic: if it fails, its devices are added one by one, so that
 * only the invalid ones fail and are reported.
 */
export async function addDevices(homeId: string, described: readonly NewDevice[]): Promise<AddResult[]> {
  // The gateway trims names.
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
