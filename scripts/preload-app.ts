import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { type Chunks, chunksOf, closure } from './chunks/closure.ts'
import { firstScreen } from './chunks/first-screen.ts'

/** What looks whether the application is needed, before anything else of the page. */
const LOOKS = 'src/preload-app.ts'

/** Lists the files of the first signed-in screen in the page, for `src/preload-app.ts` to fetch where they are needed. */
export function preloadApp(): Plugin {
  let needs: string[] = []
  return {
    name: 'preload-app',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: resolve(LOOKS), name: 'preload-app' })
    },
    buildEnd() {
      needs = firstScreen((id) => this.getModuleInfo(id))
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk: page }) {
        const chunks = chunksOf(bundle)
        const first = chunkOf(chunks, resolve(LOOKS))
        const there = closure(chunks, page ? [page.fileName] : [])
        const sizeOf = (file: string) => chunks.get(file)?.code.length ?? 0
        // The largest first: it takes longest, and a browser fetches few at a time.
        const needed = closure(
          chunks,
          needs.map((id) => chunkOf(chunks, id).fileName),
        )
          .filter((file) => !there.includes(file))
          .toSorted((one, other) => sizeOf(other) - sizeOf(one))
        const styles = needed.flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])])
        return [
          {
            tag: 'template',
            attrs: { 'data-app': true },
            injectTo: 'body',
            children: [
              ...needed.map((file) => ({
                tag: 'link',
                attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
              })),
              ...styles.map((file) => ({
                tag: 'link',
                attrs: { rel: 'preload', as: 'style', crossorigin: true, href: `/${file}` },
              })),
            ],
          },
          {
            tag: 'script',
            attrs: { type: 'module', async: true, crossorigin: true, src: `/${first.fileName}` },
            injectTo: 'head',
          },
        ]
      },
    },
  }
}

function chunkOf(chunks: Chunks, id: string): Rolldown.OutputChunk {
  const found = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === id)
  if (!found) throw new Error(`${id} has no file of its own in the build`)
  return found
}
