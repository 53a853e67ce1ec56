import { afterAll, beforeAll, expect, it } from 'vitest'
import { raisePreexistingAlarms } from '../../../../gateway/features/alarms/maintenance.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { updateStateAlarms } from '../../../support/note-states.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'

let all: AlarmsWorld
beforeAll(async () => {
  all = await startAlarms()
})
afterAll(() => all.world.close())

it('creates one alarm for each state reported before alarms were stored', async () => {
  const { db, clock } = all.world
  await all.report('smoke', all.NOON, { SmokeState: 3 })
  await all.report('shock', all.NOON, { ShockState: 1 })
  await db.query(sql`delete from alarms`)
  for (let start = 0; start < 2; start++)
    await raisePreexistingAlarms(db, updateStateAlarms, sql`true`, clock.now())
  expect(await all.list()).toMatchObject([{ PeripheralUID: 'smoke', RaisedAt: all.NOON, Cleared: null }])
})

it('leaves alarms that a user has cleared', async () => {
  const { db, clock } = all.world
  const [alarm] = await all.list()
  await all.online(false)
  await all.root.post('/ClearAlarm', { HomeID: all.HomeID, AlarmID: alarm?.AlarmID, Reason: 'seen' })
  await raisePreexistingAlarms(db, updateStateAlarms, sql`true`, clock.now())
  expect(await all.list({ State: 'open' })).toEqual([])
})
