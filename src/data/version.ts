import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Liveness } from '../../contract/kernel/readiness.ts'

async function askVersion(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/health/live', { cache: 'no-store', signal })
  return Liveness.parse(await answer.json()).version
}

/** Version of the running gateway, fetched on each mount: it may have been upgraded meanwhile. */
export const useVersion = (): UseQueryResult<string> =>
  useQuery({ queryKey: ['version'], queryFn: ({ signal }) => askVersion(signal), staleTime: 0, retry: false })
