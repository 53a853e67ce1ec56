import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Notify } from '../../../../gateway/domain/notifications/notification-transport.ts'
import { createRuleAlarms } from '../../../../gateway/features/alarms/rule-alarms.ts'
import { createAlarmWatch } from '../../../../gateway/features/alarms/watch/watch.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { createKillPoints, type KillPoints, points } from '../../../support/kill-points.ts'
import { createTestDb } from '../../../support/postgres.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'
import { startWatching, type Watching } from './watching.ts'

let all: AlarmsWorld
let watching: Watching
let kills: KillPoints
beforeAll(async () => {
  const database = await createTestDb({ template: 'world' })
  kills = createKillPoints(database)
  all = await startAlarms({ database })
  watching = startWatching(all)
  await all.world.db.query(sql`create table told (kind text not null, is_sent boolean not null)`)
  await all.world.db.query(sql`update peripherals set warning_threshold =
    '{"CurrentLower": 0, "CurrentUpper": 100, "VoltageLower": 0, "VoltageUpper": 500}' where peripheral_uid = 'meter'`)
})
afterAll(async () => {
  await all.world.close()
  await kills.close()
})

/** Records notices; a transaction that fails rolls them back. */
const notify: Notify = async (tx, notices) => {
  for (const { kind, unsent = false } of notices)
    await tx.query(sql`insert into told (kind, is_sent) values (${kind}, ${!unsent})`)
}
const told = async () =>
  (await all.world.db.query<{ kind: string }>(sql`select kind from told where is_sent order by kind`)).map(
    ({ kind }) => kind,
  )
/** Check by a gateway that may be killed during it. */
const look = () => {
  const { world } = all
  const ports = { ...watching.ports, notify }
  return createAlarmWatch({ db: world.db, clock: watching.clock, events: watching.events }, ports)
    .run(() => false)
    .catch(() => {})
}

it('raises, escalates and clears once, wherever a gateway is killed', async () => {
  const { world, root, HomeID } = all
  const rules = createRuleAlarms(
    { ...watching.ports, notify },
    { clock: watching.clock, events: watching.events },
  )
  for (const point of points(8)) {
    await watching.reset()
    await world.db.query(sql`delete from told`)
    await world.db.transaction((tx) =>
      rules.raise(tx, {
        tenant: root.tenant,
        homeId: HomeID,
        automationId: 'rule',
        automationName: 'rule',
        kind: 'rule',
        severity: 'warning',
        peripheralUid: null,
        readings: [],
        at: watching.clock.now(),
        late: false,
        notify: undefined,
        escalate: [{ After: 1, To: 'readers' }],
      }),
    )
    await watching.say('meter', { AvgElectricCurrent: 130 })
    await look()
    watching.advance(60_000)
    const wasEnded = await kills.kill(point, look)
    await look()
    expect(await told()).toEqual(['alarmEscalated', 'alarmRaised', 'alarmRaised'])
    expect(await all.list({ Kind: 'breach' })).toHaveLength(1)
    await watching.say('meter', { AvgElectricCurrent: 10 })
    await look()
    watching.advance(60_000)
    await kills.kill(point, look)
    await look()
    expect(await told()).toEqual(['alarmCleared', 'alarmEscalated', 'alarmRaised', 'alarmRaised'])
    if (!wasEnded) return
  }
})
