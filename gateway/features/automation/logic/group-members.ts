import { areAdjacent } from '../../../../contract/devices/light-house.ts'

/** Signal-light sensors, which stand in a row: a group takes neighbours only (§5). */
const LIGHT_HOUSE = '515'

interface Member {
  PeripheralUID: string
  PeripheralType: string
  ThingName: string | null
}

/**
 * Why devices are no group (§5): `oneType` when they are of several types, `notAdjacent` when signal-light sensors are of
 * several hubs, or another sensor of their hub stands between them in the order of their PeripheralUIDs.
 *
 * devices  the members and, of their home, at least every other signal-light sensor
 */
export function groupProblem(
  uids: readonly string[],
  devices: readonly Member[],
): 'oneType' | 'notAdjacent' | undefined {
  const members = devices.filter(({ PeripheralUID }) => uids.includes(PeripheralUID))
  const [first] = members
  if (!first) return undefined
  if (members.some(({ PeripheralType }) => PeripheralType !== first.PeripheralType)) return 'oneType'
  if (first.PeripheralType !== LIGHT_HOUSE) return undefined
  if (members.some(({ ThingName }) => ThingName !== first.ThingName)) return 'notAdjacent'
  const row = devices
    .filter(
      ({ PeripheralType, ThingName }) => PeripheralType === LIGHT_HOUSE && ThingName === first.ThingName,
    )
    .map(({ PeripheralUID }) => PeripheralUID)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  return areAdjacent(uids.map((uid) => row.indexOf(uid))) ? undefined : 'notAdjacent'
}
