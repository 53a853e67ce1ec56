import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStateAlarmUpdater } from '../../../../gateway/features/alarms/state/apply-signals.ts'
import type { Db } from '../../../../gateway/kernel/db.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'
import { startWatching, type Watching } from './watching.ts'

let all: AlarmsWorld
let watching: Watching
beforeAll(async () => {
  all = await startAlarms()
  watching = startWatching(all)
})
afterAll(() => all.world.close())
beforeEach(() => watching.reset())

const statusOf = (uid: string, type: string, values: object, at: number) => ({
  PeripheralUID: uid,
  PeripheralType: type,
  Timestamp: at,
  updateAt: at,
  ...values,
})
/** Reports a smoke detector's state, this many seconds after its previous report. */
async function smoke(SmokeState: number, seconds = 1, late = 0) {
  watching.advance(seconds * 1_000)
  const at = watching.clock.now() - late
  await all.world.db.transaction((tx) =>
    watching.updateStateAlarms(
      tx,
      [
        {
          tenant: all.root.tenant,
          homeId: all.HomeID,
          statuses: [statusOf('smoke', '756', { SmokeState }, at)],
        },
      ],
      watching.clock.now(),
    ),
  )
}
const sent = () => watching.notices.filter(({ unsent }) => !unsent).map(({ kind }) => kind)

describe('notifications of a state alarm', () => {
  it('say what it is, of which device, where it is, and link to it', async () => {
    await smoke(3)
    const [alarm] = await all.list()
    expect(watching.notices).toEqual([
      {
        tenant: all.root.tenant,
        homeId: all.HomeID,
        category: 'alarm',
        severity: 'critical',
        kind: 'alarmRaised',
        alarmId: alarm?.AlarmID,
        values: {
          kind: 'state',
          subject: 'smoke',
          home: 'A',
          room: expect.any(String),
          lifeSafety: 1,
          severity: 'critical',
          count: 1,
          peripheralType: '756',
          field: 'SmokeState',
          value: 3,
        },
        path: `/Alarm/${all.HomeID}?tab=live&alarm=${alarm?.AlarmID}`,
        to: { access: { feature: 'device', operation: 'Read' } },
        topic: `alarm:${alarm?.AlarmID}`,
        at: watching.clock.now(),
        canAcknowledge: true,
      },
    ])
  })

  it('are sent when it gets worse and when it clears', async () => {
    await smoke(5)
    await smoke(3)
    await smoke(1)
    expect(watching.notices.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['alarmRaised', 'warning'],
      ['alarmChanged', 'critical'],
      ['alarmCleared', 'info'],
    ])
  })

  it('are sent again if it gets worse than what was acknowledged', async () => {
    await smoke(5)
    const [alarm] = await all.list()
    await all.root.post('/AcknowledgeAlarm', { HomeID: all.HomeID, AlarmID: alarm?.AlarmID })
    await smoke(3)
    expect(sent()).toEqual(['alarmRaised', 'alarmRaised'])
    expect(watching.notices[1]?.alarmId).not.toBe(alarm?.AlarmID)
  })

  it('are not repeated within ten minutes for a warning, but are for smoke', async () => {
    await smoke(5)
    await smoke(1)
    watching.forget()
    await smoke(5, 300)
    await smoke(1)
    expect(sent()).toEqual([])
    await smoke(3, 300)
    expect(sent()).toEqual(['alarmRaised'])
    expect(await all.list()).toMatchObject([{ Count: 3 }])
  })

  it('report chattering once, then pause until ten minutes are quiet', async () => {
    for (let i = 0; i < 30; i++) await smoke(i % 2 === 0 ? 5 : 1, 10)
    expect(sent()).toEqual(['alarmRaised', 'alarmCleared', 'alarmChattering'])
    expect(await all.list()).toMatchObject([{ Chattering: true, Count: 15 }])
    await watching.look(580_000)
    expect(await all.list()).toMatchObject([{ Chattering: true }])
    await watching.look(20_000)
    expect(await all.list()).toMatchObject([{ Chattering: false }])
    watching.forget()
    await smoke(3)
    expect(sent()).toEqual(['alarmRaised'])
  })

  it('are sent for each fire that comes and goes, and for its end', async () => {
    for (let i = 0; i < 8; i++) await smoke(i % 2 === 0 ? 3 : 1, 10)
    expect(sent()).toEqual(Array.from({ length: 4 }, () => ['alarmRaised', 'alarmCleared']).flat())
    expect(watching.notices.map(({ values }) => values['lifeSafety'])).toEqual(Array(8).fill(1))
  })

  it('are sent when smoke becomes fire, but not when fire becomes smoke', async () => {
    await smoke(2)
    await smoke(3)
    await smoke(2)
    expect(watching.notices.map(({ kind, values }) => [kind, values['value']])).toEqual([
      ['alarmRaised', 2],
      ['alarmRaised', 3],
    ])
  })

  it('are sent for a fire however late it is reported, and for its end', async () => {
    await smoke(3, 1, 7_200_000)
    await smoke(1, 1, 7_200_000)
    expect(sent()).toEqual(['alarmRaised', 'alarmCleared'])
  })

  it('are only stored in the history for states reported more than an hour late', async () => {
    await smoke(5, 1, 3_600_001)
    await smoke(1, 1, 3_600_001)
    expect(watching.notices).toMatchObject([
      { kind: 'alarmRaised', unsent: true },
      { kind: 'alarmCleared', unsent: true },
    ])
  })
})

describe('a flood of alarms', () => {
  it('is stored in a few statements however many devices report smoke', async () => {
    const uids = Array.from({ length: 500 }, (_, i) => `s${i}`)
    await all.world.db.query(sql`
      insert into peripherals (tenant, peripheral_uid, peripheral_type, peripheral_name, home_id, thing_name, created_at)
      select ${all.root.tenant}::uuid, uid, '756', uid, ${all.HomeID}, ${all.ThingName}, 0 from unnest(${uids}::text[]) as uid`)
    let statements = 0
    const at = watching.clock.now()
    const note = (SmokeState: number, moment: number) =>
      all.world.db.transaction((tx) => {
        const counted: Db = { ...tx, query: (query) => ((statements += 1), tx.query(query)) }
        const statuses = uids.map((uid) => statusOf(uid, '756', { SmokeState }, moment))
        return watching.updateStateAlarms(
          counted,
          [{ tenant: all.root.tenant, homeId: all.HomeID, statuses }],
          at,
        )
      })
    await note(3, at)
    expect(statements).toBeLessThan(8)
    expect(watching.of('alarmRaised')).toHaveLength(500)
    expect((await all.root.post('/ListAlarm', { Limit: 1 })).results.Total).toBe(500)
    statements = 0
    await note(3, at + 1)
    // A repeated state takes one statement.
    expect(statements).toBe(1)
    await note(1, at + 2)
    expect(watching.of('alarmCleared')).toHaveLength(500)
    await all.world.db.query(
      sql`delete from peripherals where peripheral_uid like 's%' and peripheral_uid ~ '^s[0-9]'`,
    )
  })

  it('leaves no alarm or notification if notifying fails', async () => {
    const failing = createStateAlarmUpdater({
      ...watching.ports,
      notify: () => Promise.reject(new Error('full')),
    })
    const at = watching.clock.now()
    const noting = all.world.db.transaction((tx) =>
      failing(
        tx,
        [
          {
            tenant: all.root.tenant,
            homeId: all.HomeID,
            statuses: [statusOf('smoke', '756', { SmokeState: 3 }, at)],
          },
        ],
        at,
      ),
    )
    await expect(noting).rejects.toThrow('full')
    expect(await all.list()).toEqual([])
  })
})

it('publishes an alarm to screens on the topic of its right', async () => {
  const { world, root, HomeID } = all
  const topics: string[] = []
  const publish = world.broker.publish.bind(world.broker)
  world.broker.publish = async (topic, payload, options) => {
    if (topic.includes('/alarm/device')) topics.push(`${topic} ${(payload as { News: string }).News}`)
    return publish(topic, payload, options)
  }
  await all.report('smoke', world.clock.now(), { SmokeState: 3 })
  const [alarm] = await all.list()
  await root.post('/AcknowledgeAlarm', { HomeID, AlarmID: alarm?.AlarmID })
  const topic = `${root.tenant}/${HomeID}/alarm/device`
  expect(topics).toEqual([`${topic} raised`, `${topic} acknowledged`])
})
