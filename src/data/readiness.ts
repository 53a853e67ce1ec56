import { useQuery } from '@tanstack/react-query'
import { Readiness } from '../../contract/kernel/readiness.ts'
import { READINESS_KEY } from './api.ts'

const ADDRESS = '/health/ready'
/** How often it is asked, in ms: while all is well, and while something is wrong. */
const POLL_INTERVAL_MS = 30_000
const ASK_EVERY_IN_TROUBLE = 5_000

/** Errors: what is no answer of a gateway of this version. */
async function askReadiness(signal: AbortSignal): Promise<Readiness> {
  const answer = await fetch(ADDRESS, { cache: 'no-store', signal })
  return Readiness.parse(await answer.json())
}

/** What the gateway last said is wrong with it; nothing while it says nothing, e.g. because it cannot be reached. */
export function useReadinessDetails(): Readiness['details'] {
  const { data, isError } = useQuery({
    queryKey: READINESS_KEY,
    queryFn: ({ signal }) => askReadiness(signal),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.details.length ? ASK_EVERY_IN_TROUBLE : POLL_INTERVAL_MS),
  })
  return isError || !data ? [] : data.details
}
