import type { Plugin } from 'vite'
import { DIRECT_SCREENS } from './application.ts'
import { type Chunks, chunksOf, closure } from './closure.ts'

/** Chunks of the sign-in page and of the application. */
const FIRST = ['start', 'app']
/** Explicit compile hint of V8; a plain comment to other browsers. */
const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Files that run, all or almost all of their code, as soon as they are loaded.
 *
 * screens  module ids of screens that are often opened
 */
export const runAtOnce = (chunks: Chunks, screens: ReadonlySet<string>): string[] =>
  closure(
    chunks,
    [...chunks.values()]
      .filter(({ name, moduleIds }) => FIRST.includes(name) || moduleIds.some((id) => screens.has(id)))
      .map(({ fileName }) => fileName),
  )

/**
 * Vite plugin that makes the browser compile these files on a background thread while they load. Compiling each function at its first
 * call would block the page.
 */
export function compileAtOnce(): Plugin {
  return {
    name: 'compile-at-once',
    apply: 'build',
    generateBundle: {
      // After plugins that write to the top of a file.
      order: 'post',
      handler(_options, bundle) {
        const chunks = chunksOf(bundle)
        for (const file of runAtOnce(chunks, new Set(DIRECT_SCREENS))) {
          const chunk = chunks.get(file)
          if (chunk) chunk.code = HINT + chunk.code
        }
      },
    },
  }
}
