import { useQuery } from '@tanstack/react-query'
import { type EndedRoom, meterFacts } from '../../../contract/meters/fact-calls.ts'
import type { Grouping } from '../../../contract/energy/meter-data-calls.ts'
import { callQuery } from '../../data/api.ts'

/** Rooms of a home that are no more, where energy is divided by rooms; undefined until they are known. */
export const useEndedRooms = (HomeID: string, by: Grouping): EndedRoom[] | undefined =>
  useQuery({ ...callQuery(meterFacts.listEndedRoom, { HomeID }), enabled: by === 'room' }).data
