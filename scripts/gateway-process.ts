import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

const READY_TIMEOUT_MS = 180_000

export interface GatewayProcess {
  url: string
  process: ChildProcess
  /** Requests its end and waits for it. */
  stop(): Promise<void>
}

/**
 * Runs the gateway as a child process and waits until it is ready.
 *
 * onOutput    receives the gateway's output, which otherwise goes to this process's own output
 * errors  if it exits before, with its output already printed; if another program answers at its address
 */
export async function startGatewayProcess(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  onOutput?: (text: string) => void,
): Promise<GatewayProcess> {
  const port = env['PORT'] ?? process.env['PORT'] ?? '8080'
  const url = `http://127.0.0.1:${port}`
  if (await isTaken(url)) throw new Error(`Another program answers at ${url}: end it, or choose another PORT`)
  const [file, ...args] = command as [string, ...string[]]
  const child = spawn(file, args, {
    stdio: ['inherit', onOutput ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  if (onOutput) child.stdout?.on('data', (chunk: Buffer) => onOutput(chunk.toString()))
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!(await isReady(url))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The gateway did not start')
    if (Date.now() > deadline) {
      child.kill('SIGTERM')
      throw new Error(`The gateway was not ready within ${READY_TIMEOUT_MS / 1000} s`)
    }
    await sleep(100)
  }
  return {
    url,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  )

const isTaken = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
