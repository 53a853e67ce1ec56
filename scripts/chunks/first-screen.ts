import { resolve } from 'node:path'
import type { Rolldown } from 'vite'
import { reachable, type ModuleOf } from './reachable.ts'

/** Runs the application, a part at a time. */
const IN_TURNS = resolve('src/app-in-turns.ts')
const DASHBOARD = resolve('src/custom-views/dashboard/dashboard.tsx')
/** What fetches more by itself once the first picture stands. */
const FETCHES_MORE = [
  DASHBOARD,
  resolve('src/custom-views/dashboard/tiles.tsx'),
  resolve('src/shell/layout.tsx'),
  resolve('src/soon.ts'),
  resolve('src/live/live.ts'),
]
/** The list of the words' files, which the sign-in page does without. */
const WORDS = resolve('src/lib/i18n/words/files.ts')

/** Where the first signed-in screen begins: the parts of the application, the dashboard, and words, which `src/main.tsx` fetches together. */
export const firstScreen = (moduleOf: ModuleOf): string[] => [
  IN_TURNS,
  ...(moduleOf(IN_TURNS)?.dynamicallyImportedIds ?? []),
  DASHBOARD,
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

/**
 * Names the chunk `app` for every module that the first signed-in screen imports, however indirectly, and none for the
 * others. To be used after the groups of what has a file of its own.
 */
export function firstScreenChunk(): Rolldown.CodeSplittingNameFunction {
  let needed: Set<string> | undefined
  return (id, context) => {
    const moduleOf: ModuleOf = (each) => context.getModuleInfo(each)
    needed ??= reachable(firstScreen(moduleOf), moduleOf)
    return needed.has(id) ? 'app' : null
  }
}
