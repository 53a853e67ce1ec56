import { hashKey, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { randomId } from '../lib/random-id.ts'
import {
  call,
  PermissionRefused,
  queryClient,
  acceptsRequestId,
  type ResultsOf,
  type RequestOf,
} from './api.ts'
import { describeRefusal, failureDetail } from './failure.ts'
import { notices } from './notices.ts'
import { callErrorIn, type CallFailure } from './post.ts'

/** Pauses before a call is sent again by itself, in ms. */
const PAUSES = [500, 1_000]
/** A call whose input says when it is meant to act is not sent again by itself later than this, in ms. */
const RETRY_WINDOW_MS = 10_000
/** The gateway was away or has not got the call. */
const PASSING: ReadonlySet<CallFailure> = new Set(['NETWORK', 'UNAVAILABLE'])
/** Nothing says whether the call has been executed. */
const UNANSWERED: ReadonlySet<CallFailure> = new Set([...PASSING, 'INTERNAL'])

/** `call` as an action makes it: one RequestID per intention, and again by itself when the gateway was away. */
export type Send = <E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) => Promise<ResultsOf<E>>

/**
 * Sends calls so that none is executed twice: a call keeps its RequestID while its input is the same and no answer came.
 * NETWORK and UNAVAILABLE are tried twice more; never a mutation that takes no RequestID, and never one with `At` in its
 * input 10 s after it was wanted.
 */
export function createSend(): Send {
  /** RequestIDs of calls that were not answered. */
  const open = new Map<string, string>()
  return async (endpoint, input) => {
    const intention = hashKey([endpoint.path, input])
    const requestId = open.get(intention) ?? randomId()
    open.set(intention, requestId)
    const wantedAt = Date.now()
    const mayRepeat = () =>
      (acceptsRequestId(endpoint) || !endpoint.mutates) &&
      !('At' in (input as object) && Date.now() - wantedAt > RETRY_WINDOW_MS)
    for (let tried = 0; ; tried++)
      try {
        const results = await call(endpoint, input, { requestId })
        open.delete(intention)
        return results
      } catch (error) {
        const failure = callErrorIn(error)?.failure
        if (!failure || !UNANSWERED.has(failure)) open.delete(intention)
        const pause = failure && PASSING.has(failure) ? PAUSES[tried] : undefined
        if (pause === undefined) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
        if (!mayRepeat()) throw error
      }
  }
}

export interface UseAction<Input, Results> {
  busy: boolean
  /** Reason key by field path, where the gateway refused fields and the screen shows these (`describeField`); else empty. */
  refused: Readonly<Record<string, string>>
  /** Why the last run failed, unless `refused` says it (`describeFailure`); undefined while there is nothing to say. */
  failure: unknown
  /** Forgets the refusal or failure: it is being put right. */
  reset: () => void
  /**
   * Runs; answers the results, or undefined when it failed. Never rejects. Run again with the same input while it is under
   * way (a button pressed twice), it is the same run.
   *
   * done  told as a notice when it succeeded
   */
  run: (input: Input, done?: (results: Results) => string) => Promise<Results | undefined>
}

interface Options {
  /**
   * What of a failed run the screen shows itself: refused fields at their fields, any failure in its own place, or the
   * fields at theirs and other failures in their place. The rest is told as a notice, without this all.
   */
  shows?: 'fields' | 'failure' | 'both'
}

const NONE: Readonly<Record<string, string>> = {}

/**
 * What a button or a form does: one call, or some work with several. Everything that a screen changes goes through this, so
 * that no screen keeps its own `busy`, asks for an answer again (a call makes old what its endpoint `changes`), or adds a
 * record twice when an answer was lost.
 *
 * A run goes on when the screen is left, and its end is told all the same.
 *
 *     const rename = useAction(room.operations.update, { shows: 'fields' })
 *     useRefusedFields(form, rename.refused)
 *     const save = async () => {
 *       if (await rename.run({ ...key, RoomName }, () => t('screens:updated'))) close()
 *     }
 *     <Button loading={rename.busy} onClick={() => void save()}>
 *
 * Work of several steps gets `send`, which calls like the first form does; what it throws is the failure:
 *
 *     const replace = useAction(async (file: File, send) => {
 *       const { UploadUrl } = await send(uploads.uploadCompanyLogo, { ContentType })
 *       …
 *     })
 *
 * A missing right is told by `call`, and by nobody else.
 */
export function useAction<E extends AnyEndpoint>(
  endpoint: E,
  options?: Options,
): UseAction<RequestOf<E>, ResultsOf<E>>
export function useAction<Input, Results>(
  work: (input: Input, send: Send) => Promise<Results>,
  options?: Options,
): UseAction<Input, Results>
export function useAction<Input, Results>(
  what: AnyEndpoint | ((input: Input, send: Send) => Promise<Results>),
  { shows }: Options = {},
): UseAction<Input, Results> {
  const [send] = useState(createSend)
  const underWay = useRef(new Map<string, Promise<Results | undefined>>())
  const mutation = useMutation<Results, unknown, Input>(
    {
      mutationFn: (input) =>
        typeof what === 'function' ? what(input, send) : (send(what, input as never) as Promise<Results>),
      // Without a network it fails now: what was asked for is never sent later.
      networkMode: 'always',
      // Inputs may hold passwords.
      gcTime: 0,
    },
    queryClient,
  )
  const showsFields = shows === 'fields' || shows === 'both'
  const refusedBy = (error: unknown) => (showsFields && callErrorIn(error)?.fields) || NONE
  const isRefusal = (error: unknown) => Object.keys(refusedBy(error)).length > 0

  const run = async (input: Input, done?: (results: Results) => string) => {
    try {
      const results = await mutation.mutateAsync(input)
      if (done) notices.success(() => done(results))
      return results
    } catch (error) {
      const isShown = shows === 'failure' || shows === 'both' || isRefusal(error)
      if (!isShown && !(error instanceof PermissionRefused))
        notices.error(() => describeRefusal(error), failureDetail(error))
      return undefined
    }
  }

  return {
    busy: mutation.isPending,
    refused: refusedBy(mutation.error),
    failure: isRefusal(mutation.error) ? undefined : (mutation.error ?? undefined),
    reset: mutation.reset,
    run(input, done) {
      const id = hashKey([input])
      const same = underWay.current.get(id)
      if (same) return same
      const running = run(input, done).finally(() => underWay.current.delete(id))
      underWay.current.set(id, running)
      return running
    },
  }
}
