import { useQuery } from '@tanstack/react-query'
import { floor } from '../../../contract/resources/floor.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'

/** A home's floors from the lowest; not asked without the right to read rooms. */
export function useFloors(HomeID: string) {
  const enabled = useMay('room', 'Read') && HomeID !== ''
  const query = useQuery({ ...callQuery(floor.operations.list, { HomeID }), enabled })
  return { ...query, isAsked: enabled }
}
