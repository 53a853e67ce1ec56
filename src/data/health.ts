import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Readiness } from '../../contract/kernel/readiness.ts'
import { READINESS_KEY } from './api.ts'
import { Liveness } from '../../contract/kernel/readiness.ts'

const ADDRESS = '/health/ready'
/** Poll intervals, ms: while the gateway reports no problem, and while it reports one. */
const POLL_INTERVAL_MS = 30_000
const TROUBLE_POLL_MS = 5_000

/** Fetches the readiness. Throws if the answer is not from a gateway of this version. */
async function fetchReadiness(signal: AbortSignal): Promise<Readiness> {
  const answer = await fetch(ADDRESS, { cache: 'no-store', signal })
  return Readiness.parse(await answer.json())
}

/** Problems that the gateway last reported; empty while it cannot be reached. */
export function useReadinessDetails(): Readiness['details'] {
  const { data, isError } = useQuery({
    queryKey: READINESS_KEY,
    queryFn: ({ signal }) => fetchReadiness(signal),
    staleTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.data?.details.length ? TROUBLE_POLL_MS : POLL_INTERVAL_MS),
  })
  return isError || !data ? [] : data.details
}

async function fetchVersion(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/health/live', { cache: 'no-store', signal })
  return Liveness.parse(await answer.json()).version
}

/** Version of the running gateway, fetched on each mount: it may have been upgraded meanwhile. */
export const useVersion = (): UseQueryResult<string> =>
  useQuery({
    queryKey: ['version'],
    queryFn: ({ signal }) => fetchVersion(signal),
    staleTime: 0,
    retry: false,
  })
