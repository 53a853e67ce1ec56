import type { HomeWithRooms } from '../../../contract/resources/home.ts'
import { queryClient } from '../../data/api.ts'
import { mayNow } from '../../data/session.ts'
import { periodsIn } from '../../ui/inputs/period-picker/use-period.ts'
import { readAddress } from './address.ts'
import { energyQuery } from './energy-query.ts'

/** Asks for the figures that the address is about before there is a page; of chosen meters the page asks once it knows them. */
export function prefetch({ HomeID: homeId, TimeZone }: HomeWithRooms): void {
  if (!mayNow('electricity', 'Read')) return
  const params = new URLSearchParams(location.search)
  const { period, compared } = periodsIn(params, TimeZone, Date.now())
  const { bars, meters } = readAddress(params, period.days)
  if (meters.length > 0) return
  for (const asked of [period, compared])
    if (asked) void queryClient.prefetchQuery(energyQuery({ homeId, bars, meters: undefined }, asked, 'home'))
}
