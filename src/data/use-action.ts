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

/** Pauses before automatic retries, ms. */
const RETRY_DELAYS_MS = [500, 1_000]
/** Time after which a call with `At` in its input is no longer retried automatically, ms. */
const RETRY_WINDOW_MS = 10_000
/** Failures that may pass: the gateway was unavailable or did not receive the call. */
const TRANSIENT_FAILURES: ReadonlySet<CallFailure> = new Set(['NETWORK', 'UNAVAILABLE'])
/** Failures that leave open whether the call was executed. */
const UNANSWERED: ReadonlySet<CallFailure> = new Set([...TRANSIENT_FAILURES, 'INTERNAL'])

/** `call` with one RequestID per intention, and with automatic retries while the gateway is unavailable. */
export type Send = <E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) => Promise<ResultsOf<E>>

/**
 * Sends calls so that none is executed twice: a call keeps its RequestID while its input is the same and no answer arrived.
 * NETWORK and UNAVAILABLE are retried twice; never for a mutation that accepts no RequestID, and never for a call with `At` in its
 * input after `RETRY_WINDOW_MS`.
 */
export function createSend(): Send {
  /** RequestIDs of unanswered calls, by intention. */
  const open = new Map<string, string>()
  return async (endpoint, input) => {
    const intention = hashKey([endpoint.path, input])
    const requestId = open.get(intention) ?? randomId()
    open.set(intention, requestId)
    const wantedAt = Date.now()
    const mayRepeat = () =>
      (acceptsRequestId(endpoint) || !endpoint.mutates) &&
      !('At' in (input as object) && Date.now() - wantedAt > RETRY_WINDOW_MS)
    for (let attempt = 0; ; attempt++)
      try {
        const results = await call(endpoint, input, { requestId })
        open.delete(intention)
        return results
      } catch (error) {
        const failure = callErrorIn(error)?.failure
        if (!failure || !UNANSWERED.has(failure)) open.delete(intention)
        const pause = failure && TRANSIENT_FAILURES.has(failure) ? RETRY_DELAYS_MS[attempt] : undefined
        if (pause === undefined) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
        if (!mayRepeat()) throw error
      }
  }
}

export interface UseAction<Input, Results> {
  busy: boolean
  /** Reason keys by field path, if the gateway rejected fields and the screen shows these (`describeField`); else empty. */
  refused: Readonly<Record<string, string>>
  /** Error of the last run (`describeFailure`), unless `refused` covers it; undefined if it did not fail. */
  failure: unknown
  /** Clears the error, e.g. when the user edits the input. */
  reset: () => void
  /**
   * Runs the action; returns the results, or undefined if it failed. Never rejects. While a run with the same input is in progress (a
   * button pressed twice), returns that run.
   *
   * successText  text of the notice after a success
   */
  run: (input: Input, successText?: (results: Results) => string) => Promise<Results | undefined>
}

interface Options {
  /**
   * Errors that the screen shows itself: rejected fields at their fields ('fields'), any failure in its own place ('failure'), or both.
   * Other errors are shown as a notice; by default all are.
   */
  feedback?: 'fields' | 'failure' | 'both'
}

const NONE: Readonly<Record<string, string>> = {}

/**
 * Action of a button or a form: one call, or work with several calls. All mutations of screens use it, so that no screen keeps its own
 * `busy`, refetches answers (a call invalidates what its endpoint `changes`), or adds a record twice when an answer was lost.
 *
 * A run continues after the screen is left, and its outcome is still shown as a notice.
 *
 *     const rename = useAction(room.operations.update, { feedback: 'fields' })
 *     useRefusedFields(form, rename.refused)
 *     const save = async () => {
 *       if (await rename.run({ ...key, RoomName }, () => t('screens:updated'))) close()
 *     }
 *     <Button loading={rename.busy} onClick={() => void save()}>
 *
 * Work of several steps receives `send`, which calls like the first form; an error that it throws is the failure:
 *
 *     const replace = useAction(async (file: File, send) => {
 *       const { UploadUrl } = await send(uploads.uploadCompanyLogo, { ContentType })
 *       …
 *     })
 *
 * Only `call` reports a missing right.
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
  action: AnyEndpoint | ((input: Input, send: Send) => Promise<Results>),
  { feedback }: Options = {},
): UseAction<Input, Results> {
  const [send] = useState(createSend)
  const runningCalls = useRef(new Map<string, Promise<Results | undefined>>())
  const mutation = useMutation<Results, unknown, Input>(
    {
      mutationFn: (input) =>
        typeof action === 'function'
          ? action(input, send)
          : (send(action, input as never) as Promise<Results>),
      // Fail without a network: an action must not be sent later.
      networkMode: 'always',
      // Inputs may contain passwords.
      gcTime: 0,
    },
    queryClient,
  )
  const showsFields = feedback === 'fields' || feedback === 'both'
  const refusedBy = (error: unknown) => (showsFields && callErrorIn(error)?.fields) || NONE
  const isRefusal = (error: unknown) => Object.keys(refusedBy(error)).length > 0

  const run = async (input: Input, successText?: (results: Results) => string) => {
    try {
      const results = await mutation.mutateAsync(input)
      if (successText) notices.success(() => successText(results))
      return results
    } catch (error) {
      const isShown = feedback === 'failure' || feedback === 'both' || isRefusal(error)
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
    run(input, successText) {
      const id = hashKey([input])
      const runningCall = runningCalls.current.get(id)
      if (runningCall) return runningCall
      const running = run(input, successText).finally(() => runningCalls.current.delete(id))
      runningCalls.current.set(id, running)
      return running
    },
  }
}
