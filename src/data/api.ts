import { QueryClient, queryOptions } from '@tanstack/react-query'
import { decide, SOMEWHERE } from '../../contract/kernel/permissions.ts'
import {
  accessOf,
  type AnyEndpoint,
  type ResultsOf,
  type RequestOf,
} from '../../contract/kernel/define-endpoint.ts'
import { randomId } from '../lib/random-id.ts'
import { CACHE_LIFETIME_MS } from '../lib/storage-with-expiry.ts'
import { consumePrefetch } from './prefetch-calls.ts'
import { currentVisit } from './auth-state.ts'
import { tokens } from './tokens.ts'
import { webConfig } from './config.ts'
import { notices } from './notices.ts'
import { createCacheInvalidation } from './cache-invalidation.ts'
import { currentHomeId } from './current-home.ts'
import { CallError, callErrorIn, post, type CallFailure } from './post.ts'
import { me, subjectOf } from './session.ts'

/** A call that was not sent because the user lacks the right in `missing` (§5). */
export class PermissionRefused extends CallError {}

export type { ResultsOf, RequestOf }

/** Called when the gateway reports that the session ended (code 4); the shell then signs out. */
let onSignedOut: () => void = () => {}
export const onSessionEnd = (listener: () => void): void => {
  onSignedOut = listener
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** For a mutation: a repeated id executes once and returns the first results again. Generated if absent. */
  requestId?: string | undefined
}

/** Failures after which answers are invalidated: they are proven stale, or the call may have been executed. */
const UNCERTAIN_FAILURES: ReadonlySet<CallFailure> = new Set([
  'NOT_FOUND',
  'NETWORK',
  'UNAVAILABLE',
  'INTERNAL',
])

/** Maximum time to wait, after a conflict, for the changes that others saved, ms: the user waits for the error meanwhile. */
const REMOTE_CHANGE_TIMEOUT_MS = 2_000

/** Whether a call accepts a RequestID, so that it is safe to resend when its answer is lost. */
export const acceptsRequestId = ({ mutates, commitsItself }: AnyEndpoint): boolean =>
  mutates && !commitsItself

/**
 * Calls the gateway and returns the results. A mutation invalidates the answers that its endpoint changes, also after a failure if it may
 * have been executed. After a conflict, the changed record is refetched before the error is thrown.
 *
 * errors  PermissionRefused before anything is sent (a notice names the missing right); CallError otherwise
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: CallOptions = {},
): Promise<ResultsOf<E>> {
  const person = me.get()
  // Before permissions are known, the gateway decides: only calls of the start flow are made then.
  const decision = person ? decide(accessOf(endpoint, input), subjectOf(person), SOMEWHERE) : true
  if (decision !== true && typeof decision === 'object') {
    notices.refused(decision)
    throw new PermissionRefused('PERMISSION_DENIED', endpoint.path, { missing: decision })
  }
  const visit = currentVisit()
  const invalidateChanged = () =>
    cacheInvalidation.invalidate(
      endpoint.changes.map((entity) => ({ entity, record: input as Readonly<Record<string, unknown>> })),
    )
  const requestId = acceptsRequestId(endpoint) ? (options.requestId ?? randomId()) : undefined
  try {
    const headers = await credentials(endpoint)
    const prefetchedAnswer = await consumePrefetch(headers['authorization'], endpoint.path, input)
    if (prefetchedAnswer !== undefined) return prefetchedAnswer as ResultsOf<E>
    const body: unknown = requestId === undefined ? input : { ...(input as object), RequestID: requestId }
    if (requestId !== undefined) cacheInvalidation.markOwnRequest(requestId)
    const results = await post(endpoint.path, body, {
      method: endpoint.method,
      headers,
      signal: options.signal,
    })
    void invalidateChanged()
    return results as ResultsOf<E>
  } catch (error) {
    // Load what others saved before the user chooses, unless it takes too long.
    if (error instanceof CallError && error.failure === 'CONFLICT')
      await Promise.race([invalidateChanged(), pause(REMOTE_CHANGE_TIMEOUT_MS)])
    else if (!(error instanceof CallError) || UNCERTAIN_FAILURES.has(error.failure)) void invalidateChanged()
    if (error instanceof CallError && error.failure === 'UNAVAILABLE')
      void queryClient.invalidateQueries({ queryKey: READINESS_KEY }, { cancelRefetch: false })
    const isSessionEnded = error instanceof CallError && error.failure === 'UNAUTHENTICATED'
    if (isSessionEnded && endpoint.access !== 'public' && visit === currentVisit()) onSignedOut()
    throw error
  }
}

/** Query key of the gateway's readiness; invalidated when a call fails with UNAVAILABLE. */
export const READINESS_KEY = ['readiness'] as const

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Credentials of a call (§7): the API key for the public auth API, else the identity token, plus the access token for two calls. */
async function credentials(endpoint: AnyEndpoint): Promise<Record<string, string>> {
  if (endpoint.access === 'public') return { 'x-api-key': (await webConfig()).ApiKey }
  const stored = await tokens()
  if (!stored) throw new CallError('UNAUTHENTICATED', 'signed out')
  const wantsAccess = endpoint.path === '/ChangePassword' || endpoint.path === '/InitializeUser'
  return { authorization: `Bearer ${stored.id}`, ...(wantsAccess && { 'x-access-token': stored.access }) }
}

/** Cache of the gateway's answers. Fresh for the time that their endpoint states, by default an hour (§4); events keep it current. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: ({ queryKey }) => cacheInvalidation.freshFor(queryKey) ?? CACHE_LIFETIME_MS,
      gcTime: CACHE_LIFETIME_MS,
      refetchOnWindowFocus: false,
      retry: (failures, error) => {
        const failure = callErrorIn(error)?.failure
        return failures < 2 && (failure === 'NETWORK' || failure === 'UNAVAILABLE')
      },
    },
  },
})

/** Invalidation of cached answers by changes of records. */
export const cacheInvalidation = createCacheInvalidation(queryClient, () => ({ homeId: currentHomeId() }))

/** Query key of a call's answer; without input, the prefix of all its answers. */
export function callKey(endpoint: AnyEndpoint, input?: unknown): readonly unknown[] {
  cacheInvalidation.register(endpoint)
  return input === undefined ? [endpoint.path] : [endpoint.path, input]
}

/** A call as a React-Query query: `useQuery(callQuery(home.list, {}))`. */
export function callQuery<E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) {
  return queryOptions({
    queryKey: callKey(endpoint, input),
    queryFn: ({ signal }): Promise<ResultsOf<E>> => call(endpoint, input, { signal }),
  })
}

/** Fetches a shown answer again, after an error. */
export const refetchAnswer = (queryKey: readonly unknown[]): void =>
  void queryClient.refetchQueries({ queryKey, exact: true })
