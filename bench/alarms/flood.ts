import { setTimeout as wait } from 'node:timers/promises'
import { DEFAULT_NOTIFICATION_SETTINGS } from '../../contract/notifications/settings.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import type { FleetHub } from '../../simulator/building/building.ts'
import { runLoad } from '../../simulator/load.ts'
import { databaseOf } from '../automation/database.ts'
import { makeDevices, makeHome, type Owner, portions, signUpOwner } from '../support/company.ts'
import type { PushBrowser } from '../../tests/support/push-service.ts'
import { type GatewayUnderTest, startGateway, temporaryDirectory } from '../support/gateway.ts'
import { connectInstantHub, type InstantHub } from '../support/instant-hub.ts'
import { listen, startStandIn } from '../support/listener.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'

const DETECTORS = 5_000
const SECONDS = 60
const HOMES = 5
/** Per home: hubs with fifty devices that report continuously, and hubs with detectors. */
const HUBS = 10
const DEVICES_PER_HUB = 50
const DETECTORS_PER_HUB = 500
const RATE = 1_000
const PEOPLE = 10
/** Detectors that report a fire within a minute, as in a burning building. */
const FIRES = 500
const FIRE = 3
const FAULT = 5
const FINE = 1
const POLL_MS = 5
const GIVE_UP_MS = 120_000

interface Place {
  gateway: GatewayUnderTest
  loads: FleetHub[]
  detectors: { hub: InstantHub; uid: string }[]
}

/**
 * 5,000 detectors report within a minute, either all OK or all a fault; both times 2,500 others report 1,000 times a second.
 * Ingest is the time from a report's Timestamp to its acknowledgement. Ten people of the company are notified, one of them by push. Then
 * 500 of the detectors report a fire, and each is pushed separately.
 */
export async function flood({ quick }: Options): Promise<Figure[]> {
  const standIn = await startStandIn()
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory, undefined, standIn.env)
  const owner = await signUpOwner(gateway.url)
  const [browser] = await listen(owner, standIn, 1)
  const db = databaseOf(directory)
  await addPeople(db, owner)
  const place = await makePlace(gateway, owner)

  const calm: number[] = []
  const alarmed: number[] = []
  const pushes: number[] = []
  const notifiedAfter: number[] = []
  const fires: number[] = []
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    calm.push(await reportAll(place, place.detectors, FINE))
    const before = browser!.messages.length
    alarmed.push(await reportAll(place, place.detectors, FAULT))
    const startedAt = performance.now()
    await untilNotified(db)
    notifiedAfter.push((performance.now() - startedAt) / 1000)
    pushes.push(browser!.messages.length - before + (await countHeld(db)))
    await deleteAlarms(db)
    fires.push(...(await pushFires(place, browser!)))
    await untilNotified(db)
    await deleteAlarms(db)
  }
  if (standIn.service.faults.length > 0) throw new Error(standIn.service.faults[0])
  await gateway.stop()
  return [
    {
      what: `ingest while ${DETECTORS} alarms come in ${SECONDS} s, 95th percentile`,
      value: median(alarmed),
      unit: 'ms',
      reference: { what: 'the same reports without alarms', value: median(calm) },
      bar: { of: 'ratio', max: 1.2 },
      note: `all written into the history of ${PEOPLE} people ${median(notifiedAfter).toFixed(1)} s after the last`,
    },
    {
      what: `messages of it to a person`,
      value: Math.max(...pushes),
      unit: '',
      bar: { of: 'value', max: 10 },
      note: 'the digest that is still to come counted',
    },
    {
      what: `${FIRES} fires in ${SECONDS} s: report to its own push accepted, 95th percentile`,
      value: percentile(fires, 0.95),
      unit: 'ms',
      bar: { of: 'value', max: 1_000 },
      note: `median ${Math.round(median(fires))} ms, slowest ${Math.round(Math.max(...fires))} ms`,
    },
  ]
}

/** Reports fires; returns the times from each report to a push, in the order of both, ms. Throws if pushes are missing. */
async function pushFires(place: Place, browser: PushBrowser): Promise<number[]> {
  const before = browser.messages.length
  const accepted: number[] = []
  const poll = setInterval(() => {
    while (accepted.length < browser.messages.length - before) accepted.push(performance.now())
  }, POLL_MS)
  try {
    const sent: number[] = []
    await reportAll(place, place.detectors.slice(0, FIRES), FIRE, (at) => sent.push(at))
    const giveUpAt = performance.now() + GIVE_UP_MS
    while (accepted.length < FIRES) {
      if (performance.now() > giveUpAt) throw new Error(`${accepted.length} of ${FIRES} fires were pushed`)
      await wait(50)
    }
    return sent.map((at, i) => accepted[i]! - at)
  } finally {
    clearInterval(poll)
  }
}

async function makePlace(gateway: GatewayUnderTest, owner: Owner): Promise<Place> {
  const place: Place = { gateway, loads: [], detectors: [] }
  for (let i = 0; i < HOMES; i++) {
    const devices = makeDevices(`home${i}`, HUBS * DEVICES_PER_HUB, ['514', '516', '528', '534'])
    const smoke = makeDevices(`smoke${i}`, DETECTORS / HOMES, ['756'])
    const parts = [...portions(devices, DEVICES_PER_HUB), ...portions(smoke, DETECTORS_PER_HUB)]
    const { hubs } = await makeHome(gateway, owner, `home ${i}`, parts)
    place.loads.push(...hubs.slice(0, HUBS))
    for (const hub of hubs.slice(HUBS)) {
      const connected = await connectInstantHub(gateway, hub)
      place.detectors.push(...hub.devices.map(({ PeripheralUID: uid }) => ({ hub: connected, uid })))
    }
  }
  return place
}

/** Reports one state of every given detector within a minute; returns the 95th percentile of all reports' acknowledgements, ms. */
async function reportAll(
  { gateway, loads }: Place,
  detectors: Place['detectors'],
  SmokeState: number,
  onSent: (at: number) => void = () => {},
): Promise<number> {
  const times: number[] = []
  const load = runLoad({
    url: gateway.mqttUrl,
    hubs: loads,
    rate: RATE,
    seconds: SECONDS + 2,
    onAcknowledged: (_, timestamp) => times.push(Date.now() - timestamp),
  })
  while (times.length === 0) await Promise.race([wait(20), load])
  times.length = 0
  const startedAt = performance.now()
  const under: Promise<unknown>[] = []
  for (const [i, { hub, uid }] of detectors.entries()) {
    const due = startedAt + (i * SECONDS * 1000) / detectors.length
    if (due > performance.now()) await wait(due - performance.now())
    const sent = performance.now()
    onSent(sent)
    under.push(
      hub.report([{ PeripheralUID: uid, SmokeState }]).then(() => times.push(performance.now() - sent)),
    )
  }
  await Promise.all(under)
  const p95 = percentile(times, 0.95)
  await load
  return p95
}

/** Adds people with all read permissions and neither push nor email. */
async function addPeople(db: Db, { rootId }: Owner): Promise<void> {
  const { Categories } = DEFAULT_NOTIFICATION_SETTINGS
  const settings = {
    ...DEFAULT_NOTIFICATION_SETTINGS,
    Categories: Object.fromEntries(
      Object.entries(Categories).map(([category, channels]) => [
        category,
        { ...channels, Push: false, Mail: false },
      ]),
    ),
  }
  const permissions = JSON.stringify([{ FeatureKey: 'device', OperationList: ['Read'] }])
  await db.query(sql`
    with people as (
      insert into users (tenant, cognito_id, email, permissions, created_at)
      select ${rootId}, gen_random_uuid(), 'p' || i || '@bench.example', ${permissions}::jsonb, 0
      from generate_series(2, ${PEOPLE}::int) i returning tenant, cognito_id)
    insert into personal_configs (tenant, cognito_id, notification, notifications, custom_dashboard, decimal_precision)
    select tenant, cognito_id, true, ${JSON.stringify(settings)}::jsonb, 'DEFAULT', 2 from people`)
}

/** Resolves when every notification has been written and sent, except those that wait for their digest. */
async function untilNotified(db: Db): Promise<void> {
  for (;;) {
    const [row] = await db.query<{ waiting: boolean }>(sql`
      select exists (select from notices) or exists (select from drafts where due_at <= ${Date.now()}::bigint)
        or exists (select from deliveries where payload ->> 'way' = 'push') as waiting`)
    if (!row?.waiting) return
    await wait(50)
  }
}

/** Number of pending digests. */
async function countHeld(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(distinct (d.recipient, d.held))::int as count from drafts d join recipients r using (recipient)
    where exists (select from push_subscriptions p where p.cognito_id = r.cognito_id)`)
  return row?.count ?? 0
}

/** Deletes all alarms, so that the next ones are new. */
async function deleteAlarms(db: Db): Promise<void> {
  for (const table of ['alarms', 'notifications', 'drafts', 'deliveries', 'recipients'])
    await db.pool.query(`delete from ${table}`)
}
