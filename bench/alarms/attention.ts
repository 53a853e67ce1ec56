import { attention } from '../../contract/attention/calls.ts'
import { setup } from '../../contract/setup/calls.ts'
import { home } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { thing } from '../../contract/devices/thing.ts'
import { openDb } from '../../gateway/store/db.ts'
import { sql } from '../../gateway/kernel/db.ts'
import { socketDirOf } from '../../gateway/store/embedded.ts'
import { atEnd } from '../support/clean-up.ts'
import { type Owner, signUpOwner } from '../support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'
import { attentionScreen } from './attention-screen.ts'

export const name = 'attention'
export const bar =
  'what needs somebody among 10,000 devices: at most half of the time of listing them, and 200 ms at the 95th percentile; ' +
  'how far their company is set up: at most 3 x its list of sites; ' +
  'its screen with 2,000 devices and 1,000 status/s: frames at least 0.95 of a page that only receives'

const DEVICES = 10_000
const HUBS = 40
const HOMES = 10

export const parts = { list, screen: attentionScreen }

/** Times in turn the attention list and the device list of a company over HTTP, each to its last byte. */
async function list({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: false })
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const db = openDb({
    socketDir: socketDirOf(directory),
    max: 1,
    statementTimeoutMs: 0,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  atEnd(() => db.close())
  for (let h = 0; h < HOMES; h++) {
    const { HomeID } = await owner.call(home.operations.create, {
      HomeName: `site ${h}`,
      TimeZone: 'Asia/Taipei',
    })
    for (let i = 0; i < HUBS / HOMES; i++) {
      const { ThingName } = await owner.call(thing.operations.create, {
        HomeID,
        DeviceName: `hub ${i}`,
        RoomID: 0,
      })
      await storeDevices(db, owner.rootId, { HomeID, ThingName, first: h * 4 + i, count: DEVICES / HUBS })
    }
  }
  await db.query(sql`update things set online = true`)
  await db.query(sql`analyze`)

  const rounds = quick ? 5 : 25
  const calls = {
    asked: attention.listAttention.path,
    listed: peripheral.operations.list.path,
    setUp: setup.getSetupState.path,
    sites: home.operations.list.path,
  }
  const durations = { asked: [], listed: [], setUp: [], sites: [] } as Record<keyof typeof calls, number[]>
  for (let round = -2; round < rounds; round++)
    for (const [call, path] of Object.entries(calls) as [keyof typeof calls, string][]) {
      const ms = await timed(gateway.url, owner, path)
      if (round >= 0) durations[call].push(ms)
    }
  return [
    {
      what: `what needs somebody among ${DEVICES} devices`,
      value: median(durations.asked),
      unit: 'ms',
      reference: { what: 'all devices listed', value: median(durations.listed) },
      bar: { of: 'ratio', max: 0.5 },
    },
    {
      what: 'the same, 95th percentile',
      value: percentile(durations.asked, 0.95),
      unit: 'ms',
      bar: { of: 'value', max: 200 },
    },
    {
      what: 'how far the company is set up',
      value: median(durations.setUp),
      unit: 'ms',
      reference: { what: 'its sites listed', value: median(durations.sites) },
      bar: { of: 'ratio', max: 3 },
    },
  ]
}

/** Milliseconds until the last byte of a call's answer. */
async function timed(url: string, { token }: Owner, path: string): Promise<number> {
  const startedAt = performance.now()
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
  return performance.now() - startedAt
}

/** Inserts devices of common kinds with a report each directly into their tables; one in fifty smoke detectors reports a fault. */
async function storeDevices(
  db: ReturnType<typeof openDb>,
  tenant: string,
  { HomeID, ThingName, first, count }: { HomeID: string; ThingName: string; first: number; count: number },
): Promise<void> {
  const now = Date.now()
  await db.query(sql`insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, room_id, thing_name, created_at)
    select ${tenant}, 'd-' || ${first}::int || '-' || i, (array['514', '516', '528', '534', '754', '756'])[i % 6 + 1],
      'device ' || ${first}::int || '-' || i, ${HomeID}, 0, ${ThingName}, ${now}
    from generate_series(1, ${count}::int) i`)
  await db.query(sql`insert into device_status (tenant, home_id, peripheral_uid, peripheral_type, timestamp, updated_at, values)
    select tenant, home_id, peripheral_uid, peripheral_type, ${now}::bigint, ${now}::bigint, case peripheral_type
      when '514' then '{"Power": 1200.5, "AccumulatePower": 8123.4, "Voltage": 220.1, "AvgElectricCurrent": 5.4, "PowerFactor": 0.97}'
      when '528' then '{"Power": 300, "AccumulatePower": 12.5, "Switch": 1}'
      when '754' then '{"MotionState": 0}'
      when '756' then case when right(peripheral_uid, 2) = '17' then '{"SmokeState": 5}' else '{"SmokeState": 1}' end
      else '{"Switch": 1, "Switch1": 1, "Switch2": 0}' end::jsonb
    from peripherals where tenant = ${tenant} and thing_name = ${ThingName}`)
}
