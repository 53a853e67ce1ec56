import { QueryClient, queryOptions } from '@tanstack/react-query'
import { decide } from '../../contract/kernel/permissions.ts'
import {
  accessOf,
  type AnyEndpoint,
  type ResultsOf,
  type RequestOf,
} from '../../contract/kernel/define-endpoint.ts'
import { randomId } from '../lib/random-id.ts'
import { CACHE_LIFETIME_MS } from '../lib/storage-with-expiry.ts'
import { consumePrefetch } from './prefetch.ts'
import { currentVisit } from './tokens/auth-state.ts'
import { tokens } from './tokens/tokens.ts'
import { webConfig } from './config.ts'
import { notices } from './notices.ts'
import { createCacheInvalidation } from './cache-invalidation.ts'
import { currentHomeId } from './current-home.ts'
import { CallError, callErrorIn, post, type CallFailure } from './post.ts'
import { me, subjectOf } from './session.ts'

/** A call that was not sent because the person lacks the right; its `missing` says which (§5). */
export class PermissionRefused extends CallError {}

export type { ResultsOf, RequestOf }

/** Called when the gateway says that the session is over (code 4); the shell signs out. */
let onSignedOut: () => void = () => {}
export const onSessionEnd = (listener: () => void): void => {
  onSignedOut = listener
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** Of a mutation: the same again executes once and answers the first results again. Made again when left out. */
  requestId?: string | undefined
}

/** What is shown is proven old, or nobody knows whether the call was executed; one that was given up may have been, too. */
const MAY_HAVE_CHANGED: ReadonlySet<CallFailure> = new Set([
  'NOT_FOUND',
  'NETWORK',
  'UNAVAILABLE',
  'INTERNAL',
])

/** After a refusal what others have saved is waited for so long, in ms: a person waits for the refusal meanwhile. */
const REMOTE_CHANGE_TIMEOUT_MS = 2_000

/** Whether a call takes a RequestID, so that it may be sent again when its answer is lost. */
export const acceptsRequestId = ({ mutates, commitsItself }: AnyEndpoint): boolean =>
  mutates && !commitsItself

/**
 * Calls the gateway and answers the results. What a mutation changes makes answers old: also when it failed and may have
 * been executed, and when somebody was first, whose record has then come before the failure is told.
 *
 * errors  PermissionRefused before anything is sent (the person is told which right is missing); CallError otherwise
 */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: CallOptions = {},
): Promise<ResultsOf<E>> {
  const person = me.get()
  // Before permissions are known the gateway decides: only the calls of the start flow are made then.
  const decision = person ? decide(accessOf(endpoint, input), subjectOf(person)) : true
  if (decision !== true && typeof decision === 'object') {
    notices.refused(decision)
    throw new PermissionRefused('PERMISSION_DENIED', endpoint.path, { missing: decision })
  }
  const visit = currentVisit()
  const told = () =>
    cacheInvalidation.tell(
      endpoint.changes.map((entity) => ({ entity, record: input as Readonly<Record<string, unknown>> })),
    )
  const requestId = acceptsRequestId(endpoint) ? (options.requestId ?? randomId()) : undefined
  try {
    const headers = await credentials(endpoint)
    const early = await consumePrefetch(headers['authorization'], endpoint.path, input)
    if (early !== undefined) return early as ResultsOf<E>
    const body: unknown = requestId === undefined ? input : { ...(input as object), RequestID: requestId }
    if (requestId !== undefined) cacheInvalidation.made(requestId)
    const results = await post(endpoint.path, body, {
      method: endpoint.method,
      headers,
      signal: options.signal,
    })
    void told()
    return results as ResultsOf<E>
  } catch (error) {
    // What others have saved is there before one chooses, unless it takes too long: then it comes later.
    if (error instanceof CallError && error.failure === 'CONFLICT')
      await Promise.race([told(), pause(REMOTE_CHANGE_TIMEOUT_MS)])
    else if (!(error instanceof CallError) || MAY_HAVE_CHANGED.has(error.failure)) void told()
    if (error instanceof CallError && error.failure === 'UNAVAILABLE')
      void queryClient.invalidateQueries({ queryKey: READINESS_KEY }, { cancelRefetch: false })
    const ended = error instanceof CallError && error.failure === 'UNAUTHENTICATED'
    if (ended && endpoint.access !== 'public' && visit === currentVisit()) onSignedOut()
    throw error
  }
}

/** The key of what the gateway says is wrong with it: asked at once when a call says that it cannot. */
export const READINESS_KEY = ['readiness'] as const

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Bearer of the identity token; the public auth API wants the API key; a password change the access token (§7). */
async function credentials(endpoint: AnyEndpoint): Promise<Record<string, string>> {
  if (endpoint.access === 'public') return { 'x-api-key': (await webConfig()).ApiKey }
  const held = await tokens()
  if (!held) throw new CallError('UNAUTHENTICATED', 'signed out')
  const wantsAccess = endpoint.path === '/ChangePassword' || endpoint.path === '/InitializeUser'
  return { authorization: `Bearer ${held.id}`, ...(wantsAccess && { 'x-access-token': held.access }) }
}

/** The one cache of what the gateway said. Good as long as its call says, mostly an hour (§4): events keep it current meanwhile. */
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

/** Which of them a change makes old. */
export const cacheInvalidation = createCacheInvalidation(queryClient, () => ({ homeId: currentHomeId() }))

/** The key under which a call's answer is cached; without input, the prefix of all its answers. */
export function callKey(endpoint: AnyEndpoint, input?: unknown): readonly unknown[] {
  cacheInvalidation.note(endpoint)
  return input === undefined ? [endpoint.path] : [endpoint.path, input]
}

/** A call as a React-Query query: `useQuery(callQuery(home.list, {}))`. */
export function callQuery<E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) {
  return queryOptions({
    queryKey: callKey(endpoint, input),
    queryFn: ({ signal }): Promise<ResultsOf<E>> => call(endpoint, input, { signal }),
  })
}
