import { loadNamespaces } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy.tsx'

/** The warnings, loaded with their translations, for pages that do not load those of automations. */
export const LazyUsersWarning = lazyPart(
  async () => (await Promise.all([import('./users-warning.tsx'), loadNamespaces(['automation'])]))[0],
)
export const LazyRulesWarning = lazyPart(
  async () => (await Promise.all([import('./rules-warning.tsx'), loadNamespaces(['automation'])]))[0],
)
