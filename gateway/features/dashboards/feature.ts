import type { Feature } from '../../kernel/deps.ts'
import { dashboardCallHandlers } from './check-sharing.ts'
import { dashboardHandlers } from './dashboard.ts'

/** Dashboards that people arrange, name and share. */
export const dashboards = () =>
  ({ handlers: { dashboard: { ...dashboardHandlers, ...dashboardCallHandlers } } }) satisfies Feature
