import { Registry } from 'prom-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { controlAck, controlCommand, controlRequest } from '../../../../contract/devices/channels/control.ts'
import { type Control, createControl } from '../../../../gateway/features/control/control.ts'
import type { ControlRequest } from '../../../../gateway/features/control/command.ts'
import { createEvents, type Events, type GatewayEvents } from '../../../../gateway/kernel/events.ts'
import { GatewayError } from '../../../../gateway/kernel/errors.ts'
import { type Db, sql } from '../../../../gateway/kernel/db.ts'
import { type Building, createBuilding, encode } from '../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../support/clock.ts'
import { FakeBroker } from '../../../support/fake-broker.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb } from '../../../support/postgres.ts'

type Response = GatewayEvents['commandChanged']['response']

let db: Db
let drop: () => Promise<void>
let building: Building
let clock: HeldClock
let events: Events
let broker: FakeBroker
let control: Control
let states: Response[]
let waiting: (() => void)[]
/** Whether the hub has a connection; it is shown online. */
let isConnected: boolean

beforeAll(async () => {
  ;({ db, dropDatabase: drop } = await createTestDb())
})
afterAll(() => drop())

const start = () =>
  createControl({
    db,
    broker,
    events,
    clock,
    log: createLogBook(),
    metrics: new Registry(),
    isHere: () => isConnected,
  })

beforeEach(async () => {
  isConnected = true
  building = await createBuilding(db)
  await building.addDevice('light', '534')
  clock = holdClock()
  broker = new FakeBroker()
  events = createEvents((error) => {
    throw error
  })
  states = []
  waiting = []
  events.on('commandChanged', ({ tenant, response }) => {
    // Commands left open by earlier tests become overdue as well; their events are ignored.
    if (tenant !== building.tenant) return
    states.push(response)
    for (const wake of waiting.splice(0)) wake()
  })
  control = start()
  return () => control.close()
})

/** Resolves when this many states have been published. */
const told = async (count: number): Promise<string[]> => {
  while (states.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
  return states.map(({ State, Reason }) => (Reason ? `${State}: ${Reason}` : State))
}
const ask = (changes: Partial<ControlRequest> = {}) =>
  control.request({
    tenant: building.tenant,
    homeId: building.homeId,
    RequestID: 'r1',
    PeripheralUID: 'light',
    Values: { Switch1: 1 },
    at: clock.now(),
    source: 'schedule',
    by: null,
    ...changes,
  })
const ack = (Result: 'ok' | 'failed' = 'ok', RequestID = 'r1', hub = building.hub, Reason?: string) =>
  control.receive({
    topic: controlAck.topic({ rootId: building.tenant, homeId: building.homeId }),
    payload: encode({ ThingName: hub.thingName, RequestID, PeripheralUID: 'light', Result, Reason }),
    client: hub,
  })
const report = (values: object, updateAt = clock.now()) =>
  events.emit('statusChanged', {
    tenant: building.tenant,
    homeId: building.homeId,
    statuses: [{ PeripheralUID: 'light', PeripheralType: '534', Timestamp: 0, updateAt, ...values }],
    uids: [],
    changedUIDs: [],
  })
const row = async (requestId = 'r1') =>
  (
    await db.query<{ state: string; reason: string | null; history: { State: string; Timestamp: number }[] }>(
      sql`select state, reason, history from commands where tenant = ${building.tenant} and request_id = ${requestId}`,
    )
  )[0]
const commandTopic = () =>
  controlCommand.topic({
    rootId: building.tenant,
    homeId: building.homeId,
    thingName: building.thingName,
  })

describe('a command', () => {
  it('is sent to the hub and confirmed by the next report, not by the acknowledgement', async () => {
    await ask()
    expect(broker.sentTo(commandTopic())).toEqual([
      {
        RequestID: 'r1',
        PeripheralUID: 'light',
        Values: { Switch1: 1 },
        Timestamp: clock.now(),
        ExpiresIn: 5_000,
      },
    ])
    clock.advance(20)
    await ack()
    expect(await told(3)).toEqual(['accepted', 'sent', 'acknowledged'])
    clock.advance(30)
    report({ Switch1: 1, Switch2: 0 })
    expect(await told(4)).toEqual(['accepted', 'sent', 'acknowledged', 'confirmed'])
    const { history } = (await row()) ?? {}
    const begin = clock.now() - 50
    expect(history?.map(({ State, Timestamp }) => [State, Timestamp - begin])).toEqual([
      ['accepted', 0],
      ['sent', 0],
      ['acknowledged', 20],
      ['confirmed', 50],
    ])
    expect(states[3]).toEqual({
      RequestID: 'r1',
      HomeID: building.homeId,
      PeripheralUID: 'light',
      State: 'confirmed',
      Reason: null,
      Values: { Switch1: 1 },
      Timestamp: clock.now(),
    })
  })

  it('is not confirmed by another value, or by a status stored before it', async () => {
    await ask()
    report({ Switch1: 0 })
    report({ Switch1: 1 }, clock.now() - 1)
    await ack()
    expect(await told(3)).toEqual(['accepted', 'sent', 'acknowledged'])
    report({ Switch1: 1 })
    expect(await told(4)).toContain('confirmed')
  })

  it('times out if the hub does not respond within five seconds', async () => {
    await ask()
    await told(2)
    clock.advance(4_999)
    expect(states).toHaveLength(2)
    clock.advance(1)
    expect(await told(3)).toEqual(['accepted', 'sent', 'timedOut: noAnswer'])
    await ack()
    expect(await row()).toMatchObject({ state: 'timedOut', reason: 'noAnswer' })
  })

  it('times out if no report confirms it within ten seconds of the acknowledgement', async () => {
    await ask()
    clock.advance(4_000)
    await ack()
    clock.advance(9_999)
    expect(await told(3)).toEqual(['accepted', 'sent', 'acknowledged'])
    clock.advance(1)
    expect(await told(4)).toContain('timedOut: notConfirmed')
  })

  it('that is not confirmed states what was reported instead', async () => {
    await ask()
    await ack()
    await db.query(sql`insert into device_status values (${building.tenant}, 'light', ${building.homeId}, '534', 1,
      '{"Switch1": 0}', ${clock.now()})`)
    clock.advance(10_000)
    expect(await told(4)).toContain('timedOut: notConfirmed')
    expect(states[3]?.Detail).toBe('Switch1: 0')
  })

  it('fails immediately if its hub is offline, and is stored', async () => {
    await db.query(sql`update things set online = false where tenant = ${building.tenant}`)
    expect(await ask()).toMatchObject({ State: 'failed', Reason: 'hubOffline' })
    expect(broker.traffic).toEqual([])
    expect(await row()).toMatchObject({ state: 'failed', reason: 'hubOffline' })
  })

  describe('that arrives late,', () => {
    it.each([
      ['more than ten seconds ago', -10_001],
      ['by a clock more than five seconds ahead', 5_001],
    ])('requested %s, is published and stored as failed and never sent', async (_, ms) => {
      expect(await ask({ at: clock.now() + ms })).toMatchObject({ State: 'failed', Reason: 'tooLate' })
      expect(await told(1)).toEqual(['failed: tooLate'])
      expect(broker.traffic).toEqual([])
      expect(await row()).toMatchObject({ state: 'failed', reason: 'tooLate' })
    })

    it.each([-10_000, 5_000])('is sent if it was requested for %i ms from now', async (ms) => {
      expect(await ask({ at: clock.now() + ms })).toMatchObject({ State: 'sent' })
    })

    it('tells the hub how much time is left', async () => {
      await ask({ at: clock.now() - 8_000 })
      expect(broker.sentTo(commandTopic())).toMatchObject([{ Timestamp: clock.now(), ExpiresIn: 2_000 }])
    })

    it.each([
      ['finding its device', 'from unnest($2::text[], $3::text[]) with ordinality'],
      ['storing it', 'insert into commands'],
    ])('because of the database, %s, is not sent', async (_, part) => {
      const slow: Db = {
        ...db,
        async query(query) {
          if (query.text.includes(part)) clock.advance(10_001)
          return db.query(query)
        },
      }
      control = createControl({
        db: slow,
        broker,
        events,
        clock,
        log: createLogBook(),
        metrics: new Registry(),
        isHere: () => true,
      })
      expect(await ask()).toMatchObject({ State: 'failed', Reason: 'tooLate' })
      expect(broker.traffic).toEqual([])
      expect(await row()).toMatchObject({ state: 'failed', reason: 'tooLate' })
    })
  })

  it('fails if the broker does not accept it', async () => {
    broker.failure = new GatewayError('UNAVAILABLE', 'away')
    await ask()
    expect(await told(2)).toEqual(['accepted', 'failed: hubOffline'])
  })

  it('fails immediately while its hub is disconnected but not offline yet', async () => {
    isConnected = false
    await ask()
    expect(await told(2)).toEqual(['accepted', 'failed: hubOffline'])
    expect(broker.traffic).toEqual([])
  })

  it('fails if the hub rejects it', async () => {
    await ask()
    await ack('failed')
    expect(await told(3)).toEqual(['accepted', 'sent', 'failed: hubRefused'])
    expect(states[2]).not.toHaveProperty('Detail')
  })

  it("reports the hub's reason for its own rejection only", async () => {
    await ask()
    await ack('failed', 'r1', building.hub, 'setpoint: Modbus exception 2')
    expect(await told(3)).toEqual(['accepted', 'sent', 'failed: hubRefused'])
    expect(states.map(({ Detail }) => Detail)).toEqual([undefined, undefined, 'setpoint: Modbus exception 2'])
  })

  it("fails even if the hub's reason is too long, of another type or not JSON", async () => {
    const faulty: unknown[] = []
    events.on('reportFaulty', ({ message, faults }) => {
      faulty.push(...faults.map(({ field, value }) => [message, field, value]))
    })
    await ask()
    await ack('failed', 'r1', building.hub, `E\0${'x'.repeat(300)}`)
    expect(await told(3)).toEqual(['accepted', 'sent', 'failed: hubRefused'])
    expect(states[2]?.Detail).toBe(`E\uFFFD${'x'.repeat(197)}…`)
    await ask({ RequestID: 'r2' })
    const { thingName } = building.hub
    const said = `"ThingName":"${thingName}","RequestID":"r2","PeripheralUID":"light","Result":"failed","Reason":NaN`
    await control.receive({
      topic: controlAck.topic({ rootId: building.tenant, homeId: building.homeId }),
      payload: Buffer.from(`{${said.replace('NaN', '[1]')},"Delay":NaN}`),
      client: building.hub,
    })
    expect((await told(6))[5]).toBe('failed: hubRefused')
    expect(faulty).toEqual([['control', 'Reason', [1]]])
  })

  describe('with an unknown result of storing', () => {
    /** The database stores the first command and its response is lost. */
    const loseAnswer = (reachesTable: boolean) => {
      let lost = false
      const flaky: Db = {
        ...db,
        async query(query) {
          if (lost || !query.text.includes('insert into commands')) return db.query(query)
          lost = true
          if (reachesTable) await db.query(query)
          throw new GatewayError('UNAVAILABLE', 'The connection ended')
        },
      }
      control = createControl({
        db: flaky,
        broker,
        events,
        clock,
        log: createLogBook(),
        metrics: new Registry(),
        isHere: () => true,
      })
    }

    it.each([true, false])('is sent once when it is retried (was stored: %s)', async (stored) => {
      loseAnswer(stored)
      await expect(ask()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      await ask()
      await ack()
      report({ Switch1: 1 })
      expect(await told(4)).toEqual(['accepted', 'sent', 'acknowledged', 'confirmed'])
      expect(broker.sentTo(commandTopic())).toHaveLength(1)
      expect(await row()).toMatchObject({ state: 'confirmed' })
    })

    it('is not sent if it is retried too late', async () => {
      loseAnswer(true)
      await expect(ask()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      clock.advance(4_999)
      const again = ask()
      clock.advance(1)
      await again
      expect(await told(2)).toEqual(['accepted', 'failed: tooLate'])
      expect(broker.sentTo(commandTopic())).toEqual([])
    })

    it('is too late if it is not retried', async () => {
      loseAnswer(true)
      await expect(ask()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      clock.advance(5_000)
      expect(await told(1)).toEqual(['failed: tooLate'])
      expect(await row()).toMatchObject({ state: 'failed' })
    })
  })

  it('is rejected for values the device does not have, sensors and unknown devices', async () => {
    await building.addDevice('motion', '754')
    const reasons = [
      await ask({ RequestID: 'a', Values: { Switch3: 1 } }),
      await ask({ RequestID: 'b', Values: { Switch1: 'on' } }),
      await ask({ RequestID: 'c', Values: {} }),
      await ask({ RequestID: 'd', Values: { Switch1: '\u0000'.repeat(10) } }),
      await ask({ RequestID: 'e', PeripheralUID: 'motion', Values: { MotionState: 1 } }),
      await ask({ RequestID: 'f', PeripheralUID: 'nobody' }),
      await ask({ RequestID: 'g', homeId: 'another' }),
    ]
    expect(reasons.map(({ Reason }) => Reason)).toEqual([
      'invalidValues',
      'invalidValues',
      'invalidValues',
      'invalidValues',
      'notControllable',
      'notFound',
      'notFound',
    ])
    expect(broker.traffic).toEqual([])
  })

  it('requested twice with one RequestID is sent once and returns its state', async () => {
    await Promise.all([ask(), ask()])
    await ack()
    await told(4)
    states.length = 0
    expect(await ask({ Values: { Switch1: 0 } })).toMatchObject({
      State: 'acknowledged',
      Values: { Switch1: 1 },
    })
    expect(await told(1)).toEqual(['acknowledged'])
    expect(broker.sentTo(commandTopic())).toHaveLength(1)
  })

  it('is superseded by a newer one for the same field, but not for another', async () => {
    await ask({ RequestID: 'first' })
    await ask({ RequestID: 'other', Values: { Switch2: 1 } })
    await ask({ RequestID: 'newer', Values: { Switch1: 0 } })
    await told(7)
    expect(states.find(({ Reason }) => Reason === 'superseded')).toMatchObject({ RequestID: 'first' })
    report({ Switch1: 0, Switch2: 1 })
    await told(9)
    expect((await row('other'))?.state).toBe('confirmed')
    expect((await row('newer'))?.state).toBe('confirmed')
  })

  it('does not affect other zones of a thermostat', async () => {
    await building.addDevice('zones', '525')
    const zone = (NodeID: number, more: object) => ({
      PeripheralUID: 'zones',
      Values: { ThermostatTable: [{ NodeID, ...more }] },
    })
    await ask({ RequestID: 'one', ...zone(1, { TargetTemperature: 24 }) })
    await ask({ RequestID: 'two', ...zone(2, { TargetTemperature: 20 }) })
    await ask({ RequestID: 'one again', ...zone(1, { TargetTemperature: 25 }) })
    await told(7)
    expect(states.filter(({ Reason }) => Reason === 'superseded')).toMatchObject([{ RequestID: 'one' }])
    events.emit('statusChanged', {
      tenant: building.tenant,
      homeId: building.homeId,
      statuses: [
        {
          PeripheralUID: 'zones',
          PeripheralType: '525',
          Timestamp: 0,
          updateAt: clock.now(),
          ThermostatTable: [
            { NodeID: 1, TargetTemperature: 23 },
            { NodeID: 2, TargetTemperature: 20 },
          ],
        },
      ],
      uids: [],
      changedUIDs: [],
    })
    await told(8)
    expect((await row('two'))?.state).toBe('confirmed')
    expect((await row('one again'))?.state).toBe('sent')
  })

  it.each([
    ['an air conditioner', 1, { TargetTemperature: 25, ACMode: 4 }, { DehumidifierMode: 3 }],
    ['a dehumidifier', 4, { DehumidifierMode: 8, TargetHumidity: 55 }, { ACMode: 0 }],
    ['a ventilator', 14, { BreathMode: 1, PreHeatCool: 2 }, { TargetTemperature: 25 }],
  ])('supports %s by the reported type of appliance', async (_, TaiSEIAType, right, wrong) => {
    await building.addDevice('appliance', '527')
    const to = (RequestID: string, Values: object) =>
      ask({ RequestID, PeripheralUID: 'appliance', Values: Values as ControlRequest['Values'] })
    expect(await to('too early', right)).toMatchObject({ State: 'failed', Reason: 'notApplicable' })
    await building.report('appliance', '527', { TaiSEIAType })
    expect(await to('wrong', wrong)).toMatchObject({ State: 'failed', Reason: 'notApplicable' })
    expect(await to('mixed', { ...right, ...wrong })).toMatchObject({ Reason: 'notApplicable' })
    expect(broker.traffic).toEqual([])
    expect(await to('right', right)).toMatchObject({ State: 'sent' })
  })

  it('continues a calibration only from the current step of the device', async () => {
    await building.addDevice('tower', '515')
    const step = (RequestID: string, Calibration: object) =>
      ask({ RequestID, PeripheralUID: 'tower', Values: { Calibration } })
    expect(await step('a', { Step: 'lightsOn' })).toMatchObject({ State: 'failed', Reason: 'notNow' })
    expect(await step('b', { Step: 'initialized', LightType: 'stacked' })).toMatchObject({ State: 'sent' })
    await building.report('tower', '515', { Calibration: { Step: 'initialized', LightType: 'stacked' } })
    expect(await step('c', { Step: 'memorizing', Count: 1 })).toMatchObject({ Reason: 'notNow' })
    expect(await step('d', { Step: 'lightsOn' })).toMatchObject({ State: 'sent' })
    expect(await step('e', { Step: 'idle' })).toMatchObject({ State: 'sent' })
  })

  it('is acknowledged by its own hub only', async () => {
    await building.addHub('another')
    await ask()
    await ack('ok', 'r1', { ...building.hub, thingName: 'another' })
    await ack('ok', 'r1', { ...building.hub, homeId: 'next-door' })
    await ack('ok', 'unheard-of')
    report({ Switch1: 1 })
    expect(await told(3)).toEqual(['accepted', 'sent', 'confirmed'])
  })

  it('is listed with its source, newest first', async () => {
    await ask()
    clock.advance(1_000)
    await ask({ RequestID: 'r2', source: 'person', by: '王小明' })
    const key = { HomeID: building.homeId, PeripheralUID: 'light' }
    expect(await control.list(building.tenant, key, 10)).toMatchObject([
      { RequestID: 'r2', Source: 'person', By: '王小明', RequestedAt: clock.now() },
      { RequestID: 'r1', Source: 'schedule', By: null, RequestedAt: clock.now() - 1_000 },
    ])
    expect(await control.list(building.tenant, key, 1)).toHaveLength(1)
  })
})

describe('a screen', () => {
  const send = (
    payload: unknown,
    permissions: { FeatureKey: 'device_control'; OperationList: ['Control'] }[],
  ) =>
    control.receive({
      topic: controlRequest.topic({ rootId: building.tenant, homeId: building.homeId }),
      payload: encode(payload),
      client: {
        party: 'screen',
        tenant: building.tenant,
        cognitoId: building.tenant,
        subject: { isRoot: false, permissions },
      },
    })
  const right = { FeatureKey: 'device_control', OperationList: ['Control'] } as const
  const asked = { RequestID: 'r1', PeripheralUID: 'light', Values: { Switch1: 1 } }

  it('sends commands with the right to control', async () => {
    await db.query(sql`insert into users (tenant, cognito_id, email, first_name, last_name, created_at)
      values (${building.tenant}, ${building.tenant}, ${`${building.tenant}@example.com`}, '小明', '王', 0)`)
    await send(asked, [{ ...right, OperationList: ['Control'] }])
    const key = { HomeID: building.homeId, PeripheralUID: 'light' }
    expect(await control.list(building.tenant, key, 10)).toMatchObject([{ Source: 'person', By: '王小明' }])
    expect(broker.sentTo(commandTopic())).toHaveLength(1)
  })

  it('sends the time of the request, and is notified if it was too late', async () => {
    await send({ ...asked, At: clock.now() - 10_001 }, [{ ...right, OperationList: ['Control'] }])
    expect(await told(1)).toEqual(['failed: tooLate'])
    expect(broker.traffic).toEqual([])
  })

  it('is rejected without the right, and nothing is sent', async () => {
    await send(asked, [])
    expect(await told(1)).toEqual(['failed: permissionDenied'])
    expect(broker.traffic).toEqual([])
  })

  it.each([[{}], [null], [{ ...asked, RequestID: '#' }], [{ ...asked, Values: [] }]])(
    'that sends %j is ignored',
    async (payload) => {
      await send(payload, [{ ...right, OperationList: ['Control'] }])
      expect(states).toEqual([])
      expect(broker.traffic).toEqual([])
    },
  )
})

describe('after a restart', () => {
  const restart = async () => {
    await told(2)
    await control.close()
    control = start()
    states.length = 0
  }
  /** Makes the commands older, by the database's clock, than any gateway tracks them. */
  const age = (seconds: number) =>
    db.query(sql`update commands set stored_at = stored_at - make_interval(secs => ${seconds})
      where tenant = ${building.tenant}`)

  it('a pending command is not sent again and is still confirmed', async () => {
    await ask()
    await restart()
    await ack()
    report({ Switch1: 1 })
    expect(await told(2)).toEqual(['acknowledged', 'confirmed'])
    expect(broker.sentTo(commandTopic())).toHaveLength(1)
  })

  it('a command whose time ran out meanwhile times out, whatever the clock of this gateway', async () => {
    await ask()
    await restart()
    clock.advance(3_600_000)
    await control.endOverdue()
    expect(states).toEqual([])
    await age(18)
    await Promise.all([control.endOverdue(), control.endOverdue()])
    expect(await told(1)).toEqual(['timedOut: noAnswer'])
    expect(states).toHaveLength(1)
  })

  it('an unsent command times out, and is never sent', async () => {
    broker.gate = new Promise(() => {})
    void ask()
    await told(1)
    await control.close()
    control = start()
    states.length = 0
    await age(6)
    await control.endOverdue()
    expect(await told(1)).toEqual(['timedOut: noAnswer'])
    expect(broker.sentTo(commandTopic())).toEqual([])
  })

  it('a command that the device was seen carrying out is confirmed', async () => {
    await ask()
    await restart()
    clock.advance(100)
    await db.query(sql`insert into device_status values (${building.tenant}, 'light', ${building.homeId}, '534', 1,
      '{"Switch1": 1}', ${clock.now()})`)
    await age(18)
    await control.endOverdue()
    expect(await told(1)).toEqual(['confirmed'])
  })
})
