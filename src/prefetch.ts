/**
 * Sends the first requests of the page if this browser has a stored session: the files of the application, and of the dashboard if that
 * is opened, which the build lists in the page (scripts/first-requests.ts), and the first calls of the start flow. A small file of its
 * own, which on a weak line loads a second before the sign-in page's code.
 */
import { prefetchFirstCalls } from './data/prefetch-calls.ts'
import { webConfig } from './data/config.ts'
import { signedInClients } from './data/tokens.ts'
import { routeOf } from './routes.ts'

/** Fetches the files of a list in the page; the development server has no lists. */
function fetchListed(list: 'app' | 'dashboard'): void {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-${list}]`)
  if (template) document.head.append(template.content)
}

if (signedInClients().length > 0) {
  const opened = routeOf(location.pathname)
  fetchListed('app')
  if (opened?.name === 'Home' || opened?.name === 'Dashboard') fetchListed('dashboard')
  // The caller that needs the configuration fetches it again and handles the failure.
  webConfig().catch(() => {})
  prefetchFirstCalls(opened?.route.prefetch?.firstCalls(opened.params))
}
