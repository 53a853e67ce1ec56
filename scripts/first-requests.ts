import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { type Chunks, chunksOf, closure } from './chunks/closure.ts'
import { application, DASHBOARD, FIRST_REQUESTS } from './chunks/application.ts'

/** Lists the files of the application and of the dashboard in the page, for `src/prefetch.ts` to fetch when needed. */
export function firstRequests(): Plugin {
  let parts: string[] = []
  return {
    name: 'first-requests',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: FIRST_REQUESTS, name: 'first-requests' })
    },
    buildEnd() {
      parts = application((id) => this.getModuleInfo(id))
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk: page }) {
        const chunks = chunksOf(bundle)
        const filesOf = (ids: readonly string[]) =>
          closure(
            chunks,
            ids.map((id) => chunkOf(chunks, id).fileName),
          )
        const there = closure(chunks, page ? [page.fileName] : [])
        const app = without(filesOf(parts), there)
        const dashboard = without(filesOf([DASHBOARD]), [...there, ...app])
        return [
          templateOf('app', chunks, app),
          templateOf('dashboard', chunks, dashboard),
          {
            tag: 'script',
            attrs: {
              type: 'module',
              async: true,
              crossorigin: true,
              src: `/${entryOf(chunks, FIRST_REQUESTS).fileName}`,
            },
            injectTo: 'head',
          },
        ]
      },
    },
  }
}

const without = (files: readonly string[], others: readonly string[]): string[] =>
  files.filter((file) => !others.includes(file))

/** Template with links that fetch these files, and their styles, once they are inserted into the page. */
function templateOf(name: string, chunks: Chunks, files: readonly string[]): HtmlTagDescriptor {
  const sizeOf = (file: string) => chunks.get(file)?.code.length ?? 0
  // The largest first: it takes longest, and a browser fetches few at a time.
  const scripts = files.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  const styles = scripts.flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])])
  const link = (attrs: Record<string, string>, file: string) => ({
    tag: 'link',
    attrs: { ...attrs, crossorigin: true, href: `/${file}` },
  })
  return {
    tag: 'template',
    attrs: { [`data-${name}`]: true },
    // Precedes the script that looks for it, which may run before the page is parsed.
    injectTo: 'head',
    children: [
      ...scripts.map((file) => link({ rel: 'modulepreload' }, file)),
      ...styles.map((file) => link({ rel: 'preload', as: 'style' }, file)),
    ],
  }
}

/** The chunk with this module as its entry. */
function entryOf(chunks: Chunks, id: string): Rolldown.OutputChunk {
  const found = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === id)
  if (!found) throw new Error(`No file of the build runs ${id}`)
  return found
}

/** The chunk that contains a module, or re-exports it from another one. */
function chunkOf(chunks: Chunks, id: string): Rolldown.OutputChunk {
  const all = [...chunks.values()]
  const found =
    all.find(({ facadeModuleId }) => facadeModuleId === id) ??
    all.find(({ moduleIds }) => moduleIds.includes(id))
  if (!found) throw new Error(`${id} is in no file of the build`)
  return found
}
