import { meterData } from '../../../contract/energy/meter-data-calls.ts'
import { prefetchFollowUps, type FollowUpCalls, type ScreenFetches } from '../../data/prefetch.ts'
import { queryClient } from '../../data/api.ts'
import { metersQuery } from '../../domain/energy/use-meters.ts'
import { periodsIn } from '../../ui/inputs/period-picker/use-period.ts'
import { readAddress } from './address.ts'
import { energyInput, energyQueryOf } from './energy-query.ts'

/** Calls to prefetch for the address; not for chosen meters, which the page requests once it has loaded them. */
export const energyFollowUps: FollowUpCalls = ({ home }) => {
  if (!home) return []
  const params = new URLSearchParams(location.search)
  const { period, compared } = periodsIn(params, home.TimeZone, Date.now())
  const { bars, meters } = readAddress(params, period.days)
  if (meters.length > 0) return []
  const asked = { homeId: home.HomeID, bars, meters: undefined }
  return [period, ...(compared ? [compared] : [])].map((of) => [
    meterData.getEnergySeries.path,
    energyInput(asked, of, 'home'),
  ])
}

export const fetches: ScreenFetches = {
  [meterData.getAllMeterData.path]: ({ HomeID }: { HomeID: string }) =>
    queryClient.prefetchQuery(metersQuery(HomeID)),
  [meterData.getEnergySeries.path]: (input: ReturnType<typeof energyInput>) =>
    queryClient.prefetchQuery(energyQueryOf(input)),
}

export const askNext = () => prefetchFollowUps(energyFollowUps)
