import type { SentOf } from '../../../contract/kernel/define-endpoint.ts'
import { meterData } from '../../../contract/procedures/meter-data.ts'
import { callQuery } from '../../data/api.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'

type Sent = SentOf<typeof meterData.getEnergySeries>

/**
 * Energy of a home in a period, in bars.
 *
 * meters  of which each counts as itself; undefined for all of the home
 */
export const energyQuery = (
  asked: { homeId: string; bars: Sent['Resolution']; meters: readonly string[] | undefined },
  { from, to }: Pick<Period, 'from' | 'to'>,
  by: Sent['By'],
) =>
  callQuery(meterData.getEnergySeries, {
    HomeID: asked.homeId,
    From: from,
    To: to,
    Resolution: asked.bars,
    By: by,
    ...(asked.meters && { PeripheralUIDs: [...asked.meters] }),
  })
