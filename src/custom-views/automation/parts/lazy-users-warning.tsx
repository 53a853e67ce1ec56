import { loadNamespaces } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy-part.tsx'

/** The warning with its words, for pages that are not about automations. */
export const LazyUsersWarning = lazyPart(
  async () => (await Promise.all([import('./users-warning.tsx'), loadNamespaces(['automation'])]))[0],
)
