import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type MqttClient, connect } from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { meterReport } from '../../../../../contract/meters/channels.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { silentLog } from '../../../../support/postgres.ts'
import type { Listening } from './gateway-process.ts'

/** Number of kills; the full number takes a minute, so a normal run makes fewer and reports that. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 4)
const FULL = 20
const METERS = 50
/** Unacknowledged messages at a time, and readings in each. */
const WINDOW = 100
const IN_MESSAGE = 5

let dataDir: string
const running = new Set<ChildProcess>()
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'kill-test-'))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<{ child: ChildProcess; at: Listening }> {
  const program = join(import.meta.dirname, 'gateway-process.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', program, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  const line = once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The gateway ended early: ${code ?? signal}`)
  })
  const [text] = (await Promise.race([line, ended])) as [string]
  ended.catch(() => {})
  return { child, at: JSON.parse(text) as Listening }
}

interface Sent {
  uid: string
  timestamp: number
  kwh: number
}

const began = Date.now() - 3_600_000
let next = 0
/** Asserts that every acknowledged reading is stored exactly once. */
function expectKept(acked: readonly Sent[], rows: readonly Sent[]) {
  const stored = new Map(rows.map((row) => [`${row.uid} ${row.timestamp}`, row.kwh]))
  expect(stored.size).toBe(rows.length)
  expect(acked.filter(({ uid, timestamp, kwh }) => stored.get(`${uid} ${timestamp}`) !== kwh)).toEqual([])
}

/** Next reading of each meter in turn; no two have the same meter and timestamp. */
const reading = (): Sent => {
  const i = next++
  return { uid: `m${i % METERS}`, timestamp: began + Math.floor(i / METERS), kwh: i }
}

/** Publishes without a pause until the connection breaks; `acked` collects the acknowledged readings. */
function flood(client: MqttClient, at: Listening, acked: Sent[], enough: () => void, after: number) {
  const topic = meterReport.topic({ rootId: at.tenant, homeId: at.homeId })
  const goal = acked.length + after
  const publish = () => {
    const sent = Array.from({ length: IN_MESSAGE }, reading)
    const Readings = sent.map(({ uid, timestamp, kwh }) => ({
      PeripheralUID: uid,
      Timestamp: timestamp,
      AccumulatePower: kwh,
    }))
    client.publish(topic, JSON.stringify({ ThingName: at.thingName, Readings }), { qos: 1 }, (error) => {
      if (error) return
      acked.push(...sent)
      if (acked.length >= goal) enough()
      publish()
    })
  }
  for (let i = 0; i < WINDOW; i++) publish()
}

/** Hub connection to the gateway, without reconnecting. */
async function connectHub({ mqtt, thingName }: Listening): Promise<MqttClient> {
  const client = connect(`mqtt://127.0.0.1:${mqtt}`, {
    protocolVersion: 4,
    username: thingName,
    password: 'secret',
    reconnectPeriod: 0,
  })
  client.on('error', () => {})
  await new Promise<void>((resolve) => client.once('connect', () => resolve()))
  return client
}

it(
  `loses no acknowledged reading when it is killed ${ROUNDS} times under ingest`,
  { timeout: 300_000 },
  async () => {
    if (ROUNDS < FULL) console.log(`${ROUNDS} kills of ${FULL}: set KILL_ROUNDS=${FULL} for all of them`)
    const acked: Sent[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { child, at } = await start()
      const client = await connectHub(at)
      // Each round ends at another point of its batch.
      await new Promise<void>((enough) => flood(client, at, acked, enough, 500 + round * 137))
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      // In every fourth round the database is killed at the same time.
      if (round % 4 === 3) process.kill(at.postgres, 'SIGKILL')
      await gone
      await new Promise<void>((resolve) => client.end(true, {}, () => resolve()))
    }

    const { child, at } = await start()
    const db = openDb({ socketDir: at.socketDir, max: 1, log: silentLog })
    const rows = await db.query<Sent>(sql`
    select m.peripheral_uid as uid, r.timestamp, r.accumulate_power as kwh from readings r join meters m using (meter_id)`)
    await db.close()
    const gone = once(child, 'exit')
    child.stdin?.end()
    await gone

    expect(acked.length).toBeGreaterThan(ROUNDS * 500)
    expectKept(acked, rows)
    console.log(`${acked.length} readings acknowledged, ${rows.length} stored, 0 lost in ${ROUNDS} kills`)
  },
)

it(
  'loses no reading when its database is killed repeatedly, and recovers by itself',
  { timeout: 300_000 },
  async () => {
    const { child, at } = await start()
    const client = await connectHub(at)
    const acked: Sent[] = []
    const db = openDb({ socketDir: at.socketDir, max: 1, log: silentLog })
    let postmaster = at.postgres
    for (let round = 0; round < 4; round++) {
      // The same connection is used throughout; each round begins while messages are pending.
      await new Promise<void>((enough) => flood(client, at, acked, enough, 300 + round * 137))
      process.kill(postmaster, 'SIGKILL')
      for (const killed = postmaster; postmaster === killed;)
        postmaster = await db.query<{ pid: number }>(sql`select pg_read_file('postmaster.pid') as pid`).then(
          ([row]) => Number.parseInt(String(row?.pid), 10),
          (error: unknown) => {
            expect(error).toMatchObject({ code: 'UNAVAILABLE' })
            return killed
          },
        )
    }
    await new Promise<void>((enough) => flood(client, at, acked, enough, 300))
    expect(client.connected).toBe(true)
    await new Promise<void>((resolve) => client.end(true, {}, () => resolve()))
    const rows = await db.query<Sent>(sql`
    select m.peripheral_uid as uid, r.timestamp, r.accumulate_power as kwh from readings r join meters m using (meter_id)`)
    await db.close()
    const gone = once(child, 'exit')
    child.stdin?.end()
    await gone
    expectKept(acked, rows)
  },
)
