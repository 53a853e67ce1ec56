import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Liveness } from '../../contract/kernel/liveness.ts'

async function askVersion(signal: AbortSignal): Promise<string> {
  const answer = await fetch('/health/live', { cache: 'no-store', signal })
  return Liveness.parse(await answer.json()).version
}

/** The version that the gateway runs, asked each time: it may have been replaced meanwhile. */
export const useVersion = (): UseQueryResult<string> =>
  useQuery({ queryKey: ['version'], queryFn: ({ signal }) => askVersion(signal), staleTime: 0, retry: false })
