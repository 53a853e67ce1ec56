/**
 * Requests what the page needs if this browser has a stored session: the first calls of the start flow, the application, and the screen of
 * the address. A small file of its own, which on a weak line loads a second before the sign-in page's code.
 */
import './lib/zod-without-eval.ts'
import { prefetchFirstCalls } from './data/prefetch-calls.ts'
import { webConfig } from './data/config.ts'
import { signedInClients } from './data/tokens.ts'
import { loadApp } from './load-app.ts'
import { routeOf } from './routes.ts'

if (signedInClients().length > 0) {
  const opened = routeOf(location.pathname)
  // Failures are ignored: the caller that needs an answer or a file requests it again.
  webConfig().catch(() => {})
  prefetchFirstCalls(opened?.route.prefetch?.firstCalls(opened.params))
  void Promise.allSettled([loadApp(), opened?.route.load(), opened?.route.prefetch?.queries?.()])
}
