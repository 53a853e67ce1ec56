/** Does something when it is first asked for, and answers the same from then on. */
export function memoize<T>(work: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => (answer ??= work())
}
