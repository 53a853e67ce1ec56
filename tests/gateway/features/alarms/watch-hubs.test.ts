import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'
import { startWatching, type Watching } from './watching.ts'

let all: AlarmsWorld
let watching: Watching
beforeAll(async () => {
  all = await startAlarms()
  watching = startWatching(all)
  await watching.look()
  // After the listener starts, hubs have a minute to connect.
  watching.advance(60_000)
})
afterAll(() => all.world.close())
beforeEach(() => watching.reset())

const of = (Kind: string) => all.list({ Kind })

describe('an offline hub', () => {
  it('raises an alarm after a minute, critical if it serves smoke detectors, doors or a main meter', async () => {
    await watching.hub(false)
    const since = watching.clock.now()
    await watching.look(59_000)
    expect(await of('hubLost')).toEqual([])
    await watching.look(1_000)
    expect(await of('hubLost')).toMatchObject([
      {
        Source: `hubLost:${all.ThingName}`,
        ThingName: all.ThingName,
        SubjectName: 'hub',
        PeripheralUID: null,
        Severity: 'critical',
        RaisedAt: since,
      },
    ])
    expect(watching.notices).toMatchObject([
      { kind: 'alarmRaised', values: { kind: 'hubLost', subject: 'hub', since } },
    ])
  })

  it('is a warning if it serves no such device', async () => {
    await watching.maintain('device', 'smoke')
    for (const uid of ['smoke2', 'door', 'meter']) await watching.maintain('device', uid)
    await watching.hub(false)
    await watching.look(60_000)
    expect(await of('hubLost')).toMatchObject([{ Severity: 'warning' }])
  })

  it('clears when it reconnects, and reopens the same alarm if it disconnects again', async () => {
    await watching.hub(false)
    await watching.look(60_000)
    await watching.hub(true)
    await watching.look(5_000)
    expect(await of('hubLost')).toMatchObject([{ Cleared: { By: null } }])
    await watching.hub(false)
    await watching.look(60_000)
    expect(await of('hubLost')).toMatchObject([{ Cleared: null, Count: 2 }])
  })

  it('keeps the acknowledgement until it reconnects', async () => {
    await watching.hub(false)
    await watching.look(60_000)
    const [alarm] = await of('hubLost')
    const cleared = await all.root.post('/ClearAlarm', {
      HomeID: all.HomeID,
      AlarmID: alarm?.AlarmID,
      Reason: 'taken down',
    })
    expect(cleared.status.code).toBe(0)
    await watching.look(60_000)
    expect(await all.list({ State: 'open' })).toEqual([])
    watching.advance(5_000)
    await watching.hub(true)
    watching.advance(5_000)
    await watching.hub(false)
    await watching.look(60_000)
    expect(await of('hubLost')).toHaveLength(2)
  })

  it('raises no alarm in maintenance', async () => {
    await watching.maintain('hub', all.ThingName)
    await watching.hub(false)
    await watching.look(120_000)
    expect(await of('hubLost')).toEqual([])
  })

  it('is not reported by a gateway that has just started', async () => {
    await watching.hub(false)
    watching.advance(300_000)
    const fresh = watching.another()
    await fresh.run(() => false)
    expect(await of('hubLost')).toEqual([])
    watching.advance(60_000)
    await fresh.run(() => false)
    expect(await of('hubLost')).toHaveLength(1)
  })
})

describe('silence', () => {
  const silent = async () => {
    await watching.say('meter', { AccumulatePower: 1 })
    await watching.look(3 * 900_000)
    await watching.look(60_000)
  }

  it('of a meter raises a warning after three missed reports, cleared by its next report', async () => {
    const at = watching.clock.now()
    await watching.say('meter', { AccumulatePower: 1 })
    await watching.look(3 * 900_000 - 1_000)
    await watching.look(500)
    expect(await of('silent')).toEqual([])
    await watching.look(60_000)
    expect(await of('silent')).toMatchObject([
      { Source: 'silent:meter', PeripheralUID: 'meter', Severity: 'warning', RaisedAt: at },
    ])
    expect(watching.of('alarmRaised')).toMatchObject([{ values: { kind: 'silent', since: at } }])
    await watching.say('meter', { AccumulatePower: 2 })
    await watching.look(5_000)
    expect(await of('silent')).toMatchObject([{ Cleared: { By: null } }])
  })

  it('of a sensor raises an alarm after the configured time or that of its kind, else none', async () => {
    const { world, root, HomeID, ThingName } = all
    await addDiscovered(world, root, { HomeID, ThingName, type: '754', uids: ['motion'] })
    await watching.say('door', { DoorState: 1 })
    await watching.say('motion', { MotionState: 1 })
    await all.world.db.query(sql`update peripherals set silent_after = 30 where peripheral_uid = 'door'`)
    await watching.look(30 * 60_000)
    await watching.look(60_000)
    expect((await of('silent')).map(({ PeripheralUID }) => PeripheralUID)).toEqual(['door'])
    await all.world.db.query(sql`update peripherals set silent_after = null where peripheral_uid = 'door'`)
    await watching.look(60_000)
    expect(await all.list({ State: 'open' })).toEqual([])
    await watching.look(100 * 3_600_000)
    // A door raises warnings; a motion sensor sends no reports whose absence matters.
    expect((await all.list({ State: 'open' })).map(({ PeripheralUID }) => PeripheralUID)).toEqual(['door'])
  })

  it("of an offline hub's devices raises no alarms, and open ones are not notified", async () => {
    await silent()
    await watching.say('smoke', { SmokeState: 1 })
    watching.forget()
    await watching.hub(false)
    await watching.look(60_000)
    await watching.look(100 * 3_600_000)
    expect((await of('silent')).map(({ PeripheralUID }) => PeripheralUID)).toEqual(['meter'])
    expect(watching.notices.map(({ values }) => values['kind'])).toEqual(['hubLost'])
    const [row] = await all.world.db.query<{ inhibited: boolean }>(
      sql`select inhibited from alarms where source = 'silent:meter'`,
    )
    expect(row?.inhibited).toBe(true)
  })

  it('is not reported within a minute after its hub reconnects', async () => {
    await watching.say('meter', { AccumulatePower: 1 })
    await watching.hub(false)
    watching.advance(10 * 900_000)
    await watching.hub(true)
    await watching.look(30_000)
    expect(await of('silent')).toEqual([])
    await watching.look(60_000)
    expect(await of('silent')).toHaveLength(1)
  })

  it('keeps the acknowledgement until the next report', async () => {
    await silent()
    const [alarm] = await of('silent')
    await watching.hub(false)
    await all.root.post('/ClearAlarm', { HomeID: all.HomeID, AlarmID: alarm?.AlarmID, Reason: 'removed' })
    await watching.hub(true)
    await watching.look(60_000)
    await watching.look(60_000)
    expect(await of('silent')).toMatchObject([{ Cleared: { Reason: 'removed' } }])
  })
})
