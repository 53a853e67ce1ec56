import type { ReactElement } from 'react'
import { type RouteObject, UNSAFE_createMemoryHistory, useRoutes } from 'react-router'
import { guardedHistory, type GuardedHistory } from '../../src/lib/guarded-history.ts'
import { FollowHistory } from '../../src/ui/page/page-history.tsx'

/** Pages with a history of their own, which begins at an address. */
export function pagesAt(
  routes: RouteObject[],
  address: string,
): { history: GuardedHistory; pages: ReactElement } {
  const history = guardedHistory(UNSAFE_createMemoryHistory({ initialEntries: [address], v5Compat: true }))
  const Pages = () => useRoutes(routes)
  return {
    history,
    pages: (
      <FollowHistory history={history}>
        <Pages />
      </FollowHistory>
    ),
  }
}
