import { areAdjacent } from '../../../../contract/devices/capabilities/light-house.ts'

/** Signal-light sensors, which are mounted in a row: a group contains neighbours only (§5). */
const LIGHT_HOUSE = '515'

interface Member {
  PeripheralUID: string
  PeripheralType: string
  ThingName: string | null
}

/**
 * Reason that devices cannot form a group (§5): `oneType` if their types differ; `notAdjacent` if signal-light sensors are of
 * several hubs, or another sensor of their hub is between them in the order of PeripheralUIDs.
 *
 * devices  the members and at least every other signal-light sensor of their home
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
