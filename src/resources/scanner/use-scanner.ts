import { useQuery } from '@tanstack/react-query'
import { scanner } from '../../../contract/resources/scanner.ts'
import { callQuery } from '../../data/api.ts'

/** One scanner of the company's list; `gone` once the list is there and it is not in it. */
export function useScanner(thingName: string) {
  const query = useQuery(callQuery(scanner.operations.list, {}))
  const found = query.data?.find(({ ThingName }) => ThingName === thingName)
  return {
    scanner: found,
    gone: query.data !== undefined && !found,
    error: query.error,
    retry: query.refetch,
  }
}
