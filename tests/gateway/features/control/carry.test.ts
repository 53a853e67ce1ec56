import fc from 'fast-check'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlCommand } from '../../../../contract/devices/channels/control.ts'
import { type Control, createControl } from '../../../../gateway/features/control/control.ts'
import type { RemoteExecution, RemoteGateways } from '../../../../gateway/features/control/ports.ts'
import { createEvents } from '../../../../gateway/kernel/events.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { holdClock } from '../../../support/clock.ts'
import { FakeBroker } from '../../../support/fake-broker.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb } from '../../../support/postgres.ts'

type Answer = RemoteExecution | 'nobody' | 'silent' | 'away'

let db: Db
let drop: () => Promise<void>
let building: Building
/** Messages that the hub's gateway sent to the hub. */
let broker: FakeBroker
/** The gateway that receives the call, and the gateway of the hub. */
let asker: Control
let hubs: Control
/** Delivery of the request to the other gateway. */
let way: (carry: () => Promise<RemoteExecution>) => Promise<Answer>
let justSeen = true
let requests = 0

beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
  building = await createBuilding(db)
  await building.addDevice('light', '534')
  const clock = holdClock()
  broker = new FakeBroker()
  const start = (me: string, through: FakeBroker): Control => {
    const elsewhere: RemoteGateways = {
      readOwnId: () => me,
      findGateway: async () => 'hubs',
      wasJustSeen: () => justSeen,
      executeAt: (_, key) => way(() => hubs.executeCommand(key)),
    }
    const events = createEvents((error) => {
      throw error
    })
    return createControl({
      db,
      broker: through,
      events,
      clock,
      log: createLogBook(),
      metrics: new Registry(),
      isHere: () => me === 'hubs',
      remoteGateways: elsewhere,
    })
  }
  asker = start('asker', new FakeBroker())
  hubs = start('hubs', broker)
})
afterAll(async () => {
  await asker.close()
  await hubs.close()
  await drop()
})

/** Immediate response to the caller. */
let answered: string

async function ask(): Promise<string> {
  const RequestID = `request-${++requests}`
  const { State } = await asker.request({
    tenant: building.tenant,
    homeId: building.homeId,
    RequestID,
    PeripheralUID: 'light',
    Values: { Switch1: 1 },
    at: holdClock().now(),
    source: 'person',
    by: null,
  })
  answered = State
  return RequestID
}
const sentTo = (requestId: string) =>
  broker
    .sentTo(
      controlCommand.topic({
        rootId: building.tenant,
        homeId: building.homeId,
        thingName: building.thingName,
      }),
    )
    .filter(({ RequestID }) => RequestID === requestId).length
const stateOf = async (requestId: string) => {
  const [row] = await db.query<{ state: string; reason: string | null }>(
    sql`select state, reason from commands where request_id = ${requestId} and tenant = ${building.tenant}`,
  )
  return row?.reason ? `${row.state}: ${row.reason}` : row?.state
}
const questionOf = (RequestID: string) => ({
  tenant: building.tenant,
  RequestID,
  PeripheralUID: 'light',
  HomeID: building.homeId,
  ThingName: building.thingName,
  RequestedAt: holdClock().now(),
})

it('carries out a command once, however often the gateway of its hub is asked', async () => {
  way = async (carry) => {
    const answers = await Promise.all([carry(), carry(), carry()])
    expect(answers.toSorted()).toEqual(['gone', 'gone', 'sent'])
    return 'sent'
  }
  const id = await ask()
  expect(sentTo(id)).toBe(1)
  await expect.poll(() => stateOf(id)).toBe('sent')
  expect(await hubs.executeCommand(questionOf(id))).toBe('gone')
})

it.each([
  ['nobody', true, 'failed: unreachable'],
  ['nobody', false, 'failed: hubOffline'],
  ['silent', true, 'failed: unreachable'],
  ['away', true, 'failed: unreachable'],
  ['unavailable', true, 'failed: unreachable'],
  ['notHere', true, 'failed: hubOffline'],
] as const)(
  'ends a command after the status query result %s (just seen: %s) with %s',
  async (answer, seen, end) => {
    justSeen = seen
    way = async () => answer
    const id = await ask()
    await expect.poll(() => stateOf(id)).toBe(end)
    // The request arrives late after all.
    expect(await hubs.executeCommand(questionOf(id))).toBe('gone')
    expect(sentTo(id)).toBe(0)
  },
)

it('delivers the stored command, and nothing for another hub, home or time', async () => {
  way = async (carry) => {
    const asked = questionOf(`request-${requests}`)
    for (const wrong of [
      { ThingName: 'another' },
      { HomeID: 'another' },
      { RequestedAt: asked.RequestedAt - 1 },
      { PeripheralUID: 'another' },
    ])
      expect(await hubs.executeCommand({ ...asked, ...wrong })).toBe('gone')
    expect(sentTo(asked.RequestID)).toBe(0)
    expect(await stateOf(asked.RequestID)).toBe('accepted')
    return carry()
  }
  const id = await ask()
  const topic = controlCommand.topic({
    rootId: building.tenant,
    homeId: building.homeId,
    thingName: building.thingName,
  })
  expect(broker.sentTo(topic).at(-1)).toMatchObject({
    RequestID: id,
    PeripheralUID: 'light',
    Values: { Switch1: 1 },
  })
})

it('rejects a command that waited in the database longer than a hub accepts it, and reports so', async () => {
  way = async (carry) => {
    await db.query(sql`update commands set stored_at = stored_at - interval '6 s' where state = 'accepted'`)
    return carry()
  }
  const id = await ask()
  expect(sentTo(id)).toBe(0)
  expect(await stateOf(id)).toBe('failed: tooLate')
})

it('is either carried out or failed, in any order of query, answer and timeout', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom<'before' | 'with' | 'after'>('before', 'with', 'after'),
      fc.boolean(),
      async (when, answers) => {
        let late: Promise<RemoteExecution> | undefined
        way = async (carry) => {
          if (when === 'before') {
            const carried = await carry()
            return answers ? carried : 'silent'
          }
          if (when === 'with') late = carry()
          return 'silent'
        }
        const id = await ask()
        const carried = await (late ?? hubs.executeCommand(questionOf(id)))
        await expect.poll(() => stateOf(id)).not.toBe('accepted')
        const state = await stateOf(id)
        expect(sentTo(id)).toBe(state?.startsWith('failed: unreachable') ? 0 : 1)
        expect(answered === 'failed').toBe(sentTo(id) === 0)
        expect(['sent', 'gone']).toContain(carried)
      },
    ),
    { numRuns: 12 },
  )
})
