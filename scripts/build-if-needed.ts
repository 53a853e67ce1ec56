import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Newest modification time in ms below these paths. */
const newest = (paths: string[]): number =>
  Math.max(
    0,
    ...paths.map((path) => {
      const full = join(ROOT, path)
      if (!existsSync(full)) return 0
      const stat = statSync(full)
      if (!stat.isDirectory()) return stat.mtimeMs
      return newest(readdirSync(full).map((name) => join(path, name)))
    }),
  )

function ensure(script: string, output: string, sources: string[]): boolean {
  const built = join(ROOT, output)
  if (existsSync(built) && statSync(built).mtimeMs >= newest(sources)) return true
  const startedAt = Date.now()
  console.log(`Building (${script}) …`)
  const { status } = spawnSync('npm', ['run', '--silent', script], {
    cwd: ROOT,
    // Its steps, without the files that it writes.
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BUILD_FILES: 'unlisted' },
  })
  if (status === 0) console.log(`  built in ${Math.round((Date.now() - startedAt) / 1000)} s`)
  return status === 0
}

/** Builds the screens unless dist/web is newer than its sources; false if the build fails. */
export const ensureWebBuild = (): boolean =>
  ensure('build:web', 'dist/web/index.html', [
    'src',
    'contract',
    'locales',
    'public',
    'index.html',
    'vite.config.ts',
    // Includes the plugins of the build, without a list to maintain.
    'scripts',
    'package.json',
  ])

/** Builds the gateway unless dist/gateway is newer than its sources; false if the build fails. */
export const ensureGatewayBuild = (): boolean =>
  ensure('build:gateway', 'dist/gateway/main.js', [
    'gateway',
    'contract',
    'scripts',
    'rolldown.config.ts',
    'package.json',
  ])
