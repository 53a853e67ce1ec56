import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { queryClient } from '../../data/api.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { metersQuery } from '../../domain/energy/use-meters.ts'
import { periodsIn } from '../../ui/inputs/period-picker/use-period.ts'
import { readAddress } from './address.ts'
import { openingRange } from './opening-range.ts'
import { energyQuery } from './energy-query.ts'

/** Fetches the meters and the figures of the address; not of chosen meters, which the page requests once it knows the meters. */
export async function prefetchQueries(home: HomeWithRooms | undefined): Promise<void> {
  if (!home) return
  const params = new URLSearchParams(location.search)
  const { period, compared } = periodsIn(params, home.TimeZone, gatewayNow(), openingRange())
  const { bars, meters } = readAddress(params, period.days)
  const chart = { homeId: home.HomeID, bars, meters: undefined }
  const periods = meters.length > 0 ? [] : compared ? [period, compared] : [period]
  await Promise.all([
    queryClient.prefetchQuery(metersQuery(home.HomeID)),
    ...periods.map((chartPeriod) => queryClient.prefetchQuery(energyQuery(chart, chartPeriod, 'home'))),
  ])
}
