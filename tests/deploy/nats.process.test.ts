import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createNatsTransport, openUserKey } from '../../gateway/bus/nats.ts'
import { installationOf } from '../../gateway/cluster/cluster.ts'
import { systemClock } from '../../gateway/kernel/ports.ts'
import { openDb } from '../../gateway/store/db.ts'
import { freePort } from '../../scripts/free-port.ts'
import { hasNats } from '../gateway/bus/nats-server.ts'
import { hasOpenssl } from '../support/certificates.ts'
import { createLogBook } from '../support/log-book.ts'
import { createTestDb, silentLog, testSocketDir } from '../support/postgres.ts'
import { startWorld } from '../support/world.ts'
import { PATIENT } from '../support/patient.ts'

const able = hasNats() && hasOpenssl()
if (!able) console.warn('SKIPPED: nodes of the bus need nats-server and openssl')

const PROGRAM = process.env.NATS_SERVER ?? 'nats-server'
const NODES = ['nats-1', 'nats-2', 'nats-3']
const SECRET = 'the secret of this installation'
const OTHER_SECRET = 'the secret of another installation'

/** Three nodes with the files of `deploy/nats`, unchanged in the directory of each. */
describe.skipIf(!able)('the nodes of the bus', () => {
  const directory = mkdtempSync(join(tmpdir(), 'nats-'))
  const at = (path: string) => join(directory, path)
  const nodes: { child: ChildProcess; port: number; monitor: number }[] = []
  const open: { close(): Promise<void> }[] = []

  beforeAll(async () => {
    const made = (place: string, ...hosts: string[]) =>
      execFileSync('deploy/nats/make-certificates', [at(place), ...hosts], { stdio: 'pipe' })
    made('certificates', ...NODES.map((name) => `${name},DNS:localhost,IP:127.0.0.1`))
    made('foreign', 'nats-1')
    const accounts = [SECRET, OTHER_SECRET].map((secret, i) =>
      execFileSync('node', ['--import', 'tsx', 'gateway/tools/bus-account.ts', '--seed', at(`seed-${i}`)], {
        encoding: 'utf8',
        env: { ...process.env, SECRET: secret },
      }),
    )
    const ports = await Promise.all(
      NODES.map(async () => [await freePort(), await freePort(), await freePort()]),
    )
    const routes = ports.map(([, route]) => `"tls://127.0.0.1:${route}"`)
    for (const [i, name] of NODES.entries()) {
      const [port = 0, route = 0, monitor = 0] = ports[i] ?? []
      cpSync('deploy/nats', at(name), { recursive: true })
      cpSync(at(`certificates/${name}`), at(`${name}/tls`), { recursive: true })
      writeFileSync(at(`${name}/installations.conf`), accounts.join(''))
      const own: Record<string, string> = {
        server_name: name,
        LISTEN: `"127.0.0.1:${port}"`,
        ROUTES_LISTEN: `"127.0.0.1:${route}"`,
        MONITOR: `"127.0.0.1:${monitor}"`,
        ROUTES: `[ ${routes.join(', ')} ]`,
      }
      const conf = readFileSync('deploy/nats/node.conf', 'utf8').replace(
        /^(\w+): .*$/gm,
        (line, key: string) => (own[key] ? `${key}: ${own[key]}` : line),
      )
      writeFileSync(at(`${name}/node.conf`), conf)
      const child = spawn(PROGRAM, ['-c', 'nats.conf'], { cwd: at(name), stdio: 'ignore' })
      nodes.push({ child, port, monitor })
    }
    for (const [i, name] of NODES.entries())
      await vi.waitFor(async () => {
        const { num_routes: routes } = await look(i, 'routez')
        if (Number(routes) < 2) throw new Error(`${name} has not met the others`)
      }, PATIENT)
  })
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })
  afterAll(async () => {
    for (const { child } of nodes) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(directory, { recursive: true, force: true })
  })

  /** Monitoring data of a node, available on this machine only. */
  const look = async (node: number, what: string): Promise<Record<string, unknown>> =>
    (await fetch(`http://127.0.0.1:${nodes[node]?.monitor}/${what}`)).json() as never
  const seedOf = (i: number) => readFileSync(at(`seed-${i}`), 'utf8').trim()

  /** Bus member of an installation at a node, with all required settings as defaults. */
  async function prepare(
    node: number,
    given: { secret?: string; nkey?: string; tls?: string | undefined } = {},
  ) {
    const secret = given.secret ?? SECRET
    const authority = 'tls' in given ? given.tls : 'certificates'
    const log = createLogBook()
    const transport = createNatsTransport({
      url: `tls://127.0.0.1:${nodes[node]?.port}`,
      inbox: `bd.${installationOf(secret)}.reply.${node}${open.length}`,
      name: 'test',
      nkey: given.nkey ?? seedOf(secret === SECRET ? 0 : 1),
      ca: at('certificates/bus-ca.pem'),
      ...(authority && { cert: at(`${authority}/gateway.pem`), key: at(`${authority}/gateway.key`) }),
      log,
    })
    open.push(transport)
    const heard: string[] = []
    return {
      log,
      transport,
      heard,
      start: () =>
        transport.start({
          onStateChange: () => {},
          onMessage: (subject, bytes, reply) => {
            heard.push(`${subject} ${Buffer.from(bytes).toString()}`)
            if (reply) transport.publish(reply, Buffer.from('here'))
          },
        }),
    }
  }
  type Member = Awaited<ReturnType<typeof prepare>>
  async function come(...given: Parameters<typeof prepare>): Promise<Member> {
    const member = await prepare(...given)
    await member.start()
    await vi.waitFor(() => expect(member.transport.isUp()).toBe(true), PATIENT)
    return member
  }
  const subject = (secret: string, rest: string) => `bd.${installationOf(secret)}.${rest}`

  it('ask for a certificate and a key, store nothing, and notice within seconds who is gone', async () => {
    for (const [i] of nodes.entries()) {
      const facts = await look(i, 'varz')
      expect(facts).toMatchObject({
        server_name: NODES[i],
        auth_required: true,
        tls_required: true,
        tls_verify: true,
        max_payload: 1024 ** 2,
        ping_interval: 2_000_000_000,
        ping_max: 2,
        write_deadline: 2_000_000_000,
        system_account: 'SYSTEM',
      })
      expect(facts.jetstream ?? {}).toEqual({})
    }
  })

  it('carry what one gateway tells another at a different node, and an answer back', async () => {
    const [one, two] = [await come(0), await come(2)]
    two.transport.subscribe(subject(SECRET, 'gw.two'))
    await two.transport.flush(5_000)
    await vi.waitFor(async () => {
      const answer = await one.transport.request(subject(SECRET, 'gw.two'), Buffer.from('hello'), 1_000)
      expect(typeof answer === 'string' ? answer : Buffer.from(answer).toString()).toBe('here')
    }, PATIENT)
    expect(two.heard).toContain(`${subject(SECRET, 'gw.two')} hello`)
  })

  it('refuse a key that nobody entered, and whoever shows no certificate or another authority’s', async () => {
    const stranger = await prepare(0, { nkey: openUserKey().seed })
    const nameless = await prepare(1, { tls: undefined })
    const foreign = await prepare(2, { tls: 'foreign' })
    for (const { start, log, transport } of [stranger, nameless, foreign]) {
      await start()
      await vi.waitFor(() => expect(log.lines.some(({ level }) => level === 'warn')).toBe(true), PATIENT)
      expect(transport.isUp()).toBe(false)
    }
    expect(String(stranger.log.lines[0]?.fields.err)).toMatch(/authorization/i)
  })

  it('let no installation hear another, nor speak to it', async () => {
    const [one, two, other] = [await come(0), await come(1), await come(1, { secret: OTHER_SECRET })]
    for (const { transport } of [two, other]) {
      transport.subscribe(subject(SECRET, 'all'))
      await transport.flush(5_000)
    }
    other.transport.publish(subject(SECRET, 'all'), Buffer.from('from elsewhere'))
    await other.transport.flush(5_000)
    await vi.waitFor(() => {
      one.transport.publish(subject(SECRET, 'all'), Buffer.from('from one'))
      expect(two.heard.length).toBeGreaterThan(0)
    }, PATIENT)
    expect(new Set(two.heard)).toEqual(new Set([`${subject(SECRET, 'all')} from one`]))
    expect(other.heard).toEqual([])
  })

  it('join whole gateways, and go on doing so when a node dies', async () => {
    const database = await createTestDb({ template: 'world' })
    const network = (first: number) => ({
      isLost: () => false,
      join: () => ({
        ...createNatsTransport({
          url: `tls://${[0, 1, 2].map((i) => `127.0.0.1:${nodes[(first + i) % 3]?.port}`).join(',')}`,
          inbox: subject(SECRET, `reply.whole${first}`),
          name: 'test',
          nkey: seedOf(0),
          ca: at('certificates/bus-ca.pem'),
          cert: at('certificates/gateway.pem'),
          key: at('certificates/gateway.key'),
          log: createLogBook(),
        }),
        setCut: () => {},
      }),
    })
    const start = (given: typeof database, first: number) =>
      startWorld({ database: given, network: network(first), clock: systemClock, config: { secret: SECRET } })
    const one = await start(database, 0)
    const db = openDb({ socketDir: testSocketDir(), database: database.name, log: silentLog })
    const two = await start({ db, name: database.name, dropDatabase: () => db.close() }, 1)
    const heard = async () => {
      const counts = await Promise.all(
        [one, two].map(
          async ({ gateway }) =>
            (await gateway.registry.getSingleMetric('bus_messages_total')?.get())?.values ?? [],
        ),
      )
      return counts.map((values) =>
        values.filter(({ labels }) => labels.way === 'in').reduce((sum, { value }) => sum + value, 0),
      )
    }
    const hearMore = async () => {
      const before = await heard()
      await vi.waitFor(async () => {
        for (const [i, now] of (await heard()).entries()) expect(now).toBeGreaterThan(before[i] ?? 0)
      }, PATIENT)
    }
    await hearMore()
    nodes[0]?.child.kill('SIGKILL')
    await hearMore()
    for (const { gateway } of [one, two]) {
      const refused = await gateway.registry.getSingleMetric('bus_refused_total')?.get()
      expect(refused?.values.reduce((sum, { value }) => sum + value, 0)).toBe(0)
    }
    await two.close()
    await one.close()
  })
})
