import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/free-port.ts'
import { layTree, productVersion } from '../../scripts/package/tree.ts'
import { createTestDb, testSocketDir } from '../support/postgres.ts'
import { makeSystem } from './small-system.ts'
import { PATIENT } from '../support/patient.ts'

// It mounts what it builds.
const able = ['buildah --version', 'unshare --mount true'].every(
  (command) => spawnSync('sh', ['-c', command]).status === 0,
)
if (!able) console.warn('SKIPPED: the image needs buildah (apt install buildah) and the right to mount')

const APP = '/opt/building-dashboard'
describe.skipIf(!able)('the image', () => {
  const directory = mkdtempSync(join(tmpdir(), 'image-'))
  const buildah = (...words: string[]) =>
    execFileSync(
      'buildah',
      ['--storage-driver=vfs', `--root=${directory}/images`, `--runroot=${directory}/run`, ...words],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TMPDIR: directory } },
    ).trim()
  const running: ChildProcess[] = []
  let container = ''
  let image: {
    User: string
    Entrypoint: string[]
    Env: string[]
    Volumes: object
    Healthcheck: { Test: string[] }
  }

  beforeAll(() => {
    const context = join(directory, 'context')
    layTree(join(context, 'dist/package'))
    makeSystem(join(directory, 'base'))
    const base = buildah('from', 'scratch')
    buildah('copy', '--quiet', base, join(directory, 'base'), '/')
    buildah('commit', '--quiet', '--rm', base, 'base')
    const given = ['--build-arg=BASE=localhost/base', '--build-arg=PROGRAM=staged', '--pull-never']
    buildah(
      'build',
      '--quiet',
      '--isolation=chroot',
      '--format=docker',
      ...given,
      '--file=Dockerfile',
      '--tag=gateway',
      context,
    )
    container = buildah('from', '--pull-never', 'localhost/gateway')
    image = JSON.parse(buildah('inspect', container)).Docker.config
  }, 600_000)
  afterAll(() => {
    for (const { pid, exitCode } of running)
      if (pid !== undefined && exitCode === null)
        for (const one of [...descendantsOf(pid), pid]) process.kill(one, 'SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  })

  /** Command line that runs a program in the container as its user, with these variables. */
  const wordsToRun = (env: Record<string, string>, command: readonly string[]) => [
    'run',
    '--isolation=chroot',
    ...Object.entries(env).map(([name, value]) => `--env=${name}=${value}`),
    container,
    '--',
    ...command,
  ]
  /** Starts the gateway as configured in the image, on free ports. */
  async function start(env: Record<string, string>) {
    const [port, hubs] = [await freePort(), await freePort()]
    const ports = { PORT: `${port}`, MQTT_PORT: `${hubs}` }
    const words = [
      '--storage-driver=vfs',
      `--root=${directory}/images`,
      `--runroot=${directory}/run`,
      ...wordsToRun({ ...ports, ...env }, image.Entrypoint),
    ]
    const child = spawn('buildah', words, { stdio: ['ignore', 'pipe', 'pipe'] })
    running.push(child)
    let printed = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
    const url = `http://127.0.0.1:${port}`
    return {
      url,
      async ready() {
        await vi.waitFor(async () => {
          if (child.exitCode !== null) return
          const answer = await fetch(`${url}/health/ready`)
          expect(answer.status, printed).toBe(200)
        }, PATIENT)
        expect(child.exitCode, printed).toBeNull()
      },
      check: () => buildah(...wordsToRun(ports, image.Healthcheck.Test.slice(1))),
      /** Stops it as a container engine does, with a signal to the program itself. */
      async stop() {
        const [program] = descendantsOf(child.pid as number).filter(isGateway)
        if (program === undefined) throw new Error(`The gateway has ended by itself: ${printed}`)
        process.kill(program, 'SIGTERM')
        if (child.exitCode === null) await once(child, 'exit')
        return { code: child.exitCode, printed }
      },
    }
  }

  it('runs as nobody special, keeps its data in /data, and says how its health is asked', () => {
    expect(image).toMatchObject({ User: '10001:10001', Volumes: { '/data': {} } })
    expect(image.Env).toContain('DATA_DIR=/data')
    expect(image.Healthcheck.Test).toEqual(['CMD', 'node', `${APP}/dist/gateway/command.js`, 'health'])
    const root = buildah('mount', container)
    // No account, including the program's own, may modify the program.
    expect(statSync(join(root, APP)).uid).toBe(0)
    expect(statSync(join(root, 'data'))).toMatchObject({ uid: 10_001, gid: 10_001 })
    const bom = JSON.parse(readFileSync(join(root, APP, 'sbom.cdx.json'), 'utf8'))
    expect(bom.metadata.component).toMatchObject({ name: 'building-dashboard', version: productVersion() })
    // Build and test dependencies are not included.
    const packages = readdirSync(join(root, APP, 'node_modules'))
    expect(packages).toContain('sharp')
    expect(packages.filter((name) => /^(vite|antd|typescript|vitest)$/.test(name))).toEqual([])
    buildah('umount', container)
  })

  it('starts with a database of its own and no variable, serves pages, and goes on with its data after a stop', async () => {
    const first = await start({})
    await first.ready()
    expect(await (await fetch(first.url)).text()).toContain('<div id="root"')
    await vi.waitFor(() => expect(first.check()).toBe(''), PATIENT)
    expect(await first.stop()).toMatchObject({ code: 0, printed: expect.stringContaining('migrated') })

    const second = await start({})
    await second.ready()
    expect(await second.stop()).toMatchObject({ code: 0, printed: expect.not.stringContaining('migrated') })
    expect(() => second.check()).toThrow('1')
  })

  it('takes a PostgreSQL elsewhere by one variable', async () => {
    const database = await createTestDb({ template: 'empty' })
    const line = await openLine(join(testSocketDir(), '.s.PGSQL.5432'))
    const gateway = await start({
      DATABASE_URL: `postgres://gateway@127.0.0.1:${line.port}/${database.name}`,
    })
    await gateway.ready()
    const known = await database.db.pool.query('select version from gateways')
    expect(known.rows).toEqual([{ version: productVersion() }])
    expect(await gateway.stop()).toMatchObject({ code: 0 })
    line.close()
    await database.dropDatabase()
  })
})

const commandOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
const isGateway = (pid: number) => {
  const [program = '', ...words] = commandOf(pid)
  return program.endsWith('/node') && words.some((word) => word.endsWith('dist/gateway/main.js'))
}
const descendantsOf = (pid: number): number[] => {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === `${pid}`
    } catch {
      return false
    }
  })
  return children.flatMap((child) => [Number(child), ...descendantsOf(Number(child))])
}

/** TCP proxy to the Unix socket of a server without a TCP port. */
async function openLine(socket: string) {
  const server = createServer((client) => {
    const inner = connect(socket)
    client.on('error', () => inner.destroy()).on('close', () => inner.destroy())
    inner.on('error', () => client.destroy()).on('close', () => client.destroy())
    client.pipe(inner).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, close: () => server.close() }
}
