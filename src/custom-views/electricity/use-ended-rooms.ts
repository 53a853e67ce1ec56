import { useQuery } from '@tanstack/react-query'
import { type EndedRoom, meterFacts } from '../../../contract/meters/fact-calls.ts'
import type { Grouping } from '../../../contract/energy/meter-data-calls.ts'
import { callQuery } from '../../data/api.ts'

/** Deleted rooms of a home, if energy is grouped by room; undefined while they load. */
export const useEndedRooms = (HomeID: string, by: Grouping): EndedRoom[] | undefined =>
  useQuery({ ...callQuery(meterFacts.listEndedRoom, { HomeID }), enabled: by === 'room' }).data
