import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** In-memory disk of one server that can be filled (Linux, as root). */
export interface OwnDisk {
  /** Fills all free space. */
  fill(): void
  free(): void
  remove(): void
}

/**
 * Mounts one at a directory, which is created; undefined if not permitted.
 *
 * owner  account that writes there; this account by default
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
        // The server wrote at the same time: the disk is full anyway.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => void spawnSync('umount', ['--lazy', path]),
  }
}
