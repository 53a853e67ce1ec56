import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { DIRECT_SCREENS } from './page-chunks.ts'

/** Chunks of the sign-in page and of the application. */
const FIRST = ['first-page', 'app']
/** Explicit compile hint of V8; a plain comment to other browsers. */
const HINT = '//# allFunctionsCalledOnLoad\n'

/** Chunks of a build, by file name. */
type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>

/** The files of the first screens, and all files that they import: almost all of their code runs as soon as it is loaded. */
export function filesOfFirstScreens(chunks: Chunks, screens: readonly string[]): Set<string> {
  const files = new Set<string>()
  for (const { name, moduleIds, fileName } of chunks.values())
    if (FIRST.includes(name) || moduleIds.some((id) => screens.includes(id))) files.add(fileName)
  for (const file of files) for (const next of chunks.get(file)?.imports ?? []) files.add(next)
  return files
}

/** Modules that the first screens must not load: Ant Design, the realtime client, and the schemas of changed records. */
const NOT_AT_FIRST = /\/node_modules\/(?:antd|mqtt)\/|\/contract\/(?:.*\/)?data-change\.ts$/

/** Modules of these files that the first screens must not load. */
export const tooEarly = (chunks: Chunks, files: Iterable<string>): string[] =>
  [...files].flatMap((file) => chunks.get(file)?.moduleIds.filter((id) => NOT_AT_FIRST.test(id)) ?? [])

/**
 * Vite plugin that makes the browser compile these files on a background thread while they load. Compiling each function at its first
 * call would block the page. Fails the build if one of the files contains what the first screens must not load.
 */
export function compileAtOnce(): Plugin {
  return {
    name: 'compile-at-once',
    apply: 'build',
    generateBundle: {
      // After plugins that write to the top of a file.
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle).filter((file) => file.type === 'chunk')
        const chunks = new Map(files.map((chunk) => [chunk.fileName, chunk]))
        const screens = DIRECT_SCREENS.map((path) => resolve(path))
        const first = filesOfFirstScreens(chunks, screens)
        const wrong = tooEarly(chunks, first)
        if (wrong.length > 0) this.error(`The first screens load ${wrong.slice(0, 5).join(', ')}`)
        for (const file of first) {
          const chunk = chunks.get(file)
          if (chunk) chunk.code = HINT + chunk.code
        }
      },
    },
  }
}
