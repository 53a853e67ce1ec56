import { randomBytes } from 'node:crypto'
import { link, rename, rm } from 'node:fs/promises'
import { type Server, connect, createServer } from 'node:net'
import { join } from 'node:path'

/** Lock that lasts until the process ends or it is released. */
export interface OwnerLock {
  release(): Promise<void>
}

/**
 * Makes this process the only owner of a directory. The lock is a listening unix socket: the kernel closes it when the process ends for
 * any reason, so a stale lock after `kill -9` is detected immediately, without relying on process ids.
 *
 * dir       directory of the socket; its path must be short enough for a socket
 * returns   undefined if another live process owns the directory
 */
export const acquireOwnership = async (dir: string): Promise<OwnerLock | undefined> => {
  const path = join(dir, 'owner')
  const ownPath = join(dir, `owner.${randomBytes(4).toString('hex')}`)
  const server = await listen(ownPath)
  try {
    // Linking fails if the name exists: of two concurrent processes, exactly one succeeds.
    for (let attempt = 0; attempt < 5; attempt++) {
      const isLinked = await link(ownPath, path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'EEXIST') return false
          throw error
        },
      )
      if (isLinked) return { release: () => close(server, path) }
      if (await isListening(path)) break
      if (!(await removeStale(path, ownPath))) break
    }
  } finally {
    await rm(ownPath, { force: true })
  }
  await close(server)
  return undefined
}

/** Whether a live process owns the directory. */
export const isOwned = (dir: string): Promise<boolean> => isListening(join(dir, 'owner'))

/** Removes a stale lock; false if it turned out to be a live one, acquired in between, and was restored. */
const removeStale = async (path: string, ownPath: string): Promise<boolean> => {
  const stalePath = `${ownPath}.stale`
  await rename(path, stalePath).catch(() => {})
  const isAlive = await isListening(stalePath)
  if (isAlive) await link(stalePath, path).catch(() => {})
  await rm(stalePath, { force: true })
  return !isAlive
}

const listen = (path: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', reject)
    server.listen(path, () => resolve(server))
  })

const close = async (server: Server, path?: string): Promise<void> => {
  if (path) await rm(path, { force: true })
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false)
      else reject(error)
    })
  })
