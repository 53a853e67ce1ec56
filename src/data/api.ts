import { QueryClient, queryOptions } from '@tanstack/react-query'
import { decide } from '../../contract/features.ts'
import type { AnyEndpoint, ResultsOf, SentOf } from '../../contract/kernel/define-endpoint.ts'
import { randomId } from '../lib/random-id.ts'
import { CACHE_LIFETIME_MS } from '../lib/storage-with-expiry.ts'
import { takeAhead } from './ahead.ts'
import { currentVisit } from './tokens/entrance.ts'
import { tokens } from './tokens/tokens.ts'
import { webConfig } from './config.ts'
import { notices } from './notices.ts'
import { CallError, callErrorIn, post } from './post.ts'
import { me, subjectOf } from './session.ts'

/** A call that was not sent because the person lacks the right; its `missing` says which (§5). */
export class PermissionRefused extends CallError {}

export type { ResultsOf, SentOf }

/** Called when the gateway says that the session is over (code 4); the shell signs out. */
let onSignedOut: () => void = () => {}
export const whenSessionEnds = (listener: () => void): void => {
  onSignedOut = listener
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Of a mutation: the same again executes once and answers the first results again. Made anew when left out. */
  requestId?: string | undefined
}

/** Whether a call takes a RequestID, so that it may be sent again when its answer is lost. */
export const takesRequestId = ({ mutates, commitsItself }: AnyEndpoint): boolean => mutates && !commitsItself

/**
 * Calls the gateway and answers the results.
 *
 * errors  PermissionRefused before anything is sent (the person is told which right is missing); CallError otherwise
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: SentOf<E>,
  options: CallOptions = {},
): Promise<ResultsOf<E>> {
  const person = me.get()
  // Before permissions are known the gateway decides: only the calls of the start flow are made then.
  const decision = person ? decide(endpoint.access, subjectOf(person)) : true
  if (decision !== true && typeof decision === 'object') {
    notices.refused(decision)
    throw new PermissionRefused('PERMISSION_DENIED', endpoint.path, { missing: decision })
  }
  const visit = currentVisit()
  const requestId = takesRequestId(endpoint) ? (options.requestId ?? randomId()) : undefined
  try {
    const headers = await credentials(endpoint)
    const early = await takeAhead(headers['authorization'], endpoint.path, input)
    if (early !== undefined) return early as ResultsOf<E>
    const body: unknown = requestId === undefined ? input : { ...(input as object), RequestID: requestId }
    return (await post(endpoint.path, body, {
      method: endpoint.method,
      headers,
      signal: options.signal,
    })) as ResultsOf<E>
  } catch (error) {
    const ended = error instanceof CallError && error.failure === 'UNAUTHENTICATED'
    if (ended && endpoint.access !== 'public' && visit === currentVisit()) onSignedOut()
    throw error
  }
}

/** Bearer of the identity token; the public auth API wants the API key; a password change the access token (§7). */
async function credentials(endpoint: AnyEndpoint): Promise<Record<string, string>> {
  if (endpoint.access === 'public') return { 'x-api-key': (await webConfig()).ApiKey }
  const held = await tokens()
  if (!held) throw new CallError('UNAUTHENTICATED', 'signed out')
  const wantsAccess = endpoint.path === '/ChangePassword' || endpoint.path === '/InitializeUser'
  return { authorization: `Bearer ${held.id}`, ...(wantsAccess && { 'x-access-token': held.access }) }
}

/** The one cache of what the gateway said. Good for an hour (§4): events keep it current meanwhile. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: CACHE_LIFETIME_MS,
      gcTime: CACHE_LIFETIME_MS,
      refetchOnWindowFocus: false,
      retry: (failures, error) => {
        const failure = callErrorIn(error)?.failure
        return failures < 2 && (failure === 'NETWORK' || failure === 'UNAVAILABLE')
      },
    },
  },
})

/** The key under which a call's answer is cached; without input, the prefix of all its answers. */
export const callKey = (endpoint: AnyEndpoint, input?: unknown): readonly unknown[] =>
  input === undefined ? [endpoint.path] : [endpoint.path, input]

/** A call as a React-Query query: `useQuery(callQuery(home.list, {}))`. */
export function callQuery<E extends AnyEndpoint>(endpoint: E, input: SentOf<E>) {
  return queryOptions({
    queryKey: callKey(endpoint, input),
    queryFn: ({ signal }): Promise<ResultsOf<E>> => call(endpoint, input, { signal }),
  })
}
