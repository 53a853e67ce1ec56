/**
 * Creates a function that runs work with the same key sequentially, in order of arrival; work with other keys runs concurrently. A
 * failure rejects only its own caller.
 */
export function createSerialQueue(): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  /** Last work of each active key. */
  const tails = new Map<string, Promise<void>>()
  return (key, task) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(task)
    const tail = result.then(
      () => {},
      () => {},
    )
    tails.set(key, tail)
    void tail.then(() => tails.get(key) === tail && tails.delete(key))
    return result
  }
}
