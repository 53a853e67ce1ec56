import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Alarm } from '../../../contract/alarms/calls.ts'
import type { AvoidedCost, Guard, Shedding } from '../../../contract/automation/shedding-calls.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { type Fleet, startFleet } from '../../../simulator/fleet.ts'
import type { FleetHub, HubDevice } from '../../../simulator/building/building.ts'
import type { Rush } from '../../../simulator/scenarios/visitors.ts'
import { type HeldClock, holdClock } from '../../support/clock.ts'
import { homeTariff } from '../../support/home-tariff.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
/** Monday at ten in Taipei: a quarter of an hour begins. */
const BEGIN = Date.UTC(2026, 0, 5, 2)
const CONTRACT = 80
/** Time between two steps, ms: the reporting interval of meters and the decision interval of guards. */
const STEP = 5_000

/** Cars arrive a minute after the beginning, two of them later; those shed first stay into the next quarter of an hour. */
const rush: Rush = { from: BEGIN + MINUTE, until: BEGIN + QUARTER }
const charger = (uid: string, late: number, stay: number): HubDevice => ({
  PeripheralUID: uid,
  PeripheralType: '518',
  PeripheralName: uid,
  PowerMeterUpdateFrequency: 5,
  scenario: {
    profile: 'charger',
    key: uid,
    watts: 22_000,
    visit: { late, stay },
    wiring: { kwh: 100, phases: 3, lampWatts: 0 },
  },
})
const chargers = [
  charger('c1', 0, 480),
  charger('c2', 0, 300),
  charger('c3', 0, -20),
  charger('c4', 0, -20),
  charger('c5', 300, -20),
  charger('c6', 300, -20),
]
const main: HubDevice = {
  PeripheralUID: 'main',
  PeripheralType: '528',
  PeripheralName: 'main',
  PowerMeterUpdateFrequency: 5,
  scenario: {
    profile: 'board',
    key: 'main',
    watts: 2_000,
    feeds: chargers.map(({ PeripheralUID }) => PeripheralUID),
    wiring: { kwh: 5_000, phases: 3 },
  },
}

interface Obeyed {
  uid: string
  on: unknown
  at: number
}

describe('a contract guard, from meter reports to the avoided cost', { timeout: 120_000 }, () => {
  let world: World
  let owner: Caller
  let clock: HeldClock
  let fleet: Fleet
  let HomeID: string
  const obeyed: Obeyed[] = []

  beforeAll(async () => {
    // Setup before the quarter begins takes no time.
    clock = holdClock(BEGIN - MINUTE)
    world = await startWorld({ clock, broker: 'embedded' })
    owner = await world.signUp()
    HomeID = (await post('/CreateHome', { HomeName: '停車場', TimeZone: 'Asia/Taipei' })).HomeID
    await post('/UpdateHomeTariff', {
      HomeID,
      Tariffs: [homeTariff({ Capacities: { regular: CONTRACT } })],
    })
    fleet = await startHub()
    await post('/CreateAutomation', {
      HomeID,
      AutomationType: 4,
      AutomationName: '契約容量管理',
      Conditions: {
        PeripheralUIDs: [
          { PeripheralUID: 'home', Field: 'DemandForecast', Logical: '>', Status: 76, Clear: 70 },
        ],
      },
      Actions: [],
      Alarm: {
        Severity: 'warning',
        Shed: {
          Loads: chargers.map(({ PeripheralUID }) => ({ PeripheralUID, Values: { Switch: 0 }, MinOff: 240 })),
        },
      },
    })
  })
  afterAll(async () => {
    const stopped = fleet?.stop()
    clock.advance(2_000)
    await stopped
    await world?.close()
  })

  async function post(path: string, body: object) {
    const { status, results } = await owner.post(path, body)
    expect(status, path).toEqual({ code: 0 })
    return results
  }

  /** Connects a hub with the meter and the chargers below it, and adds them. */
  async function startHub(): Promise<Fleet> {
    const { ThingName, Secret } = await post('/AddThing', { HomeID, DeviceName: '閘道器' })
    const devices = [...chargers, main]
    const hub: FleetHub = { rootId: owner.tenant, HomeID, ThingName, Secret, devices }
    const started = startFleet({
      url: `mqtt://127.0.0.1:${world.hubPort}`,
      hubs: [hub],
      clock,
      rush,
      latency: [0, 0],
    })
    started.on('command', ({ PeripheralUID, Values, result }) => {
      if (result === 'ok') obeyed.push({ uid: PeripheralUID, on: Values['Switch'], at: clock.now() })
    })
    await started.announced()
    const Peripherals = devices.map(({ PeripheralUID }) => ({ PeripheralUID, PeripheralName: PeripheralUID }))
    await post('/AddPeripherals', { HomeID, Peripherals })
    for (const { PeripheralUID } of devices)
      await post('/UpdatePeripheralAdvanceInfo', {
        HomeID,
        PeripheralUID,
        PowerMeterUpdateFrequency: 5,
        ...(PeripheralUID !== 'main' && { ParentMeter: 'main' }),
      })
    return started
  }

  /** Time of the main meter's newest stored reading, and the number of pending commands. */
  const settling = async () => {
    const [row] = await world.db.query<{ read: number | null; sent: number }>(sql`
      select (select max(r.timestamp) from readings r join meters m using (meter_id) where m.peripheral_uid = 'main') as read,
        (select count(*) from commands where state not in ('confirmed', 'failed', 'timedOut')) as sent`)
    return { isHeard: (row?.read ?? 0) > clock.now() - 2 * STEP, sent: row?.sent ?? 0 }
  }

  /** Advances the clock at the pace at which reports arrive and commands are answered. */
  async function pass(ms: number): Promise<void> {
    for (const until = clock.now() + ms; clock.now() < until;) {
      clock.advance(STEP)
      await expect.poll(settling, { interval: 5, timeout: 60_000 }).toEqual({ isHeard: true, sent: 0 })
    }
  }

  /** Advances the clock until the condition holds; fails after some minutes. */
  async function passUntil(isSo: () => Promise<boolean>, minutes: number): Promise<void> {
    const until = clock.now() + minutes * MINUTE
    while (!(await isSo())) {
      expect(clock.now()).toBeLessThan(until)
      await pass(STEP)
    }
  }

  const sheddings = async () => (await post('/ListShedding', { HomeID, Limit: 50 })) as { Rows: Shedding[] }
  const guards = async () => ((await post('/GetGuards', { HomeID })) as { Guards: Guard[] }).Guards
  const alarmsNow = async () => (await post('/ListAlarm', { HomeID })).Rows as Alarm[]

  it('sheds in order, confirms each step, holds the quarter, restores, and reports the avoided cost', async () => {
    await passUntil(async () => (await alarmsNow()).length > 0, 10)
    await passUntil(async () => (await sheddings()).Rows.length > 0, 10)
    expect(clock.now() - BEGIN, 'not before the third minute of the quarter').toBeGreaterThanOrEqual(
      3 * MINUTE,
    )
    await passUntil(async () => (await sheddings()).Rows.some(({ State }) => State === 'off'), 1)

    await pass(BEGIN + QUARTER - clock.now() - STEP)
    const during = await sheddings()
    expect(during.Rows.length, 'more as more cars come').toBeGreaterThan(1)
    expect(during.Rows.map(({ PeripheralUID, State }) => [PeripheralUID, State])).toEqual(
      during.Rows.map(({ PeripheralUID }) => [PeripheralUID, 'off']),
    )
    const inOrder = chargers.slice(0, during.Rows.length).map(({ PeripheralUID }) => PeripheralUID)
    expect(obeyed.map(({ uid, on }) => [uid, on])).toEqual(inOrder.map((uid) => [uid, 0]))
    const [guard] = await guards()
    expect(guard).toMatchObject({ Target: CONTRACT })
    expect(guard?.Forecast).toBeLessThanOrEqual(CONTRACT)
    expect(guard?.Forecast).toBeGreaterThan(0.75 * CONTRACT)

    await passUntil(async () => (await sheddings()).Rows.every(({ State }) => State === 'givenBack'), 14)
    const back = obeyed.filter(({ on }) => on === 1)
    // Last in, first out, unless the quarter has capacity only for another one.
    expect(back.map(({ uid }) => uid).toSorted()).toEqual(inOrder)
    expect(back.slice(1).every(({ at }, i) => at - (back[i] as Obeyed).at >= MINUTE - STEP)).toBe(true)
    await passUntil(async () => (await alarmsNow()).every(({ Cleared }) => Cleared !== null), 10)

    await pass(BEGIN + 2 * QUARTER + MINUTE - clock.now())
    const { Avoided } = (await post('/GetAvoidedPeaks', { HomeID })) as { Avoided: AvoidedCost[] }
    expect(Avoided).toMatchObject([{ Cost: expect.any(Number) }])
    expect(Avoided[0]?.Peak).toBeLessThanOrEqual(CONTRACT)
    expect(Avoided[0]?.PeakWithout).toBeGreaterThan(CONTRACT)
    expect(Avoided[0]?.Cost).toBeGreaterThan(0)
    const { Rows } = await post('/ListNotification', { Limit: 50 })
    expect((Rows as { Kind: string }[]).map(({ Kind }) => Kind)).toEqual(
      expect.arrayContaining(['alarmRaised', 'guardShed', 'alarmCleared']),
    )
  })
})
