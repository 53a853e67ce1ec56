import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_MAINTENANCE_MS } from '../../../../contract/alarms/calls.ts'
import { endMaintenance } from '../../../../gateway/features/alarms/maintenance.ts'
import { createStateAlarmUpdater } from '../../../../gateway/features/alarms/state/apply-signals.ts'
import { createEvents } from '../../../../gateway/kernel/events.ts'
import { systemRandom } from '../../../../gateway/kernel/ports.ts'
import { type Caller, rights } from '../../../support/world.ts'
import { createNoticesBook } from './notices-book.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'

let all: AlarmsWorld
let keeper: Caller
/** Timestamp of the next report; each is newer than the last. */
let at: number
beforeAll(async () => {
  all = await startAlarms()
  at = all.NOON
  keeper = await all.world.createUser(all.root, [rights('device', 'Read', 'Update')])
})
afterAll(() => all.world.close())
beforeEach(async () => {
  for (const { MaintenanceID } of await all.maintained())
    await keeper.post('/EndMaintenance', { HomeID: all.HomeID, MaintenanceID })
  await say('shock', { ShockState: 1 })
  await say('smoke', { SmokeState: 1 })
})

const say = (uid: string, values: object) => all.report(uid, (at += 1_000), values)
const start = (Scope: string, Subject: string, more: object = {}) =>
  keeper.post('/StartMaintenance', {
    HomeID: all.HomeID,
    Scope,
    Subject,
    Until: all.world.clock.now() + 3_600_000,
    Reason: 'new ceiling',
    ...more,
  })
const open = async () => (await all.list({ State: 'open' })).map(({ PeripheralUID }) => PeripheralUID)

describe('maintenance', () => {
  it('shows its end, reason and author, and is audited', async () => {
    const { results } = await start('device', 'shock')
    expect(results).toMatchObject({ Scope: 'device', Subject: 'shock', Reason: 'new ceiling' })
    expect(await all.maintained()).toEqual([results])
    const { Rows } = (await all.root.post('/ListAuditLog', { Path: '/StartMaintenance' })).results
    expect(Rows[0]).toMatchObject({ ByName: results.By, After: { Reason: 'new ceiling' } })
  })

  it.each<[what: string, scope: string, subject: () => string]>([
    ['a device', 'device', () => 'shock'],
    ['its hub', 'hub', () => all.ThingName],
    ['its home', 'home', () => all.HomeID],
  ])('of %s raises no alarms except fire and smoke', async (_, scope, subject) => {
    await start(scope, subject())
    await say('shock', { ShockState: 2 })
    await say('smoke', { SmokeState: 5 })
    expect(await open()).toEqual(scope === 'device' ? ['smoke'] : [])
    await say('smoke', { SmokeState: 3 })
    expect(await open()).toEqual(['smoke'])
  })

  it('raises suppressed alarms when it ends, whoever ends it', async () => {
    const { MaintenanceID } = (await start('device', 'shock')).results
    await say('shock', { ShockState: 2 })
    expect(await open()).toEqual([])
    const told = all.told('alarm.update')
    const key = { HomeID: all.HomeID, MaintenanceID }
    expect((await keeper.post('/EndMaintenance', key)).status.code).toBe(0)
    expect(await open()).toEqual(['shock'])
    expect(all.told('alarm.update')).toBe(told + 1)
    expect((await keeper.post('/EndMaintenance', key)).status).toMatchObject({
      code: 3,
      fields: { MaintenanceID: 'changed' },
    })
  })

  it('ends automatically', async () => {
    const { db, clock } = all.world
    await start('device', 'shock')
    await say('shock', { ShockState: 2 })
    const later = { ...clock, now: (): number => clock.now() + 3_600_001 }
    const told: string[] = []
    const events = createEvents((error) => {
      throw error
    })
    events.on('dataChange', ({ name }) => void told.push(name))
    const book = createNoticesBook()
    const ports = {
      updateStateAlarms: createStateAlarmUpdater({ ...book, random: systemRandom }),
      notify: book.notify,
    }
    await endMaintenance({ db, clock: later, events }, ports).run(() => false)
    expect(await all.maintained()).toEqual([])
    expect(await open()).toEqual(['shock'])
    expect(told).toEqual(['maintenance.update', 'alarm.update'])
    expect(book.notices.map(({ kind }) => kind)).toEqual(['alarmRaised', 'maintenanceEnded'])
    expect(book.of('maintenanceEnded')[0]).toMatchObject({
      category: 'system',
      severity: 'info',
      values: { subject: 'shock', home: 'A', scope: 'device', reason: 'new ceiling' },
      to: { access: { feature: 'device', operation: 'Read' } },
    })
  })

  it('of the same target begins once, even with concurrent requests', async () => {
    const answers = await Promise.all([start('hub', all.ThingName), start('hub', all.ThingName)])
    expect(answers.map(({ status }) => status.code).toSorted()).toEqual([0, 3])
  })

  it('is rejected for a past or too long time, without a reason, and for unknown targets', async () => {
    const now = all.world.clock.now()
    const refused = async (scope: string, subject: string, more: object = {}) =>
      (await start(scope, subject, more)).status
    expect(await refused('device', 'shock', { Until: now })).toMatchObject({ fields: { Until: 'past' } })
    expect(await refused('device', 'shock', { Until: now + MAX_MAINTENANCE_MS + 1 })).toMatchObject({
      fields: { Until: 'tooBig' },
    })
    expect(await refused('device', 'shock', { Reason: ' ' })).toMatchObject({
      fields: { Reason: 'required' },
    })
    expect(await refused('device', 'nobody')).toMatchObject({ code: 2 })
    expect(await refused('hub', 'shock')).toMatchObject({ code: 2 })
    expect(await refused('home', 'shock')).toMatchObject({ fields: { Subject: 'invalid' } })
    const stranger = await all.world.signUp()
    const strange = { HomeID: all.HomeID, Scope: 'home', Subject: all.HomeID, Until: now + 1, Reason: 'x' }
    expect((await stranger.post('/StartMaintenance', strange)).status.code).toBe(2)
    expect(await all.maintained()).toEqual([])
  })
})
