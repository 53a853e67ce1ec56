import type { HistoryDevice, HistoryPick } from '../../../contract/devices/history-calls.ts'
import { arrange } from '../../domain/history/picks.ts'

/** What is known of the devices that are told of. */
export interface QuantityContext {
  /** Devices that need somebody. */
  needing: ReadonlySet<string>
  /** The meter that measures what the site draws; undefined where none is known to. */
  main: string | undefined
}

const POWER = 'Power'
/** Counters only ever rise: what they show nobody looks for. */
const COUNTERS = ['AccumulatePower', 'AccumulateReturn']
/** Beside the power of the site. */
const OTHERS = 3

/**
 * What a history shows before anybody has chosen: the power of the site and three measured quantities, those of devices that need
 * somebody first, then one of each device in turn. No more units than a chart has axes for.
 *
 * since  epoch ms: of what was told last before that nothing would be seen
 */
export function firstQuantities(
  devices: readonly HistoryDevice[],
  { needing, main }: QuantityContext,
  since: number,
): HistoryPick[] {
  const told = devices.flatMap((device) =>
    device.PeripheralName === null
      ? []
      : device.Quantities.filter(
          ({ Kind, Field, Last }) =>
            Kind === 'measured' && !COUNTERS.includes(Field) && Last !== null && Last >= since,
        ).map((quantity, place) => ({
          pick: { PeripheralUID: device.PeripheralUID, Field: quantity.Field },
          place,
        })),
  )
  const isMain = ({ PeripheralUID, Field }: HistoryPick) => PeripheralUID === main && Field === POWER
  const site = told.find(({ pick }) => isMain(pick)) ?? told.find(({ pick }) => pick.Field === POWER)
  // The first of each device before the second of any; what parts of the site draw after what else they measure.
  const rank = ({ pick, place }: (typeof told)[number]) =>
    (needing.has(pick.PeripheralUID) ? 0 : 1_000) + 2 * place + (pick.Field === POWER ? 1 : 0)
  const others = told.filter((one) => one !== site).toSorted((a, b) => rank(a) - rank(b))
  const { chosen } = arrange(
    [...(site ? [site] : []), ...others].map(({ pick }) => pick),
    devices,
  )
  return chosen.slice(0, OTHERS + (site ? 1 : 0)).map(({ pick }) => pick)
}
