import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { chunksOf, closure } from './chunks/closure.ts'

/** What names the screens that people often open by their address. */
const OFTEN_OPENED = resolve('src/often-opened.ts')
/** The sign-in page and the application. */
const FIRST = ['start', 'app']
/** One of V8's explicit compile hints; to every other browser it is a comment. */
const HINT = '//# allFunctionsCalledOnLoad\n'

/**
 * Has a browser compile what runs as soon as it has come, all of it or nearly so, beside the page while it comes, instead of a function
 * at a time when it is called first: that keeps the page from answering.
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
        const screens = new Set(this.getModuleInfo(OFTEN_OPENED)?.dynamicallyImportedIds)
        const begin = [...chunks.values()].filter(
          ({ name, moduleIds }) => FIRST.includes(name) || moduleIds.some((id) => screens.has(id)),
        )
        for (const file of closure(
          chunks,
          begin.map(({ fileName }) => fileName),
        )) {
          const chunk = chunks.get(file)
          if (chunk) chunk.code = HINT + chunk.code
        }
      },
    },
  }
}
