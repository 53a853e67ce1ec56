import { dirname, join, resolve } from 'node:path'
import type { Rolldown } from 'vite'

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

const EXPORTED = /export\s*\{([^}]*)\}\s*from\s*["']\.\/([^"']+)["']/g

/** A library's list of everything: whoever imports from it needs only what it names. */
interface Everything {
  test: RegExp
  /** How the names are imported. */
  imported: RegExp
  /** The files behind names. */
  filesOf(names: ReadonlySet<string>, list: Module): string[]
}
type Module = NonNullable<ReturnType<ModuleOf>>

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

type ModuleOf = Rolldown.ChunkingContext['getModuleInfo']

function reachable(entries: readonly string[], moduleOf: ModuleOf): Set<string> {
  const gone = entries.find((id) => !moduleOf(id))
  if (gone) throw new Error(`The first screen begins at ${gone}, which is not in the build`)
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

/** The names that code imports, as they are exported. */
const namesOf = (code: string, imported: RegExp): Set<string> =>
  new Set(
    [...code.matchAll(imported)].flatMap(([, inner = '']) =>
      inner.split(',').map((name) => name.trim().split(/\s+as\s+/)[0] ?? ''),
    ),
  )

/** The files of Ant Design's components. */
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
