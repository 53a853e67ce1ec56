import fc from 'fast-check'
import { Registry as Metrics } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  buryGateways,
  createHubConnections,
  type HubConnections,
  type Took,
} from '../../../gateway/broker/hub-connections.ts'
import type { BrokerConnection, ThingClient } from '../../../gateway/broker/port.ts'
import { writePresence } from '../../../gateway/features/status/shadow/effects.ts'
import { createRegistry, type Registry } from '../../../gateway/gateways/registry.ts'
import { type Db, sql } from '../../../gateway/store/db.ts'
import { holdClock, type HeldClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createTestDb } from '../../support/postgres.ts'

const TENANT = '11111111-1111-4111-8111-111111111111'
const HUBS = ['hub-1', 'hub-2']
const client = (thingName: string): ThingClient => ({
  party: 'hub',
  tenant: TENANT,
  homeId: 'home-1',
  thingName,
})

/** What a gateway has of hubs, and nothing else of it. */
interface Member {
  registry: Registry
  hubs: HubConnections
  open: Map<string, BrokerConnection>
  start(): Promise<void>
  connect(thingName: string): Promise<void>
  end(thingName: string): Promise<void>
}

let db: Db
let drop: () => Promise<void>
let clock: HeldClock
let members: Member[]
/** Every time that a hub came or went, as screens are told. */
let told: string[]
let busLoses = false
let ids = 0

beforeAll(async () => {
  ;({ db, drop } = await createTestDb())
  await db.query(sql`insert into companies values (${TENANT}, 'c', '', null, 0)`)
  await db.query(sql`insert into homes (tenant, home_id, home_name, time_zone, created_at)
    values (${TENANT}, 'home-1', 'h', 'Asia/Taipei', 0)`)
  await db.query(sql`insert into rooms values (${TENANT}, 'home-1', 0, 'r')`)
})
afterAll(() => drop())

async function setUp(): Promise<void> {
  await db.query(sql`delete from gateways`)
  await db.query(sql`delete from things`)
  for (const name of HUBS)
    await db.query(sql`insert into things (tenant, thing_name, device_name, home_id, secret_hash, created_at)
      values (${TENANT}, ${name}, ${name}, 'home-1', '\\x00', 0)`)
  clock = holdClock()
  told = []
  busLoses = false
  members = []
  for (let i = 0; i < 3; i++) members.push(await startMember())
}
beforeEach(setUp)

async function startMember(): Promise<Member> {
  const log = createLogBook()
  const registry = createRegistry({
    db,
    clock,
    log,
    newId: () => `g-${String(++ids).padStart(14, '0')}`,
    name: 'test',
    version: '0',
    secretMark: 'mark',
    alone: false,
  })
  const writers = {
    async hub(tx: Db, went: readonly { thingName: string; at: number }[], online: boolean) {
      const changed = await writePresence(tx, went, online, clock.now())
      return () => {
        for (const { thingName } of changed) told.push(`${online ? '+' : '-'}${thingName}`)
      }
    },
    scanner: async () => () => {},
  }
  const tellTook = (took: Took) => {
    if (!busLoses) for (const one of members) if (one.registry.id() === took.gateway) one.hubs.took(took)
  }
  const hubs = createHubConnections({
    db,
    clock,
    log,
    metrics: new Metrics(),
    gatewayId: registry.id,
    writers,
    tellTook,
  })
  const open = new Map<string, BrokerConnection>()
  const member: Member = {
    registry,
    hubs,
    open,
    start: () =>
      registry.start({
        bury: (tx, dead) => buryGateways(tx, dead, { clock, writers }),
        reborn: () => void hubs.reenter(),
      }),
    async connect(thingName) {
      const connection: BrokerConnection = {
        clientId: `${thingName}/client`,
        drop() {
          if (open.get(thingName) === connection) open.delete(thingName)
          void hubs.went(connection)
        },
      }
      open.set(thingName, connection)
      await hubs.came(client(thingName), connection)
    },
    async end(thingName) {
      const connection = open.get(thingName)
      open.delete(thingName)
      if (connection) await hubs.went(connection)
    },
  }
  await member.start()
  return member
}

const at = (index: number) => members[index] as Member
const online = async (thingName = 'hub-1') =>
  (await db.query<{ online: boolean }>(sql`select online from things where thing_name = ${thingName}`))[0]
    ?.online
/** The database has not seen this gateway for so long. */
const silence = ({ registry }: Member, seconds: number) =>
  db.query(
    sql`update gateways set seen_at = seen_at - make_interval(secs => ${seconds}) where id = ${registry.id()}`,
  )
/** It gives no further sign by itself, until a test has it look. */
const standStill = ({ registry }: Member): Promise<void> => registry.close()
/** All but the dead look every few seconds, for so long. */
async function pass(seconds: number, dead: readonly Member[] = []): Promise<void> {
  const living = members.filter((member) => !dead.includes(member))
  for (let passed = 0; passed < seconds; passed += 5) {
    clock.advance(5_000)
    for (const { registry } of living) await registry.look()
  }
}

describe('a hub', () => {
  it('is never offline while it goes to another gateway, whose word ends the former connection', async () => {
    await at(0).connect('hub-1')
    await at(1).connect('hub-1')
    await expect.poll(() => at(0).open.size).toBe(0)
    await at(0).hubs.close()
    expect(await online()).toBe(true)
    expect(told).toEqual(['+hub-1'])
    await at(1).end('hub-1')
    expect(told).toEqual(['+hub-1', '-hub-1'])
  })

  it('stays online when its former connection ends late, because nobody was told', async () => {
    busLoses = true
    await at(0).connect('hub-1')
    await at(1).connect('hub-1')
    await at(0).end('hub-1')
    expect(told).toEqual(['+hub-1'])
    expect(await at(2).hubs.whereIs('hub-1')).toBe(at(1).registry.id())
  })

  it('of a gateway that died goes offline after half a minute, since that was last seen, unless it is elsewhere', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    await standStill(at(0))
    await pass(30, [at(0)])
    await silence(at(0), 29)
    await at(1).registry.look()
    expect(await online('hub-2')).toBe(true)
    await at(1).connect('hub-1')
    await silence(at(0), 2)
    await at(1).registry.look()
    expect(told).toEqual(['+hub-1', '+hub-2', '-hub-2'])
    const [absence] = await db.query<{ since: number }>(
      sql`select since from hub_absences where thing_name = 'hub-2'`,
    )
    expect(clock.now() - (absence?.since ?? 0)).toBeGreaterThan(30_000)
    expect(clock.now() - (absence?.since ?? 0)).toBeLessThan(35_000)
  })

  it('is not put offline by a gateway that has only just reached the database itself', async () => {
    await at(0).connect('hub-1')
    await standStill(at(0))
    await silence(at(0), 60)
    clock.advance(60_000)
    await at(1).registry.look()
    expect(await online()).toBe(true)
    await pass(30, [at(0)])
    expect(await online()).toBe(false)
  })

  it('of a gateway that was taken for dead is entered again, or let go when it is elsewhere', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    const former = at(0).registry.id()
    await standStill(at(0))
    await pass(30, [at(0)])
    await silence(at(0), 31)
    await at(1).registry.look()
    expect(told.slice(2)).toEqual(['-hub-1', '-hub-2'])
    await at(1).connect('hub-1')
    await at(0).registry.look()
    expect(at(0).registry.id()).not.toBe(former)
    await expect.poll(() => [...at(0).open.keys()]).toEqual(['hub-2'])
    await expect.poll(async () => [await online('hub-1'), await online('hub-2')]).toEqual([true, true])
    expect(await at(2).hubs.whereIs('hub-2')).toBe(at(0).registry.id())
  })

  it('keeps its row when its gateway ends, so that it can come to another one', async () => {
    await at(0).connect('hub-1')
    await at(0).hubs.close()
    await at(0).end('hub-1')
    expect(await online()).toBe(true)
    expect(told).toEqual(['+hub-1'])
  })
})

describe('a hub that is let go', () => {
  it('is never offline when it comes to another gateway', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    at(0).hubs.letGo(1)
    expect([...at(0).open.keys()]).toEqual(['hub-2'])
    expect(at(0).hubs.count()).toBe(1)
    expect(at(0).hubs.isHere('hub-1')).toBe(false)
    await at(1).connect('hub-1')
    clock.advance(40_000)
    await at(0).end('hub-2')
    expect(told).toEqual(['+hub-1', '+hub-2', '-hub-2'])
  })

  it('is offline after half a minute when it comes to none', async () => {
    await at(0).connect('hub-1')
    at(0).hubs.letGo(1)
    clock.advance(29_000)
    expect(await online()).toBe(true)
    clock.advance(2_000)
    await expect.poll(() => online()).toBe(false)
  })
})

describe('a hub that was cut off while its gateway stood still', () => {
  it('has half a minute to come to another one, as if its gateway had died', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    clock.stand(4_000)
    void at(0).end('hub-1')
    void at(0).end('hub-2')
    await at(1).connect('hub-1')
    clock.advance(29_000)
    expect(await online('hub-2')).toBe(true)
    clock.advance(2_000)
    await expect.poll(() => told).toEqual(['+hub-1', '+hub-2', '-hub-2'])
  })
})

describe('two devices with one client id', () => {
  it('end each other, and wait once they have done so five times in ten seconds', async () => {
    for (let i = 0; i < 5; i++) {
      await at(0).connect('hub-1')
      await at(1).connect('hub-1')
      await expect.poll(() => at(0).open.size).toBe(0)
    }
    const connection: BrokerConnection = { clientId: 'hub-1/client', drop() {} }
    const entered = at(0).hubs.came(client('hub-1'), connection)
    expect(at(0).hubs.welcome(connection)).toBeDefined()
    expect(await at(2).hubs.whereIs('hub-1')).toBe(at(1).registry.id())
    clock.advance(5_000)
    await entered
    expect(await at(2).hubs.whereIs('hub-1')).toBe(at(0).registry.id())
  })

  it('wait at one gateway, too, and are forgotten after ten seconds', async () => {
    const meet = () => {
      const connection: BrokerConnection = { clientId: 'hub-1/client', drop() {} }
      void at(0).hubs.came(client('hub-1'), connection)
      return at(0).hubs.welcome(connection)
    }
    const waits = Array.from({ length: 6 }, () => meet() !== undefined)
    expect(waits).toEqual([false, false, false, false, false, true])
    clock.advance(15_000)
    expect(meet()).toBeUndefined()
  })
})

it('is online exactly while it is connected somewhere, in whatever order things happen', async () => {
  const hub = fc.constantFrom(...HUBS)
  const member = fc.integer({ min: 0, max: 2 })
  const step = fc.oneof(
    fc.record({ does: fc.constant('connect' as const), hub, member }),
    fc.record({ does: fc.constant('end' as const), hub, member }),
    fc.record({ does: fc.constant('dies' as const), hub, member }),
    fc.record({ does: fc.constant('loses' as const), hub, member }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      await setUp()
      for (const { does, hub: name, member: index } of steps) {
        const one = at(index)
        if (does === 'connect') await one.connect(name)
        else if (does === 'end') await one.end(name)
        else if (does === 'loses') busLoses = !busLoses
        else {
          // It stands still until the others have declared it dead, and goes on.
          await standStill(one)
          await pass(30, [one])
          await silence(one, 31)
          await at((index + 1) % 3).registry.look()
          await one.registry.look()
        }
      }
      for (const name of HUBS) {
        const isConnected = members.some(({ open }) => open.has(name))
        await expect.poll(() => online(name)).toBe(isConnected)
      }
    }),
    { numRuns: 10 },
  )
})
