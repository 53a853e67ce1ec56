import { dirname, join } from 'node:path'
import type { Rolldown } from 'vite'

export type ModuleOf = Rolldown.ChunkingContext['getModuleInfo']
type Module = NonNullable<ReturnType<ModuleOf>>

const EXPORTED = /export\s*\{([^}]*)\}\s*from\s*["']\.\/([^"']+)["']/g

/** A library's index module: an importer needs only the files of the names that it imports. */
interface Everything {
  test: RegExp
  /** Matches imports of the library. */
  imported: RegExp
  /** Returns the files that define the names. */
  filesOf(names: ReadonlySet<string>, list: Module): string[]
}

const EVERYTHING: readonly Everything[] = [
  {
    test: /\/antd\/es\/index\.js$/,
    imported: /import\s*\{([^}]*)\}\s*from\s*["']antd["']/g,
    filesOf: componentsOf,
  },
  {
    test: /\/@ant-design\/icons\/es\/index\.js$/,
    imported: /import\s*\{([^}]*)\}\s*from\s*["']@ant-design\/icons["']/g,
    filesOf: (names, { id }) => [...names].map((name) => join(dirname(id), 'icons', `${name}.js`)),
  },
]

/** The given modules and all modules that they import statically, directly or indirectly. */
export function reachable(entries: readonly string[], moduleOf: ModuleOf): Set<string> {
  const gone = entries.find((id) => !moduleOf(id))
  if (gone) throw new Error(`${gone} is not in the build`)
  const seen = new Set(entries)
  for (const id of seen) {
    const known = moduleOf(id)
    if (!known) continue
    for (const next of known.importedIds) {
      const everything = EVERYTHING.find(({ test }) => test.test(next))
      const list = everything && moduleOf(next)
      if (!list) seen.add(next)
      else
        for (const part of everything.filesOf(namesOf(known.code ?? '', everything.imported), list))
          seen.add(part)
    }
  }
  return seen
}

/** The names that code imports, before any renaming with `as`. */
const namesOf = (code: string, imported: RegExp): Set<string> =>
  new Set(
    [...code.matchAll(imported)].flatMap(([, inner = '']) =>
      inner.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? ''),
    ),
  )

/** The files of Ant Design's components with these names. */
function componentsOf(names: ReadonlySet<string>, { code, importedIds }: Module): string[] {
  return [...(code ?? '').matchAll(EXPORTED)].flatMap(([, inner = '', path = '']) => {
    const exported = inner.split(',').map(
      (name) =>
        name
          .trim()
          .split(/\s+as\s+/)
          .at(-1) ?? '',
    )
    if (!exported.some((name) => names.has(name))) return []
    return importedIds.filter(
      (id) => id.includes(`/antd/es/${path}/index.js`) || id.endsWith(`/antd/es/${path}.js`),
    )
  })
}
