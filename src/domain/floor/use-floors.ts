import { useQuery } from '@tanstack/react-query'
import { floor } from '../../../contract/homes/floor.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'

export const floorsQuery = (HomeID: string) => callQuery(floor.operations.list, { HomeID })

/** Floors of a home from the lowest; disabled without the right to read rooms. */
export function useFloors(HomeID: string) {
  const enabled = useMay('room', 'Read') && HomeID !== ''
  const query = useQuery({ ...floorsQuery(HomeID), enabled })
  return { ...query, isAsked: enabled }
}
