import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/**
 * Asks again for answers that are old. The first time at once, and what was under way since before begins anew; what grows old
 * meanwhile is asked for once when that has come: a burst of changes neither asks for each, nor keeps a slow list from ever
 * coming.
 *
 * queryKey  of one answer, or what the keys of several begin with
 */
export function createRefetch(client: QueryClient): (queryKey: QueryKey) => void {
  /** What is being asked for, and whether it has grown old since. */
  const asking = new Map<string, boolean>()
  /** A first answer that is on its way is not given up for another: it comes, and is old. */
  const firstOnItsWay = (queryKey: QueryKey) =>
    client
      .getQueryCache()
      .findAll({ queryKey, fetchStatus: 'fetching' })
      .some(({ state }) => state.data === undefined)

  async function ask(queryKey: QueryKey) {
    const id = hashKey(queryKey)
    if (asking.has(id)) {
      asking.set(id, true)
      return
    }
    do {
      asking.set(id, firstOnItsWay(queryKey))
      await client.invalidateQueries({ queryKey })
    } while (asking.get(id))
    asking.delete(id)
  }
  return (queryKey) => void ask(queryKey)
}
