import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../../../scripts/free-port.ts'

const PLUGIN = 'mosquitto_dynamic_security.so'
export const ADMIN = { user: 'gateway', password: 'admin-of-the-test' }

const plugin = () =>
  ['/usr/lib', '/usr/local/lib', '/opt/homebrew/lib']
    .flatMap((dir) =>
      ['', '/x86_64-linux-gnu', '/aarch64-linux-gnu', '/mosquitto'].map((sub) => `${dir}${sub}/${PLUGIN}`),
    )
    .find((path) => existsSync(path))

/** Whether a Mosquitto with its dynamic-security plugin is installed. */
export function hasMosquitto(): boolean {
  try {
    execFileSync('mosquitto', ['-h'], { stdio: 'ignore' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
  }
  return plugin() !== undefined
}

/** A Mosquitto of the test's own, as docs/operating/external-broker.md configures it. */
export async function startMosquitto() {
  const directory = await mkdtemp(join(tmpdir(), 'mosquitto-'))
  const [tcp, ws] = [await freePort(), await freePort()]
  const accounts = join(directory, 'accounts.json')
  await promisify(execFile)('mosquitto_ctrl', ['dynsec', 'init', accounts, ADMIN.user, ADMIN.password])
  const settings = [
    'per_listener_settings false',
    `plugin ${plugin()}`,
    `plugin_opt_config_file ${accounts}`,
    'allow_anonymous false',
    'retain_available false',
    'persistence true',
    `persistence_location ${directory}/`,
    'max_inflight_messages 500',
    'max_queued_messages 100000',
    `listener ${tcp} 127.0.0.1`,
    `listener ${ws} 127.0.0.1`,
    'protocol websockets',
    ...(process.getuid?.() === 0 ? ['user root'] : []),
  ]
  const file = join(directory, 'mosquitto.conf')
  await writeFile(file, settings.join('\n'))

  const launch = async () => {
    const child = spawn('mosquitto', ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
      said += String(chunk)
      if (!said.includes('running')) continue
      child.stderr.resume()
      return child
    }
    throw new Error(`Mosquitto did not start: ${said}`)
  }
  let child = await launch()
  const end = async () => {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    // Between two events it may have missed the signal until the next one, so there are some.
    const wake = setInterval(
      () =>
        connect(tcp, '127.0.0.1')
          .on('error', () => {})
          .end(),
      250,
    )
    await gone
    clearInterval(wake)
  }
  return {
    url: `mqtt://${ADMIN.user}:${ADMIN.password}@127.0.0.1:${tcp}`,
    hubUrl: `mqtt://127.0.0.1:${tcp}`,
    screenUrl: `ws://127.0.0.1:${ws}`,
    goAway: end,
    async comeBack() {
      child = await launch()
    },
    async stop() {
      await end()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
