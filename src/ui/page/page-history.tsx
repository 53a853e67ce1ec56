import { createContext, type ReactNode, useCallback, useContext } from 'react'
import { unstable_HistoryRouter as HistoryRouter, useLocation } from 'react-router'
import type { GuardedHistory } from '../../lib/guarded-history.ts'

/** The history that moves the pages. */
export const PageHistory = createContext<GuardedHistory | undefined>(undefined)

/** Has pages follow a history. */
export const FollowHistory = ({ history, children }: { history: GuardedHistory; children: ReactNode }) => (
  <PageHistory value={history}>
    <HistoryRouter history={history}>{children}</HistoryRouter>
  </PageHistory>
)

/**
 * Whether the address is still that of the page as it is drawn: who has gone on before the next page is drawn is not to be led
 * back by what this one does later.
 */
export function useIsCurrentPage(): () => boolean {
  const history = useContext(PageHistory)
  const { pathname } = useLocation()
  return useCallback(() => !history || history.location.pathname === pathname, [history, pathname])
}
