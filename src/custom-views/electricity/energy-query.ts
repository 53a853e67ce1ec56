import type { RequestOf } from '../../../contract/kernel/define-endpoint.ts'
import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import { callQuery } from '../../data/api.ts'
import type { Period } from '../../ui/inputs/period-picker/period.ts'

type EnergyInput = RequestOf<typeof meterData.getEnergySeries>

/** Input of the call for a home's energy in a period; `meters` are counted individually, undefined means the whole home. */
const energyInput = (
  params: { homeId: string; bars: EnergyInput['Resolution']; meters: readonly string[] | undefined },
  { from, to }: Pick<Period, 'from' | 'to'>,
  by: EnergyInput['By'],
): EnergyInput => ({
  HomeID: params.homeId,
  From: from,
  To: to,
  Resolution: params.bars,
  By: by,
  ...(params.meters && { PeripheralUIDs: [...params.meters] }),
})

export const energyQueryOf = (input: EnergyInput) => callQuery(meterData.getEnergySeries, input)

export const energyQuery = (...params: Parameters<typeof energyInput>) =>
  energyQueryOf(energyInput(...params))
