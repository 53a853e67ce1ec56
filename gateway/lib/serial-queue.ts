/**
 * Makes a function that does work about one thing in the order it was asked for, one piece at a time; work about others
 * goes on meanwhile. Work that fails fails for who asked for it, and the next follows.
 */
export function createSerialQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  /** The last piece of each thing that has some. */
  const tails = new Map<string, Promise<void>>()
  return (key, work) => {
    const result = (tails.get(key) ?? Promise.resolve()).then(work)
    const tail = result.then(
      () => {},
      () => {},
    )
    tails.set(key, tail)
    void tail.then(() => tails.get(key) === tail && tails.delete(key))
    return result
  }
}
