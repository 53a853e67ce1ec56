import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureGatewayBuild, ensureWebBuild } from '../../scripts/build-if-needed.ts'
import { end } from './child.ts'
import { atEnd } from './clean-up.ts'
import { freePort } from '../../scripts/free-port.ts'

const READY_WITHIN = 60_000
const LOOK_EVERY = 5
/** Directory in which gateways store a CPU profile at exit, to analyze a figure; profiling takes some time itself. */
const profiles = process.env['BENCH_PROFILE']

/** The built gateway in a child process, with its embedded database and broker. */
export interface GatewayUnderTest {
  url: string
  mqttUrl: string
  pid: number
  /** Time from the start of the process until it reported ready, in ms. */
  startupMs: number
  stop(): Promise<void>
}

/** An empty directory that is deleted after the measurement. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-'))
  atEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

/** Builds the measured parts, unless they are up to date. */
export function ensureBuilt(parts: { web?: boolean } = {}): void {
  if (!ensureGatewayBuild() || (parts.web && !ensureWebBuild())) throw new Error('The build failed')
}

/**
 * Starts the built gateway as `npm start` does, but without rate limits: one machine simulates many clients.
 *
 * again   an earlier gateway that has ended: its ports are reused, so that its clients find this one
 * env     additional environment variables, e.g. an external database and broker
 * errors  if it exits or is not ready within a minute
 */
export async function startGateway(
  dataDir: string,
  again?: Pick<GatewayUnderTest, 'url' | 'mqttUrl'>,
  env: Readonly<Record<string, string>> = {},
): Promise<GatewayUnderTest> {
  const [port, mqttPort] = again
    ? [new URL(again.url).port, new URL(again.mqttUrl).port]
    : await Promise.all([freePort(), freePort()])
  const flags = [
    '--enable-source-maps',
    '--max-semi-space-size=64',
    ...(profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []),
  ]
  const started = performance.now()
  const child = spawn(process.execPath, [...flags, 'dist/gateway/main.js'], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      LOG_LEVEL: 'error',
      RATE_ADDRESS: '0',
      RATE_USER: '0',
      RATE_TENANT: '0',
      RATE_AUTH: '0',
      SIGN_UP: 'open',
      ...(env['BUS_URL'] !== undefined && { PUBLIC_URL: `http://127.0.0.1:${port}` }),
      ...env,
    },
  })
  const stop = () => end(child)
  atEnd(stop)
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The gateway did not start')
    if (performance.now() - started > READY_WITHIN) throw new Error('The gateway was not ready in time')
    await sleep(LOOK_EVERY)
  }
  const startupMs = performance.now() - started
  return { url, mqttUrl: `mqtt://127.0.0.1:${mqttPort}`, pid: child.pid as number, startupMs, stop }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  )
