/** Runs the work on the first call, and returns the same promise from then on. */
export function memoize<T>(work: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  return () => (answer ??= work())
}
