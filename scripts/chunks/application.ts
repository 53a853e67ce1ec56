import { resolve } from 'node:path'
import type { Rolldown } from 'vite'
import { reachable, type ModuleOf } from './reachable.ts'

/** Prefetches files and calls before the rest of the page has loaded. */
export const FIRST_REQUESTS = resolve('src/prefetch.ts')
/** Loads the application. */
const LOAD_APP = resolve('src/load-app.ts')
export const DASHBOARD = resolve('src/custom-views/dashboard/dashboard.tsx')
/** Screens that users often open by their address; they render without Ant Design. */
export const DIRECT_SCREENS: readonly string[] = [
  DASHBOARD,
  resolve('src/custom-views/device-list/device-list-page.tsx'),
  resolve('src/custom-views/electricity/electricity-page.tsx'),
  resolve('src/custom-views/building/building-page.tsx'),
  resolve('src/custom-views/bookings/booking-page.tsx'),
]
/** Imports the screens. */
export const ROUTES = resolve('src/routes.ts')
/** Modules that import more by themselves after the first paint. */
const FETCHES_MORE = [
  DASHBOARD,
  resolve('src/custom-views/dashboard/tiles/tiles.tsx'),
  resolve('src/shell/layout.tsx'),
  resolve('src/background-tasks.ts'),
  resolve('src/live/channel.ts'),
]
/** List of the translation files, which the sign-in page does not need. */
const WORDS = resolve('src/lib/i18n/words/files.ts')

/** Entry modules of the application: its parts, and the list of translation files. */
export const application = (moduleOf: ModuleOf): string[] => [
  LOAD_APP,
  ...(moduleOf(LOAD_APP)?.dynamicallyImportedIds ?? []),
  WORDS,
]

/**
 * Modules that load by themselves after the first paint: cards, badges, hints, message handlers. Excludes modules that need Ant Design,
 * which load on demand, and libraries (mqtt), which are files of their own.
 */
export const afterFirstScreen = (moduleOf: ModuleOf): string[] =>
  FETCHES_MORE.flatMap((id) => moduleOf(id)?.dynamicallyImportedIds ?? []).filter(
    (id) => !id.includes('/node_modules/') && !needsAntDesign(id, moduleOf),
  )

/** Whether a module imports Ant Design, directly or indirectly. */
export const needsAntDesign = (id: string, moduleOf: ModuleOf): boolean =>
  [...reachable([id], moduleOf)].some((needed) => needed.includes('/antd/es/'))

/** Assigns modules of the first requests to the chunk `first-requests`. Must precede all other groups. */
export function firstRequestsChunk(): Rolldown.CodeSplittingNameFunction {
  let needed: Set<string> | undefined
  return (id, context) => {
    needed ??= reachable([FIRST_REQUESTS], (each) => context.getModuleInfo(each))
    return needed.has(id) ? 'first-requests' : null
  }
}

/**
 * Assigns modules that the application imports, directly or indirectly, to the chunk `app`. Must follow the groups of modules that have
 * a file of their own.
 */
export function applicationChunk(): Rolldown.CodeSplittingNameFunction {
  let needed: Set<string> | undefined
  return (id, context) => {
    const moduleOf: ModuleOf = (each) => context.getModuleInfo(each)
    needed ??= reachable(application(moduleOf), moduleOf)
    return needed.has(id) ? 'app' : null
  }
}
