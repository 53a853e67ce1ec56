import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/** A disk in memory, which Linux has. */
const MEMORY = '/dev/shm'
/** Free bytes, of the disk and of the machine, of which the databases of a run take a part. */
const ENOUGH = 4 * 1024 ** 3
const PREFIX = 'tests-of-'

/**
 * Lets this process, and those it starts from now on, keep temporary files in memory where there is room: to delete the files
 * of one database takes half a second of the processor on a disk.
 *
 * memory  where a disk in memory is mounted
 *
 * returns  deletes them
 */
export function keepTemporaryFilesInMemory(memory = MEMORY): () => void {
  if (!hasRoom(memory)) return () => {}
  for (const name of readdirSync(memory)) if (isLeft(name)) rmSync(join(memory, name), { recursive: true })
  const dir = mkdtempSync(join(memory, `${PREFIX}${process.pid}-`))
  // A database runs under an account of its own, and its directory is below this one.
  chmodSync(dir, 0o755)
  process.env['TMPDIR'] = dir
  return () => rmSync(dir, { recursive: true, force: true })
}

function hasRoom(memory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, process.availableMemory()) > ENOUGH
  } catch {
    return false
  }
}

/** Whether it is of a run that was killed. */
function isLeft(name: string): boolean {
  if (!name.startsWith(PREFIX)) return false
  try {
    process.kill(Number(name.slice(PREFIX.length).split('-')[0]), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
