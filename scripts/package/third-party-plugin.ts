import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BUNDLED, composeThirdParty, readShippedPackage, shippedFolders } from './third-party.ts'

const FILE = 'dist/web/THIRD-PARTY.txt'
/** Folders of packages by bundle: several builds contribute to a bundle, such as those of its workers. */
const found: Record<string, Set<string>> = {}

/** Folder of the package that a module belongs to, such as `node_modules/zod`; undefined for the product's own. */
export const packageOf = (module: string): string | undefined => {
  if (module.startsWith('\0vite/')) return 'node_modules/vite'
  return /\/((?:node_modules\/(?:@[^/]+\/)?[^/]+\/)+)/.exec(module)?.[1]?.slice(0, -1)
}

/**
 * Build plugin that lists the packages in a bundle and writes THIRD-PARTY.txt; fails if a license is missing or not allowed.
 *
 * copied  folders of packages whose files are copied instead of imported
 */
export const thirdParty = (bundle: string, copied: readonly string[] = []) => ({
  name: 'third-party',
  buildEnd(this: { getModuleIds(): Iterable<string> }) {
    // The bundler's own helpers are in every output but are not modules.
    const packages = (found[bundle] ??= new Set(['node_modules/rolldown']))
    for (const folder of copied) packages.add(folder)
    for (const id of this.getModuleIds()) {
      const folder = packageOf(id)
      if (folder) packages.add(folder)
    }
  },
  writeBundle() {
    mkdirSync(BUNDLED, { recursive: true })
    writeFileSync(join(BUNDLED, `${bundle}.json`), JSON.stringify([...(found[bundle] ?? [])].sort()))
    const text = composeThirdParty(shippedFolders().map((folder) => readShippedPackage(folder)))
    // If the gateway is built before the pages, the build of the pages writes the file.
    if (existsSync(dirname(FILE))) writeFileSync(FILE, text)
  },
})
