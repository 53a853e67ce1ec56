import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Range below the ephemeral ports of Linux, macOS and Windows, which outgoing connections may take at any time. */
const FIRST_PORT = 12_000
const LAST_PORT = 32_000

/** An unused TCP port of this machine, for a child process that needs a port number at start. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    const server = createServer()
    const listens = once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.listen(port, '127.0.0.1')
    if (!(await listens)) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
