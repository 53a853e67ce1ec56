import { resolve } from 'node:path'
import type { Rolldown } from 'vite'
import { reachable, type ModuleOf } from './reachable.ts'

/** Runs the application, a part at a time. */
const IN_TURNS = resolve('src/app-in-turns.ts')
const DASHBOARD = resolve('src/custom-views/dashboard/dashboard.tsx')
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
