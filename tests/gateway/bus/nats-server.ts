import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { connect } from 'node:net'
import { freePort } from '../../../scripts/free-port.ts'

const PROGRAM = process.env.NATS_SERVER ?? 'nats-server'

/** Whether a NATS server can be started here. */
export const hasNats = (): boolean => spawnSync(PROGRAM, ['--version']).status === 0

export interface NatsServer {
  url: string
  kill(): Promise<void>
  /** Starts the server again at the same address. */
  comeBack(): Promise<void>
  stop(): Promise<void>
}

export async function startNats(): Promise<NatsServer> {
  const port = await freePort()
  let child: ChildProcess

  async function begin(): Promise<void> {
    child = spawn(PROGRAM, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
    for (;;) {
      const isThere = await new Promise<boolean>((resolve) => {
        const socket = connect(port, '127.0.0.1')
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
        socket.once('connect', () => socket.destroy())
      })
      if (isThere) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill(signal)
    })

  await begin()
  return {
    url: `nats://127.0.0.1:${port}`,
    kill: () => end('SIGKILL'),
    comeBack: begin,
    stop: () => end('SIGTERM'),
  }
}
