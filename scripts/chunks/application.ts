import { resolve } from 'node:path'
import type { Rolldown } from 'vite'
import { reachable, type ModuleOf } from './reachable.ts'

/** Asks for what is needed first, before anything else of the page has come. */
export const FIRST_REQUESTS = resolve('src/prefetch.ts')
/** Runs the application, a part at a time. */
const IN_TURNS = resolve('src/load-app.ts')
export const DASHBOARD = resolve('src/custom-views/dashboard/dashboard.tsx')
/** Names the screens that people often open by their address. */
export const OFTEN_OPENED = resolve('src/direct-entry-routes.ts')
/** What fetches more by itself once the first picture stands. */
const FETCHES_MORE = [
  DASHBOARD,
  resolve('src/custom-views/dashboard/tiles.tsx'),
  resolve('src/shell/layout.tsx'),
  resolve('src/background-tasks.ts'),
  resolve('src/live/live.ts'),
]
/** The list of the words' files, which the sign-in page does without. */
const WORDS = resolve('src/lib/i18n/words/files.ts')

/** Where the application begins: its parts, and the list of words. */
export const application = (moduleOf: ModuleOf): string[] => [
  IN_TURNS,
  ...(moduleOf(IN_TURNS)?.dynamicallyImportedIds ?? []),
  WORDS,
]

/**
 * What comes by itself after the first picture: cards, badges, hints, what is heard. What needs Ant Design comes when it is asked for,
 * and a library (mqtt) is a file of its own.
 */
export const afterFirstScreen = (moduleOf: ModuleOf): string[] =>
  FETCHES_MORE.flatMap((id) => moduleOf(id)?.dynamicallyImportedIds ?? []).filter(
    (id) => !id.includes('/node_modules/') && !needsAntDesign(id, moduleOf),
  )

/** Whether a module, or what it imports, however indirectly, is Ant Design's. */
export const needsAntDesign = (id: string, moduleOf: ModuleOf): boolean =>
  [...reachable([id], moduleOf)].some((needed) => needed.includes('/antd/es/'))

/** Names the chunk `first-requests` for what asks for what is needed first. To be used before all other groups. */
export function firstRequestsChunk(): Rolldown.CodeSplittingNameFunction {
  let needed: Set<string> | undefined
  return (id, context) => {
    needed ??= reachable([FIRST_REQUESTS], (each) => context.getModuleInfo(each))
    return needed.has(id) ? 'first-requests' : null
  }
}

/**
 * Names the chunk `app` for every module that the application imports, however indirectly, and none for the
 * others. To be used after the groups of what has a file of its own.
 */
export function applicationChunk(): Rolldown.CodeSplittingNameFunction {
  let needed: Set<string> | undefined
  return (id, context) => {
    const moduleOf: ModuleOf = (each) => context.getModuleInfo(each)
    needed ??= reachable(application(moduleOf), moduleOf)
    return needed.has(id) ? 'app' : null
  }
}
