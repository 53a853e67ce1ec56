import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  deleteRecipients,
  discardTopics,
  enqueue,
  type NewDelivery,
} from '../../../gateway/deliveries/store.ts'
import { createDeliveryWorker, type Sender, type SendResult } from '../../../gateway/deliveries/worker.ts'
import { type Db, sql } from '../../../gateway/kernel/db.ts'
import { type Building, createBuilding } from '../../support/building.ts'
import { holdClock, type HeldClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createTestDb, type TestDb } from '../../support/postgres.ts'
import { PATIENT } from '../../support/patient.ts'

const MINUTE = 60_000

interface Payload {
  text: string
}

let test: TestDb
let building: Building
let clock: HeldClock
beforeAll(async () => {
  test = await createTestDb({ max: 12 })
})
afterAll(() => test.dropDatabase())
beforeEach(async () => {
  building = await createBuilding(test.db)
  clock = holdClock()
  return () => test.db.query(sql`truncate deliveries`)
})

const add = (...given: Partial<NewDelivery<Payload>>[]) =>
  enqueue(
    test.db,
    given.map((one) => ({
      tenant: building.tenant,
      kind: 'test',
      recipient: 'a@example.com',
      lane: 'mail',
      payload: { text: 'Hello' },
      dueAt: clock.now(),
      ...one,
    })),
    clock.now(),
  )
const rows = () =>
  test.db.query<{ state: string; reason: string | null; attempts: number }>(
    sql`select state, reason, attempts from deliveries order by delivery_id`,
  )

/** Gateway whose worker records what it sends. */
function start(
  answer: (text: string, id: string) => Promise<SendResult> = async () => ({ status: 'sent' }),
  changes: Partial<Sender<Payload>> = {},
  db: Db = test.db,
) {
  const sent: { id: string; text: string }[] = []
  const log = createLogBook()
  const worker = createDeliveryWorker<Payload>(
    { db, clock, log },
    {
      kind: 'test',
      policy: { leaseMs: MINUTE, firstDelayMs: MINUTE, maxDelayMs: 60 * MINUTE, maxAttempts: 3 },
      concurrency: { total: 4, perLane: 2 },
      send: async ({ id, payload: { text } }) => {
        sent.push({ id, text })
        return answer(text, id)
      },
      ...changes,
    },
  )
  const look = async () => {
    await worker.sendDue()
    await worker.idle()
  }
  return { worker, sent, log, look, texts: () => sent.map(({ text }) => text) }
}

describe('a delivery', () => {
  it('is sent when it is due, and then deleted', async () => {
    await add({ dueAt: clock.now() + MINUTE })
    const { look, texts } = start()
    await look()
    expect(texts()).toEqual([])
    clock.advance(MINUTE)
    await look()
    expect(texts()).toEqual(['Hello'])
    expect(await rows()).toEqual([])
  })

  it('is enqueued once per key, also after it was settled', async () => {
    const { look, texts } = start(undefined, { retainsSettled: true })
    await add({ key: 'k' }, { key: 'k' }, {}, {})
    await look()
    await add({ key: 'k' })
    await look()
    expect(texts()).toHaveLength(3)
    expect(new Set((await rows()).map(({ state }) => state))).toEqual(new Set(['sent']))
  })

  it('has one id for all attempts, and is given up after the last', async () => {
    await add({})
    const failed: string[] = []
    const { look, sent, log } = start(
      async () => {
        throw new Error('The server is down')
      },
      { onFailed: async (_tx, { payload }) => void failed.push(payload.text) },
    )
    for (let i = 0; i < 6; i++) {
      await look()
      clock.advance(10 * MINUTE)
    }
    expect(sent).toHaveLength(3)
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(failed).toEqual(['Hello'])
    expect(await rows()).toEqual([])
    expect(log.lines.at(-1)).toMatchObject({ text: 'message not sent, gave up', fields: { kind: 'test' } })
  })

  it('is kept with its result if its kind is shown', async () => {
    await add({ payload: { text: '1' } }, { payload: { text: '2' } }, { payload: { text: '3' } })
    await add({ payload: { text: '4' }, skipReason: 'right' })
    const results: Record<string, SendResult> = {
      1: { status: 'sent' },
      2: { status: 'skipped', reason: 'away' },
      3: { status: 'gone' },
    }
    const settled: string[] = []
    const { look, texts } = start(async (text) => results[text] ?? { status: 'sent' }, {
      retainsSettled: true,
      onSettled: ({ payload }) => void settled.push(payload.text),
    })
    await look()
    expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([
      ['sent', null],
      ['skipped', 'away'],
      ['failed', 'gone'],
      ['skipped', 'right'],
    ])
    expect(texts().toSorted()).toEqual(['1', '2', '3'])
    expect(settled.toSorted()).toEqual(['1', '2', '3'])
  })

  it('over a quota waits without counting the attempt', async () => {
    await add({})
    let isOver = true
    const { look, sent } = start(async () => (isOver ? { status: 'overQuota' } : { status: 'sent' }))
    for (let i = 0; i < 5; i++) {
      await look()
      clock.advance(10 * MINUTE)
    }
    expect(sent).toHaveLength(5)
    expect((await rows()).map(({ attempts }) => attempts)).toEqual([0])
    isOver = false
    await look()
    expect(await rows()).toEqual([])
  })

  it('is retried when its receiver requests it', async () => {
    await add({})
    const { look, sent } = start(async () => ({ status: 'retry', after: 5 * MINUTE }))
    await look()
    clock.advance(5 * MINUTE - 1)
    await look()
    expect(sent).toHaveLength(1)
    clock.advance(1)
    await look()
    expect(sent).toHaveLength(2)
  })

  it('is discarded by topic, unless it was attempted', async () => {
    const topics = [{ recipient: 'a@example.com', topic: 'alarm:1' }]
    await add({ topic: 'alarm:1' })
    await start(async () => ({ status: 'retry', after: null })).look()
    await add({ topic: 'alarm:1' }, { topic: 'alarm:2' }, { topic: 'alarm:1', recipient: 'b@example.com' })
    await discardTopics(test.db, topics, { onlyUntried: true })
    expect(await rows()).toHaveLength(3)
    await discardTopics(test.db, topics, { onlyUntried: false })
    expect(await rows()).toHaveLength(2)
  })

  it('that was discarded while it was sent is not stored again', async () => {
    await add({ topic: 'alarm:1' })
    const { look } = start(async () => {
      await discardTopics(test.db, [{ recipient: 'a@example.com', topic: 'alarm:1' }], { onlyUntried: false })
      return { status: 'retry', after: null }
    })
    await look()
    expect(await rows()).toEqual([])
  })

  it('is deleted with its company, its recipient, and the account of a notified person', async () => {
    const person = '00000000-0000-4000-8000-000000000001'
    await test.db.query(sql`insert into users (tenant, cognito_id, email, permissions, created_at)
      values (${building.tenant}, ${person}, 'p@example.com', '[]', 0)`)
    await add({}, { recipient: 'b@example.com' }, { recipient: `person:${person}` }, { recipient: person })
    await test.db.query(sql`delete from users where cognito_id = ${person}`)
    expect(await rows()).toHaveLength(3)
    await deleteRecipients(test.db, building.tenant, ['b@example.com', person])
    expect(await rows()).toHaveLength(1)
    await test.db.query(sql`delete from companies where tenant = ${building.tenant}`)
    expect(await rows()).toEqual([])
  })
})

describe('a slow lane', () => {
  it('delays only its own deliveries', async () => {
    const waiting: (() => void)[] = []
    await add(...Array.from({ length: 5 }, () => ({ lane: 'slow', payload: { text: 'slow' } })))
    await add(...Array.from({ length: 5 }, () => ({ lane: 'quick', payload: { text: 'quick' } })))
    const { worker, texts } = start((text) =>
      text === 'quick'
        ? Promise.resolve({ status: 'sent' })
        : new Promise((resolve) => waiting.push(() => resolve({ status: 'sent' }))),
    )
    await worker.sendDue()
    await vi.waitFor(() => expect(texts().filter((text) => text === 'quick')).toHaveLength(5), PATIENT)
    expect(texts().filter((text) => text === 'slow')).toHaveLength(2)
    while (texts().length < 10) {
      for (const release of waiting.splice(0)) release()
      await new Promise(setImmediate)
    }
    for (const release of waiting.splice(0)) release()
    await worker.idle()
    expect(await rows()).toEqual([])
  })
})

describe('several gateways', () => {
  it('send each delivery once', async () => {
    await add(...Array.from({ length: 40 }, (_, i) => ({ payload: { text: `${i}` }, lane: `${i % 3}` })))
    const gateways = [start(), start(), start()]
    await Promise.all(gateways.map(({ look }) => look()))
    await Promise.all(gateways.map(({ look }) => look()))
    const texts = gateways.flatMap((gateway) => gateway.texts())
    expect(texts).toHaveLength(40)
    expect(new Set(texts).size).toBe(40)
  })

  it('lose nothing when one ends at any statement, and send duplicates with one id', async () => {
    let left = Infinity
    const dying = (inner: Db): Db => ({
      ...inner,
      query: (query) => (left-- > 0 ? inner.query(query) : Promise.reject(new Error('The gateway is dead'))),
      transaction: (work) => inner.transaction((tx) => work(dying(tx))),
    })
    const counts: number[] = []
    for (let statements = 0; statements < 4; statements++) {
      left = statements
      await add({})
      const one = start(undefined, {}, dying(test.db))
      await one.look()
      const other = start()
      await other.look()
      clock.advance(MINUTE)
      await other.look()
      const sent = [...one.sent, ...other.sent]
      expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
      expect(await rows()).toEqual([])
      counts.push(sent.length)
    }
    // The statements claim it, look for more, and record that it was sent.
    expect(counts).toEqual([1, 2, 2, 1])
  })

  it('finish what one began, and begin nothing more once it is closed', async () => {
    await add({}, {}, {})
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const { worker, texts } = start(async () => {
      await released
      return { status: 'sent' }
    })
    await worker.sendDue()
    const closed = worker.close()
    release()
    await closed
    expect(texts()).toHaveLength(2)
    expect(await rows()).toHaveLength(1)
  })
})
