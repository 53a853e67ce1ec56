import { useQuery } from '@tanstack/react-query'
import type { Finding } from '../../../contract/findings/calls.ts'
import { type OpeningHours, placeFacts } from '../../../contract/homes/place-facts-calls.ts'
import { deviceOfMeter } from '../../../contract/devices/meter-roles.ts'
import { callQuery } from '../../data/api.ts'
import { useDevices } from '../../data/homes.ts'
import type { PlaceOfFinding } from './findings-schedule.ts'

/** The device behind the meter of a finding and when its room is open, as far as whoever looks may know. */
export function usePlaceOfFinding({ HomeID, Place }: Finding): PlaceOfFinding {
  const devices = useDevices(HomeID).data?.Peripherals
  const facts = useQuery(callQuery(placeFacts.listPlaceFact, { HomeID })).data
  const uid = Place.MeterID === null ? undefined : deviceOfMeter(Place.MeterID).PeripheralUID
  const device = devices?.find(({ PeripheralUID }) => PeripheralUID === uid)
  // In the order of their days: the last one holds.
  const hoursOf = (RoomID: number | null) =>
    facts?.findLast((one) => one.Fact === 'hours' && one.RoomID === RoomID)?.Value as
      OpeningHours | null | undefined
  const hours = hoursOf(Place.RoomID ?? device?.RoomID ?? null) ?? hoursOf(null)
  return { device, hours: hours ?? undefined }
}
