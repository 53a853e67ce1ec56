import { createContext, type ReactNode } from 'react'
import { unstable_HistoryRouter as HistoryRouter } from 'react-router'
import type { GuardedHistory } from '../../lib/guarded-history.ts'

/** The history that moves the pages. */
export const PageHistory = createContext<GuardedHistory | undefined>(undefined)

/** Has pages follow a history. */
export const FollowHistory = ({ history, children }: { history: GuardedHistory; children: ReactNode }) => (
  <PageHistory value={history}>
    <HistoryRouter history={history}>{children}</HistoryRouter>
  </PageHistory>
)
