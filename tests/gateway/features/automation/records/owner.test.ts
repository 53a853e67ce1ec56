import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../../contract/kernel/permissions.ts'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import type { Run } from '../../../../../contract/automation/run-calls.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { schedule, smartLink, startBuilding } from './support.ts'

const ACTING = [rights('schedule', 'Read', 'Create', 'Update'), rights('device_control', 'Control')]
/** May change people, and holds every right of the person above. */
const ADMIN = [rights('user', 'Read', 'Create', 'Update', 'Delete'), ...ACTING]

let world: World
let root: Caller
let HomeID: string
let owner: Caller
let key: { AutomationType: number; AutomationID: string }

beforeAll(async () => ({ world, root, HomeID } = await startBuilding()))
afterAll(() => world.close())
beforeEach(async () => {
  owner = await world.createUser(root, ACTING)
  const { AutomationID } = (await owner.post('/CreateAutomation', schedule(HomeID))).results
  key = { AutomationType: 1, AutomationID }
})

const rule = async () =>
  (await root.post('/ListAutomation', { AutomationType: 1, HomeID })).results.find(
    ({ AutomationID }: { AutomationID: string }) => AutomationID === key.AutomationID,
  )
const grant = (by: Caller, Permissions: Permission[]) =>
  by.post('/UpdateUserInfo', { Email: owner.email, Permissions })
const takenOver = async () =>
  (await root.post('/ListAuditLog', { Path: '/TakeOverAutomation', Search: key.AutomationID })).results.Rows

describe('the automations of a user who', () => {
  it('is deleted are transferred to the deleting user, with an audit row', async () => {
    expect((await root.post('/DeleteUser', { Email: owner.email })).status.code).toBe(0)
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
    expect(await takenOver()).toEqual([
      expect.objectContaining({
        Before: expect.objectContaining({ OwnerID: owner.cognitoId }),
        After: expect.objectContaining({ OwnerID: root.cognitoId }),
      }),
    ])
  })

  it('is erased are transferred as well', async () => {
    const input = { CognitoId: owner.cognitoId, Confirmation: owner.email }
    expect((await root.post('/EraseUserData', input)).status.code).toBe(0)
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
  })

  it('is disabled are transferred as well', async () => {
    await root.post('/UpdateUserInfo', { Email: owner.email, enabled: false })
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
  })

  it.each([
    ['Control', [rights('schedule', 'Read')]],
    ['the right to read them', [rights('device_control', 'Control')]],
  ])('loses %s are transferred as well', async (_right, left) => {
    expect((await grant(root, left)).status.code).toBe(0)
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
  })

  it('loses another right keep their owner', async () => {
    await grant(root, [rights('schedule', 'Read'), rights('device_control', 'Control')])
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: owner.cognitoId })
    expect(await takenOver()).toEqual([])
  })

  it('is deleted by a user without Control are suspended until someone takes them over', async () => {
    await grant(root, [...ACTING.slice(0, 1), rights('device_control', 'Control')])
    const clerk = await world.createUser(root, [rights('user', 'Read', 'Update', 'Delete')])
    // A user can delete only a person with no more rights than their own, so the owner loses theirs first.
    await world.db.query({
      name: 'empty',
      text: 'update users set permissions = $1 where cognito_id = $2',
      values: ['[]', owner.cognitoId],
    })
    expect((await clerk.post('/DeleteUser', { Email: owner.email })).status.code).toBe(0)
    expect(await rule()).toMatchObject({
      State: 'suspended',
      OwnerID: null,
      OwnerName: null,
      Problem: { Reason: 'ownerGone', Since: expect.any(Number) },
    })
    const taken = await root.post('/TakeOverAutomation', key)
    expect(taken.results).toMatchObject({ State: 'ready', OwnerID: root.cognitoId, Problem: null })
  })

  it('gets the right back act again', async () => {
    const clerk = await world.createUser(root, [
      rights('user', 'Read', 'Update'),
      rights('schedule', 'Read', 'Create', 'Update'),
    ])
    await world.db.query({
      name: 'only-read',
      text: 'update users set permissions = $1 where cognito_id = $2',
      values: [JSON.stringify([rights('schedule', 'Read', 'Update')]), owner.cognitoId],
    })
    await grant(clerk, [rights('schedule', 'Read')])
    expect(await rule()).toMatchObject({ State: 'suspended', Problem: { Reason: 'noRight' } })
    await grant(root, ACTING)
    expect(await rule()).toMatchObject({ State: 'ready', OwnerID: owner.cognitoId, Problem: null })
  })

  it('is about to lose them are listed before', async () => {
    const asked = { Subject: 'person', ID: owner.cognitoId }
    expect((await root.post('/ListUsedBy', asked)).results).toEqual({
      Rows: [
        expect.objectContaining({
          Kind: 'automation',
          ID: key.AutomationID,
          Role: 'owner',
          AutomationType: 1,
        }),
      ],
      Hidden: 0,
    })
    const blind = await world.createUser(root, [rights('user', 'Read')])
    expect((await blind.post('/ListUsedBy', asked)).results).toEqual({ Rows: [], Hidden: 1 })
  })
})

describe('a run in progress when the owner of its rule', () => {
  const DELETED = (clerk: Caller, Email: string) => clerk.post('/DeleteUser', { Email })
  const DISABLED = (clerk: Caller, Email: string) => clerk.post('/UpdateUserInfo', { Email, enabled: false })

  /** Stores a status report of a device as the gateway does. */
  async function say(uid: string, Switch: number) {
    world.clock.advance(10_000)
    await world.db.query(sql`
      insert into device_status as s (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
      values (${root.tenant}, ${uid}, ${HomeID}, '516', ${world.clock.now()}, ${JSON.stringify({ Switch })}::jsonb, 0)
      on conflict (tenant, peripheral_uid) do update set values = excluded.values, timestamp = excluded.timestamp`)
    world.gateway.events.emit('statusChanged', {
      tenant: root.tenant,
      homeId: HomeID,
      statuses: [],
      uids: [],
      changedUIDs: [uid],
    })
  }

  it.each([
    ['is deleted', DELETED],
    ['is disabled', DISABLED],
  ])('%s by a user without Control sends nothing more, nor does its end', async (_what, dismiss) => {
    const rightsOfOwner = [
      rights('smart_link', 'Read', 'Create', 'Update'),
      rights('device_control', 'Control'),
    ]
    const person = await world.createUser(root, rightsOfOwner)
    await world.db.query(sql`update things set online = true`)
    await say('r1', 0)
    const set = (PeripheralUID: string, After: number) => ({ PeripheralUID, Values: { Switch: 1 }, After })
    const Actions = [set('r2', 0), set('r3', 60)]
    const input = smartLink(HomeID, { Actions, EndDuration: 60, EndActions: [set('r4', 0)] })
    const { AutomationID } = (await person.post('/CreateAutomation', input)).results
    const runs = async (): Promise<Run[]> =>
      (await root.post('/ListAutomationRun', { HomeID, AutomationID, Limit: 50 })).results.Rows
    const isArmed = async () =>
      world.db.query(sql`select from automation_states where automation_id = ${AutomationID}`)
    await expect.poll(async () => (await isArmed()).length).toBe(1)
    await say('r1', 1)
    await expect.poll(runs).toMatchObject([{ State: 'running', Actions: [{}, { State: 'waiting' }] }])
    await say('r1', 0)
    const waits = () =>
      world.db.query(sql`select from automation_waits where automation_id = ${AutomationID} and kind = 'end'`)
    await expect.poll(async () => (await waits()).length).toBe(1)

    const clerk = await world.createUser(root, [rights('user', 'Read', 'Update', 'Delete')])
    // A user can dismiss only a person with no more rights than their own.
    await world.db.query(sql`update users set permissions = '[]' where cognito_id = ${person.cognitoId}`)
    expect((await dismiss(clerk, person.email)).status).toMatchObject({ code: 0 })

    const [begun] = await runs()
    expect(begun).toMatchObject({ Cause: 'condition', State: 'refused', Reason: 'noRight' })
    expect(begun?.Actions[1]).toMatchObject({ State: 'dropped', Reason: 'permissionDenied' })
    const links = (await root.post('/ListAutomation', { AutomationType: 3, HomeID })).results
    expect(links).toContainEqual(
      expect.objectContaining({
        AutomationID,
        State: 'suspended',
        Problem: expect.objectContaining({ Reason: 'ownerGone' }),
      }),
    )
    await expect
      .poll(async () => {
        world.clock.advance(5_000)
        return (await runs())[0]
      })
      .toMatchObject({ Cause: 'end', State: 'refused', Reason: 'noRight' })
    world.clock.advance(60_000)
    const sent = await world.db.query<{ uid: string }>(sql`select peripheral_uid as uid from commands
      where tenant = ${root.tenant} and run_id = any(${(await runs()).map(({ RunID }) => RunID)}::text[])`)
    expect(sent).toEqual([{ uid: 'r2' }])
    const told = async () =>
      (await root.post('/ListNotification', { Limit: 50 })).results.Rows.filter(
        (row: { Kind: string; Path: string }) =>
          row.Kind === 'ruleSuspended' && row.Path.endsWith(AutomationID),
      )
    await expect.poll(async () => (await told()).length).toBe(1)
    await root.post('/DeleteAutomation', { AutomationType: 3, AutomationID })
  })
})

describe('taking over an automation', () => {
  it('requires Control', async () => {
    const person = await world.createUser(root, [rights('schedule', 'Read', 'Update')])
    expect((await person.post('/TakeOverAutomation', key)).status).toMatchObject({
      code: ERRORS.PERMISSION_DENIED.code,
      missing: { feature: 'device_control', operation: 'Control' },
    })
  })

  it('is audited', async () => {
    const admin = await world.createUser(root, ADMIN)
    await admin.post('/TakeOverAutomation', key)
    expect(await takenOver()).toHaveLength(1)
    expect((await rule()).OwnerID).toBe(admin.cognitoId)
  })
})
