import { prefetched, prefetchKey } from './prefetch-calls.ts'

/** Discards answers that were not consumed by the end of the start flow, except those that the opened screen consumes next. */
export function discardPrefetch(): void {
  const { answers, ofScreen } = prefetched() ?? {}
  for (const key of answers?.keys() ?? []) if (!ofScreen?.has(key)) answers?.delete(key)
}

/** Returns the prefetched answer for the same token, once; undefined if there is none. */
export function consumePrefetch(
  authorization: string | undefined,
  path: string,
  input: unknown,
): Promise<unknown> | undefined {
  const prefetch = prefetched()
  if (prefetch?.authorization !== authorization) return undefined
  const key = prefetchKey(path, input)
  const answer = prefetch?.answers.get(key)
  prefetch?.answers.delete(key)
  return answer
}
