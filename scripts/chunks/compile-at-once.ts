import type { Plugin } from 'vite'
import { OFTEN_OPENED } from './application.ts'
import { type Chunks, chunksOf, closure } from './closure.ts'

/** The sign-in page and the application. */
const FIRST = ['start', 'app']
/** One of V8's explicit compile hints; to every other browser it is a comment. */
const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * The files that run as soon as they have come, all of them or nearly so.
 *
 * screens  ids of the modules of screens that are often opened
 */
export const runAtOnce = (chunks: Chunks, screens: ReadonlySet<string>): string[] =>
  closure(
    chunks,
    [...chunks.values()]
      .filter(({ name, moduleIds }) => FIRST.includes(name) || moduleIds.some((id) => screens.has(id)))
      .map(({ fileName }) => fileName),
  )

/**
 * Has a browser compile what runs as soon as it has come, beside the page while it comes, instead of a function at a time when it is
 * called first: that keeps the page from answering.
 */
export function compileAtOnce(): Plugin {
  return {
    name: 'compile-at-once',
    apply: 'build',
    generateBundle: {
      // After what others write to the top of a file.
      order: 'post',
      handler(_options, bundle) {
        const chunks = chunksOf(bundle)
        const screens = this.getModuleInfo(OFTEN_OPENED)?.dynamicallyImportedIds
        if (!screens?.length) throw new Error(`${OFTEN_OPENED} names no screens`)
        for (const file of runAtOnce(chunks, new Set(screens))) {
          const chunk = chunks.get(file)
          if (chunk) chunk.code = HINT + chunk.code
        }
      },
    },
  }
}
