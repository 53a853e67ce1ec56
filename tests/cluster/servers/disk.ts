import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of a server's own, in memory, which can be filled (Linux, as root). */
export interface OwnDisk {
  /** Takes all that is left of it. */
  fill(): void
  free(): void
  remove(): void
}

/**
 * Opens one at a directory, which is made; undefined where that is not permitted.
 *
 * owner  whoever writes there; this account when left out
 */
export function openDisk(
  path: string,
  megabytes: number,
  owner?: { uid: number; gid: number },
): OwnDisk | undefined {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const ids = owner ? `,uid=${owner.uid},gid=${owner.gid}` : ''
  const words = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700${ids}`, 'tmpfs', path]
  if (spawnSync('mount', words).status !== 0) return undefined
  const filler = join(path, 'filler')
  return {
    fill() {
      const { bavail, bsize } = statfsSync(path)
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize))
      } catch (error) {
        // The server wrote meanwhile: it is full all the same.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => void spawnSync('umount', ['--lazy', path]),
  }
}
