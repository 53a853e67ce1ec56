import { resolve } from 'node:path'
import type { Rolldown } from 'vite'

/** Where the first signed-in screen begins: the application and the dashboard, which `src/main.tsx` fetches together. */
export const FIRST_SCREEN = ['src/App.tsx', 'src/custom-views/dashboard/dashboard.tsx']
/** Ant Design's list of everything: whoever imports from it needs only what it names. */
const EVERYTHING = /\/antd\/es\/index\.js$/
const NAMES = /import\s*\{([^}]*)\}\s*from\s*["']antd["']/g
const EXPORTED = /export\s*\{([^}]*)\}\s*from\s*["']\.\/([^"']+)["']/g

/**
 * Names the chunk `app` for every module that the first signed-in screen imports, however indirectly, and none for the
 * others. To be used after the groups of what has a file of its own.
 */
export function firstScreenChunk(): Rolldown.CodeSplittingNameFunction {
  let needed: Set<string> | undefined
  return (id, context) => {
    const moduleOf: ModuleOf = (each) => context.getModuleInfo(each)
    needed ??= reachable(
      FIRST_SCREEN.map((path) => resolve(path)),
      moduleOf,
    )
    return needed.has(id) ? 'app' : null
  }
}

type ModuleOf = Rolldown.ChunkingContext['getModuleInfo']

function reachable(entries: readonly string[], moduleOf: ModuleOf): Set<string> {
  const gone = entries.find((id) => !moduleOf(id))
  if (gone) throw new Error(`The first screen begins at ${gone}, which is not in the build`)
  const seen = new Set(entries)
  for (const id of seen) {
    const known = moduleOf(id)
    if (!known) continue
    for (const next of known.importedIds)
      if (!EVERYTHING.test(next)) seen.add(next)
      else for (const part of namedParts(known.code ?? '', moduleOf(next))) seen.add(part)
  }
  return seen
}

/** The files behind the names that a module imports from the list of everything. */
function namedParts(code: string, list: ReturnType<ModuleOf>): string[] {
  const names = new Set(
    [...code.matchAll(NAMES)].flatMap(([, inner = '']) =>
      inner.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? ''),
    ),
  )
  return [...(list?.code ?? '').matchAll(EXPORTED)].flatMap(([, inner = '', path = '']) => {
    const exported = inner.split(',').map(
      (name) =>
        name
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? '',
    )
    if (!exported.some((name) => names.has(name))) return []
    return (
      list?.importedIds.filter(
        (id) => id.includes(`/antd/es/${path}/index.js`) || id.endsWith(`/antd/es/${path}.js`),
      ) ?? []
    )
  })
}
