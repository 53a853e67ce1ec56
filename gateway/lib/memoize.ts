/** Runs the work on the first call, and returns the same promise from then on. */
export function memoize<T>(task: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= task())
}
