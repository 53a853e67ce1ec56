import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { layTree, productVersion } from './tree.ts'

const ROOT = join(import.meta.dirname, '../..')
const NAME = 'building-dashboard'
/** Debian's names of the processors that Node runs on. */
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** Files of the package in addition to the product: source and target path. */
const FILES: readonly (readonly [from: string, to: string, mode: number])[] = [
  ['deploy/systemd/building-dashboard.service', 'usr/lib/systemd/system/building-dashboard.service', 0o644],
  ['deploy/debian/default', 'etc/default/building-dashboard', 0o640],
  ['deploy/debian/building-dashboard', 'usr/bin/building-dashboard', 0o755],
  ['README.md', `usr/share/doc/${NAME}/README.md`, 0o644],
  ['LICENSE', `usr/share/doc/${NAME}/copyright`, 0o644],
  ['dist/web/THIRD-PARTY.txt', `usr/share/doc/${NAME}/THIRD-PARTY.txt`, 0o644],
  ['docs/operating/guide.md', `usr/share/doc/${NAME}/guide.md`, 0o644],
  ['docs/operating/several-gateways.md', `usr/share/doc/${NAME}/several-gateways.md`, 0o644],
  ['deploy/nats', `usr/share/${NAME}/nats`, 0o644],
  ['deploy/haproxy', `usr/share/${NAME}/haproxy`, 0o644],
  ['deploy/systemd/nats-server.service.d', `usr/share/${NAME}/nats-server.service.d`, 0o644],
]
const SCRIPTS = ['postinst', 'prerm', 'postrm']

/**
 * Builds the Debian package for this machine's processor.
 *
 * scratch   a working directory, deleted before and after
 * into      the directory of the package
 * returns   its path
 */
export function makeDeb(scratch: string, into: string): string {
  const root = join(scratch, 'root')
  const { app, postgresql } = layTree(join(scratch, 'tree'))
  rmSync(root, { recursive: true, force: true })
  const product = join(root, 'usr/lib', NAME)
  for (const part of [app, postgresql]) cpSync(part, product, { recursive: true, verbatimSymlinks: true })
  for (const [from, to, mode] of FILES) {
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(join(ROOT, from), join(root, to), { recursive: true })
    if (statSync(join(root, to)).isFile()) chmodSync(join(root, to), mode)
  }
  readableToAll(join(root, 'usr'))
  writeControl(root)
  mkdirSync(into, { recursive: true })
  const file = join(into, `${NAME}_${debianVersion()}_${architecture()}.deb`)
  // xz takes a minute for what zstd or gzip compress in seconds.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z6', '--build', root, file], { stdio: 'pipe' })
  rmSync(scratch, { recursive: true })
  return file
}

/** A version with a dash, such as 1.1.0-rc.1, sorts before the one without. */
const debianVersion = (): string => productVersion().replace('-', '~')

function architecture(): string {
  const found = ARCHITECTURES[process.arch]
  if (found === undefined) throw new Error(`There is no Debian package for ${process.arch}`)
  return found
}

/** Makes files readable, directories enterable and programs executable for all users, independent of the umask. */
function readableToAll(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name)
    if (entry.isSymbolicLink()) continue
    if (entry.isDirectory()) readableToAll(inside)
    else chmodSync(inside, statSync(inside).mode & 0o100 ? 0o755 : 0o644)
  }
  chmodSync(path, 0o755)
}

function writeControl(root: string): void {
  const control = join(root, 'DEBIAN')
  mkdirSync(control)
  writeFileSync(
    join(control, 'control'),
    `Package: ${NAME}
Version: ${debianVersion()}
Architecture: ${architecture()}
Maintainer: Building Dashboard <no-reply@localhost>
Section: net
Priority: optional
Depends: nodejs (>= 20.19), adduser, util-linux, libc6 (>= 2.28), libstdc++6
Suggests: nats-server (>= 2.9.10), postgresql (>= 15), haproxy
Installed-Size: ${Math.ceil(sizeOf(root) / 1024)}
Description: dashboard and gateway for smart buildings and their energy
 One service with pages, calls, MQTT for hubs, and a PostgreSQL of its own, or
 several of them on one PostgreSQL, joined by NATS.
`,
  )
  writeFileSync(join(control, 'conffiles'), `/etc/default/${NAME}\n`)
  for (const script of SCRIPTS) {
    cpSync(join(ROOT, 'deploy/debian', script), join(control, script))
    chmodSync(join(control, script), 0o755)
  }
}

const sizeOf = (path: string): number =>
  readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
