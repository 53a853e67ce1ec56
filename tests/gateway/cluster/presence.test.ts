import fc from 'fast-check'
import { Registry as Metrics } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteDeadGateways, type Takeover } from '../../../gateway/broker/hub-connection-rows.ts'
import { createHubConnections, type HubConnections } from '../../../gateway/broker/hub-connections.ts'
import type { BrokerConnection, CloseReason, ThingClient } from '../../../gateway/kernel/broker.ts'
import { controlAck, controlCommand } from '../../../contract/devices/channels/control.ts'
import { createEvents } from '../../../gateway/kernel/events.ts'
import { type Control, createControl } from '../../../gateway/features/control/control.ts'
import { writePresence } from '../../../gateway/features/status/shadow/effects.ts'
import { createRegistry, type Registry } from '../../../gateway/cluster/registry.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { encode } from '../../support/building.ts'
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

/** The hub sends DISCONNECT; any other end of a connection lacks it. */
const GOODBYE: CloseReason = { isFinal: true, silentMs: 0 }
const CUT: CloseReason = { isFinal: false, silentMs: 0 }

/** The presence part of a gateway. */
interface Member {
  registry: Registry
  hubs: HubConnections
  open: Map<string, BrokerConnection>
  start(): Promise<void>
  connect(thingName: string): Promise<void>
  end(thingName: string, ending?: CloseReason): Promise<void>
  control: Control
  /** A user at this gateway requests the status of the hub's lamp. */
  ask(thingName: string): Promise<unknown>
  /** The process is suspended and unreachable. */
  frozen: boolean
}

/** Fate of a request to another gateway. */
type Way = 'works' | 'losesQuestion' | 'losesAnswer'

let db: Db
let drop: () => Promise<void>
let clock: HeldClock
let members: Member[]
/** Presence changes as published to screens. */
let told: string[]
let busLoses = false
let way: Way
/** Commands in order of delivery to hubs. */
let delivered: string[]
let ids = 0

beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
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
  await db.query(sql`delete from commands`)
  await db.query(sql`insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
    select ${TENANT}, 'lamp of ' || thing_name, '516', 'lamp', 'home-1', thing_name, 0 from things`)
  clock = holdClock()
  told = []
  delivered = []
  busLoses = false
  way = 'works'
  members = []
  for (let i = 0; i < 3; i++) members.push(await startMember())
}
beforeEach(setUp)

async function startMember(alone = false): Promise<Member> {
  const log = createLogBook()
  const registry = createRegistry({
    db,
    clock,
    log,
    newId: () => `g-${String(++ids).padStart(14, '0')}`,
    name: 'test',
    version: '0',
    secretMark: 'mark',
    filesLocationId: 'directory',
    isAlone: alone,
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
  const tellTook = (took: Takeover) => {
    if (!busLoses)
      for (const one of members) if (one.registry.id() === took.gateway) one.hubs.handleTakeover(took)
  }
  const hubs = createHubConnections({
    db,
    clock,
    log,
    metrics: new Metrics(),
    readGatewayId: registry.id,
    presenceWriters: writers,
    notifyTakeover: tellTook,
  })
  const open = new Map<string, BrokerConnection>()
  const control = startControl(registry, hubs, open)
  const member: Member = {
    registry,
    hubs,
    open,
    control,
    frozen: false,
    ask: (thingName) =>
      control.request({
        tenant: TENANT,
        homeId: 'home-1',
        RequestID: `request-${++ids}`,
        PeripheralUID: `lamp of ${thingName}`,
        Values: { Switch: ids % 2 },
        at: clock.now(),
        source: 'person',
        by: null,
      }),
    start: () =>
      registry.start({
        deleteDead: (tx, dead) => deleteDeadGateways(tx, dead, { clock, presenceWriters: writers }),
        onIdChanged: () => void hubs.reinsert(),
      }),
    async connect(thingName) {
      const connection: BrokerConnection = {
        clientId: `${thingName}/client`,
        disconnect() {
          if (open.get(thingName) === connection) open.delete(thingName)
          void hubs.disconnect(connection, CUT)
        },
      }
      // The broker itself ends an earlier connection of the same client.
      const earlier = open.get(thingName)
      open.set(thingName, connection)
      const entered = hubs.connect(client(thingName), connection)
      if (earlier) void hubs.disconnect(earlier, CUT)
      await entered
    },
    async end(thingName, ending = GOODBYE) {
      const connection = open.get(thingName)
      open.delete(thingName)
      if (connection) await hubs.disconnect(connection, ending)
    },
  }
  await member.start()
  return member
}

/** Command execution of one gateway. Its hubs receive the commands, and every second one acknowledges. */
function startControl(
  registry: Registry,
  hubs: HubConnections,
  open: ReadonlyMap<string, BrokerConnection>,
): Control {
  const hubOf = (topic: string) => controlCommand.match(topic)?.thingName ?? ''
  const broker = {
    hasSubscribers: (topic: string) => open.has(hubOf(topic)),
    async publish(topic: string, payload: unknown) {
      const thingName = hubOf(topic)
      if (!open.has(thingName)) return
      const { RequestID, PeripheralUID } = payload as { RequestID: string; PeripheralUID: string }
      delivered.push(RequestID)
      if (delivered.length % 2 === 0) return
      const answer = { ThingName: thingName, RequestID, PeripheralUID, Result: 'ok' }
      const ack = controlAck.topic({ rootId: TENANT, homeId: 'home-1' })
      void control.receive({ topic: ack, payload: encode(answer), client: client(thingName) })
    },
  }
  const control = createControl({
    db,
    broker,
    clock,
    log: createLogBook(),
    metrics: new Metrics(),
    events: createEvents((error) => {
      throw error
    }),
    isHere: hubs.isHere,
    remoteGateways: {
      readOwnId: registry.id,
      findGateway: hubs.findGateway,
      wasJustSeen: () => true,
      async executeAt(gateway, key) {
        const other = members.find((one) => one.registry.id() === gateway)
        if (!other) return 'nobody'
        if (other.frozen || way === 'losesQuestion') return 'silent'
        const carried = await other.control.executeCommand(key)
        return way === 'losesAnswer' ? 'silent' : carried
      },
    },
  })
  return control
}

const at = (index: number) => members[index] as Member
const online = async (thingName = 'hub-1') =>
  (await db.query<{ online: boolean }>(sql`select online from things where thing_name = ${thingName}`))[0]
    ?.online
/** Moves a gateway's last heartbeat back by this many seconds. */
const silence = ({ registry }: Member, seconds: number) =>
  db.query(
    sql`update gateways set seen_at = seen_at - make_interval(secs => ${seconds}) where id = ${registry.id()}`,
  )
/** Stops the heartbeats of a gateway until a test triggers a check. */
const standStill = ({ registry }: Member): Promise<void> => registry.close()
/** All but the dead gateways check every few seconds during this time. */
async function pass(seconds: number, dead: readonly Member[] = []): Promise<void> {
  const living = members.filter((member) => !dead.includes(member))
  for (let passed = 0; passed < seconds; passed += 5) {
    clock.advance(5_000)
    for (const { registry } of living) await registry.refresh()
  }
}

describe('a hub', () => {
  it('is never offline while it moves to another gateway, which ends the former connection', async () => {
    await at(0).connect('hub-1')
    await at(1).connect('hub-1')
    await expect.poll(() => at(0).open.size).toBe(0)
    await at(0).hubs.close()
    expect(await online()).toBe(true)
    expect(told).toEqual(['+hub-1'])
    await at(1).end('hub-1')
    expect(told).toEqual(['+hub-1', '-hub-1'])
  })

  it('stays online if its former connection ends late, because no one was notified', async () => {
    busLoses = true
    await at(0).connect('hub-1')
    await at(1).connect('hub-1')
    await at(0).end('hub-1')
    expect(told).toEqual(['+hub-1'])
    expect(await at(2).hubs.findGateway('hub-1')).toBe(at(1).registry.id())
  })

  it('of a dead gateway goes offline after 30 s, dated when last seen, unless it is elsewhere', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    await standStill(at(0))
    await pass(30, [at(0)])
    await silence(at(0), 29)
    await at(1).registry.refresh()
    expect(await online('hub-2')).toBe(true)
    await at(1).connect('hub-1')
    await silence(at(0), 2)
    await at(1).registry.refresh()
    expect(told).toEqual(['+hub-1', '+hub-2', '-hub-2'])
    const [absence] = await db.query<{ since: number; withGateway: boolean }>(
      sql`select since, with_gateway as "withGateway" from hub_absences where thing_name = 'hub-2'`,
    )
    expect(absence?.withGateway).toBe(true)
    expect(clock.now() - (absence?.since ?? 0)).toBeGreaterThan(30_000)
    expect(clock.now() - (absence?.since ?? 0)).toBeLessThan(35_000)
  })

  it('is not marked offline by a gateway that has only just reached the database itself', async () => {
    await at(0).connect('hub-1')
    await standStill(at(0))
    await silence(at(0), 60)
    clock.advance(60_000)
    await at(1).registry.refresh()
    expect(await online()).toBe(true)
    await pass(30, [at(0)])
    expect(await online()).toBe(false)
  })

  it('of a gateway taken for dead is registered again, or released if it is elsewhere', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    const former = at(0).registry.id()
    await standStill(at(0))
    await pass(30, [at(0)])
    await silence(at(0), 31)
    await at(1).registry.refresh()
    expect(told.slice(2)).toEqual(['-hub-1', '-hub-2'])
    await at(1).connect('hub-1')
    await at(0).registry.refresh()
    expect(at(0).registry.id()).not.toBe(former)
    await expect.poll(() => [...at(0).open.keys()]).toEqual(['hub-2'])
    await expect.poll(async () => [await online('hub-1'), await online('hub-2')]).toEqual([true, true])
    expect(await at(2).hubs.findGateway('hub-2')).toBe(at(0).registry.id())
  })

  it('never has a negative offline time, whatever the clocks of gateways', async () => {
    await at(0).connect('hub-1')
    await at(0).end('hub-1')
    await writePresence(db, [{ thingName: 'hub-1', at: clock.now() - 500 }], true, clock.now())
    const rows = await db.query<{ ms: number }>(
      sql`select until - since as ms from hub_absences where thing_name = 'hub-1' and until is not null`,
    )
    expect(rows.at(-1)?.ms).toBe(0)
  })

  it('keeps its row when its gateway ends, so that it can move to another one', async () => {
    await at(0).connect('hub-1')
    await at(0).hubs.close()
    await at(0).end('hub-1')
    expect(await online()).toBe(true)
    expect(told).toEqual(['+hub-1'])
  })
})

describe('a gateway', () => {
  it('is seen as alive between two heartbeats, and no longer without one', async () => {
    const other = at(0).registry.id()
    // The last heartbeat is nearly one interval old when it is read, and that read is nearly one interval ago.
    await silence(at(0), 1.99)
    await at(1).registry.refresh()
    clock.advance(1_990)
    expect(at(1).registry.wasJustSeen(other)).toBe(true)
    await standStill(at(0))
    clock.advance(2_000)
    expect(at(1).registry.wasJustSeen(other)).toBe(false)
    expect(at(1).registry.wasJustSeen('g-of-nobody')).toBe(false)
  })

  it('that has shut down no longer counts, while its row and last messages are still known', async () => {
    const ended = at(0).registry.id()
    const idsAt = (n: number) =>
      at(n)
        .registry.others()
        .map(({ id }) => id)
    await at(1).registry.refresh()
    expect(idsAt(1)).toContain(ended)
    await at(0).registry.close()
    await at(1).registry.refresh()
    expect(idsAt(1)).toEqual([at(2).registry.id()])
    expect(at(1).registry.wasJustSeen(ended)).toBe(true)
    expect(await at(1).registry.isKnown(ended)).toBe(true)
  })
})

describe('a hub of a single gateway that restarts', () => {
  let before: Member
  beforeEach(async () => {
    await db.query(sql`delete from gateways`)
    before = await startMember(true)
    await before.connect('hub-1')
    await before.connect('hub-2')
    await standStill(before)
    await before.hubs.close()
    members = []
  })
  const startAgain = async () => {
    const after = await startMember(true)
    members = [after]
    return after
  }

  it('has 30 s to reconnect before it is offline, dated when the gateway was last seen', async () => {
    const after = await startAgain()
    expect(after.registry.others()).toEqual([])
    // A check of its own that began before the silence might still be running.
    await standStill(after)
    await after.connect('hub-1')
    clock.advance(29_000)
    await silence(before, 29)
    await after.registry.refresh()
    expect(await online('hub-2')).toBe(true)
    clock.advance(2_000)
    await silence(before, 2)
    await after.registry.refresh()
    expect(told).toEqual(['+hub-1', '+hub-2', '-hub-2'])
    expect(await online('hub-1')).toBe(true)
  })

  it('is offline immediately if the gateway was down for longer', async () => {
    await silence(before, 31)
    await startAgain()
    expect(told).toEqual(['+hub-1', '+hub-2', '-hub-1', '-hub-2'])
    expect(await db.query(sql`select 1 from gateways`)).toHaveLength(1)
  })
})

describe('a released hub', () => {
  it('is never offline if it moves to another gateway', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    at(0).hubs.release(1)
    expect([...at(0).open.keys()]).toEqual(['hub-2'])
    expect(at(0).hubs.count()).toBe(1)
    expect(at(0).hubs.isHere('hub-1')).toBe(false)
    await at(1).connect('hub-1')
    clock.advance(40_000)
    await at(0).end('hub-2')
    expect(told).toEqual(['+hub-1', '+hub-2', '-hub-2'])
  })

  it('is offline after 30 s if it connects to none', async () => {
    await at(0).connect('hub-1')
    at(0).hubs.release(1)
    clock.advance(29_000)
    expect(await online()).toBe(true)
    clock.advance(2_000)
    await expect.poll(() => online()).toBe(false)
  })
})

describe('a disconnected hub', () => {
  const absences = () =>
    db.query<{ since: number }>(sql`select since from hub_absences where thing_name = 'hub-1'`)
  beforeEach(() => db.query(sql`delete from hub_absences`))

  it('is never offline if it reconnects within 30 s, and leaves no row behind', async () => {
    await at(0).connect('hub-1')
    const left = at(0).end('hub-1', CUT)
    expect(at(0).hubs.isHere('hub-1')).toBe(false)
    clock.advance(29_000)
    await at(0).connect('hub-1')
    await left
    expect(told).toEqual(['+hub-1'])
    expect(await db.query(sql`select from hub_connections where thing_name = 'hub-1'`)).toHaveLength(1)
    await at(0).end('hub-1')
    expect(told).toEqual(['+hub-1', '-hub-1'])
  })

  it('is offline after 30 s, dated when it was disconnected', async () => {
    await at(0).connect('hub-1')
    const since = clock.now()
    const left = at(0).end('hub-1', CUT)
    clock.advance(29_999)
    expect(await online()).toBe(true)
    clock.advance(1)
    await left
    expect(told).toEqual(['+hub-1', '-hub-1'])
    expect(await absences()).toEqual([{ since }])
  })

  it('is offline immediately if it was silent for longer, dated when it was last active', async () => {
    await at(0).connect('hub-1')
    const since = clock.now()
    clock.advance(45_000)
    await at(0).end('hub-1', { isFinal: false, silentMs: 45_000 })
    expect(told).toEqual(['+hub-1', '-hub-1'])
    expect(await absences()).toEqual([{ since }])
  })

  it('keeps its row if its gateway ends meanwhile', async () => {
    await at(0).connect('hub-1')
    const left = at(0).end('hub-1', CUT)
    await at(0).hubs.close()
    await left
    expect(await online()).toBe(true)
  })

  it('is not queried meanwhile: commands to it fail immediately', async () => {
    await at(0).connect('hub-1')
    void at(0).end('hub-1', CUT)
    for (const index of [0, 1]) await at(index).ask('hub-1')
    const rows = () => db.query(sql`select state, reason from commands`)
    const failed = { state: 'failed', reason: 'hubOffline' }
    await expect.poll(rows).toEqual([failed, failed])
    expect(delivered).toEqual([])
  })
})

describe('a hub that disconnected while its gateway was suspended', () => {
  it('has 30 s to reach another one, as if its gateway had died', async () => {
    await at(0).connect('hub-1')
    await at(0).connect('hub-2')
    clock.suspend(4_000)
    // The keep-alive of one connection expired while no gateway was listening.
    void at(0).end('hub-1', CUT)
    void at(0).end('hub-2', { isFinal: false, silentMs: 45_000 })
    await at(1).connect('hub-1')
    clock.advance(29_000)
    expect(await online('hub-2')).toBe(true)
    clock.advance(2_000)
    await expect.poll(() => told).toEqual(['+hub-1', '+hub-2', '-hub-2'])
  })
})

describe('two devices with one client id', () => {
  it('close each other, and wait after five times in ten seconds', async () => {
    for (let i = 0; i < 5; i++) {
      await at(0).connect('hub-1')
      await at(1).connect('hub-1')
      await expect.poll(() => at(0).open.size).toBe(0)
    }
    const connection: BrokerConnection = { clientId: 'hub-1/client', disconnect() {} }
    const entered = at(0).hubs.connect(client('hub-1'), connection)
    expect(at(0).hubs.connackDelayOf(connection)).toBeDefined()
    expect(await at(2).hubs.findGateway('hub-1')).toBe(at(1).registry.id())
    clock.advance(5_000)
    await entered
    expect(await at(2).hubs.findGateway('hub-1')).toBe(at(0).registry.id())
  })

  it('wait at one gateway too, and are reset after ten seconds', async () => {
    const meet = () => {
      const connection: BrokerConnection = { clientId: 'hub-1/client', disconnect() {} }
      void at(0).hubs.connect(client('hub-1'), connection)
      return at(0).hubs.connackDelayOf(connection)
    }
    const waits = Array.from({ length: 6 }, () => meet() !== undefined)
    expect(waits).toEqual([false, false, false, false, false, true])
    clock.advance(15_000)
    expect(meet()).toBeUndefined()
  })
})

/** Events of hubs and gateways, in any order. */
const step = fc.record({
  does: fc.constantFrom('connect', 'end', 'cut', 'ask', 'ask', 'freeze', 'goOn', 'loses'),
  hub: fc.constantFrom(...HUBS),
  member: fc.integer({ min: 0, max: 2 }),
  /** Fate of requests between gateways; for a gateway that resumes, whether it was declared dead in the meantime. */
  way: fc.constantFrom<Way>('works', 'losesQuestion', 'losesAnswer'),
  isDead: fc.boolean(),
})

async function goOn(one: Member, isDead: boolean): Promise<void> {
  const other = members.find((member) => !member.frozen)
  if (isDead && other) {
    const frozen = members.filter((member) => member.frozen)
    await pass(30, frozen)
    await silence(one, 31)
    await other.registry.refresh()
  }
  one.frozen = false
  await one.registry.refresh()
}

it('keeps its guarantees in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      await setUp()
      const asked: Promise<unknown>[] = []
      for (const { does, hub: name, member: index, way: next, isDead } of steps) {
        const one = at(index)
        if (does === 'goOn') await goOn(one, isDead)
        else if (does === 'loses') {
          way = next
          busLoses = next !== 'works'
        } else if (one.frozen) continue
        else if (does === 'connect') await one.connect(name)
        else if (does === 'end') await one.end(name)
        else if (does === 'cut') void one.end(name, CUT)
        else if (does === 'ask') asked.push(one.ask(name))
        else {
          one.frozen = true
          await standStill(one)
        }
      }
      for (const one of members) if (one.frozen) await goOn(one, false)
      await Promise.all(asked)
      // A hub is online if it is connected somewhere, or was until just now.
      clock.advance(30_000)
      for (const name of HUBS) {
        const isConnected = members.some(({ open }) => open.has(name))
        await expect.poll(() => online(name)).toBe(isConnected)
      }
      // No command is delivered twice.
      expect(delivered).toEqual([...new Set(delivered)])
      // Each command ends, at the latest when the sweep finds it overdue.
      clock.advance(20_000)
      await db.query(sql`update commands set stored_at = stored_at - interval '20 s'`)
      const open = () =>
        db.query(sql`select request_id, state from commands where settled_at is null and tenant = ${TENANT}`)
      await expect
        .poll(async () => {
          for (const { control } of members) await control.endOverdue()
          return open()
        })
        .toEqual([])
      for (const { control } of members) await control.close()
    }),
    { numRuns: 20 },
  )
})
