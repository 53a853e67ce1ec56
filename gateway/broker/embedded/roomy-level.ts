import { mkdir, statfs } from 'node:fs/promises'
import { Level } from 'level'
import type { Log } from '../../ports.ts'

/** Between two looks whether there is room again, in ms. */
const LOOK = 1_000
/** What opening may write, in bytes. */
const ROOM = 16 * 1_048_576

type Write = (...args: unknown[]) => unknown

/**
 * Opens a LevelDB that goes on after its disk was full: of itself it takes nothing more after a write that failed, though there is
 * room again, until it is opened anew.
 *
 * errors  when the directory is in use, cannot be written, or is damaged
 */
export async function openRoomyLevel(
  directory: string,
  log: Pick<Log, 'error' | 'info'>,
): Promise<Level<string, Buffer>> {
  await mkdir(directory, { recursive: true })
  const level = new Level<string, Buffer>(directory, { valueEncoding: 'buffer' })
  await level.open()
  const close = level.close.bind(level)
  const writes = level as unknown as Record<'put' | 'del' | 'clear' | 'batch', Write>
  /** Set while it takes nothing. */
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function openAgain(): Promise<void> {
    const { bavail, bsize } = await statfs(directory)
    if (closed) return
    if (bavail * bsize < ROOM) return lookLater()
    await close()
    await level.open()
    timer = undefined
    log.info({ directory }, 'Messages for absent hubs are kept again')
  }

  function lookLater(): void {
    if (closed) return
    timer = setTimeout(() => {
      openAgain().catch((err: unknown) => {
        log.error({ err, directory }, 'Messages for absent hubs cannot be kept yet')
        lookLater()
      })
    }, LOOK).unref()
  }

  const watched = (write: () => unknown) =>
    Promise.resolve(write()).catch((err: unknown) => {
      if ((err as { code?: string }).code === 'LEVEL_IO_ERROR' && !timer) {
        log.error({ err, directory }, 'Messages for absent hubs cannot be kept')
        lookLater()
      }
      throw err
    })
  for (const name of ['put', 'del', 'clear', 'batch'] as const) {
    const method = writes[name].bind(level)
    writes[name] = (...args) => {
      if (name !== 'batch' || args.length > 0) return watched(() => method(...args))
      const chained = method() as { write: Write }
      const write = chained.write.bind(chained)
      chained.write = (...more) => watched(() => write(...more))
      return chained
    }
  }
  level.close = () => {
    closed = true
    clearTimeout(timer)
    return close()
  }
  return level
}
