import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** In-memory disk of Linux. */
const MEMORY = '/dev/shm'
/** Required free bytes, on the disk and in memory, since the databases of a run use part of them. */
const MIN_FREE_BYTES = 4 * 1024 ** 3
const PREFIX = 'tests-of-'

/**
 * Stores temporary files of this process and its later child processes in memory if there is enough space: deleting the files of one
 * database on a disk takes half a second of CPU time.
 *
 * memory  mount point of an in-memory disk
 *
 * returns  function that deletes them
 */
export function keepTemporaryFilesInMemory(memory = MEMORY): () => void {
  if (!hasRoom(memory)) return () => {}
  for (const name of readdirSync(memory))
    if (isAbandoned(name)) rmSync(join(memory, name), { recursive: true })
  const dir = mkdtempSync(join(memory, `${PREFIX}${process.pid}-`))
  // A database server runs under an account of its own, with its directory below this one.
  chmodSync(dir, 0o755)
  process.env['TMPDIR'] = dir
  return () => rmSync(dir, { recursive: true, force: true })
}

function hasRoom(memory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, process.availableMemory()) > MIN_FREE_BYTES
  } catch {
    return false
  }
}

/** Whether the directory remains from a killed run. */
function isAbandoned(name: string): boolean {
  if (!name.startsWith(PREFIX)) return false
  try {
    process.kill(Number(name.slice(PREFIX.length).split('-')[0]), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
