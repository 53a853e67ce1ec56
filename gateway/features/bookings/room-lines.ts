/** Ends of the lines that stand now, by name. */
const ends = new Map<string, Promise<void>>()

/**
 * Lines up who wants the same thing within this gateway, so that they do not wait in the database, each with a connection
 * that others could use.
 *
 * returns  `turn` resolves when all before have left; undefined when there is nobody. Whoever entered must leave
 */
export function enterLine(name: string): { turn: Promise<void> | undefined; leave: () => void } {
  const turn = ends.get(name)
  const { promise, resolve: leave } = withResolvers()
  const end = turn ? turn.then(() => promise) : promise
  ends.set(name, end)
  void end.then(() => {
    if (ends.get(name) === end) ends.delete(name)
  })
  return { turn, leave }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
