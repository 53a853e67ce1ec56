import { createContext, type ReactNode, useCallback, useContext } from 'react'
import { unstable_HistoryRouter as HistoryRouter, useLocation } from 'react-router'
import type { GuardedHistory } from '../../lib/guarded-history.ts'

export const PageHistory = createContext<GuardedHistory | undefined>(undefined)

/** Renders pages according to a history. */
export const FollowHistory = ({ history, children }: { history: GuardedHistory; children: ReactNode }) => (
  <PageHistory value={history}>
    <HistoryRouter history={history}>{children}</HistoryRouter>
  </PageHistory>
)

/**
 * Whether the address is still that of the rendered page: after the user has navigated on, later work of this page must not navigate back.
 */
export function useIsCurrentPage(): () => boolean {
  const history = useContext(PageHistory)
  const { pathname } = useLocation()
  return useCallback(() => !history || history.location.pathname === pathname, [history, pathname])
}
