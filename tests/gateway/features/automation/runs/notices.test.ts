import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../../contract/kernel/permissions.ts'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import type { SignedIn } from '../../../../../gateway/kernel/context.ts'
import { transferOwnership } from '../../../../../gateway/features/automation/records/transfer-ownership.ts'
import { recheckRules } from '../../../../../gateway/features/automation/records/mark-broken.ts'
import { decideRule } from '../../../../../gateway/features/automation/engine/decide-rule.ts'
import { runDue } from '../../../../../gateway/features/automation/engine/create-engine.ts'
import { setTimers } from '../../../../../gateway/features/automation/engine/timers.ts'
import type { NotificationEvent } from '../../../../../gateway/domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import {
  addAutomation,
  createBuilding,
  createTestEngine,
  HOME,
  OWNER,
  replanNow,
  report,
  TENANT,
} from '../engine/support.ts'

const SECOND = 1_000
const HOUR = 3_600_000
/** Monday, 7:59 in Taipei. */
const START = Date.UTC(2026, 0, 4, 23, 59)

let database: Awaited<ReturnType<typeof createBuilding>>
let db: Db
let clock: HeldClock
let told: NotificationEvent[]
let gateway: ReturnType<typeof createTestEngine>

const notify = async (_: Db, notices: readonly NotificationEvent[]) => void told.push(...notices)

beforeEach(async () => {
  database = await createBuilding(['door', 'lamp'])
  db = database.db
  clock = holdClock(START)
  told = []
  gateway = createTestEngine(db, clock, { notify })
})
afterEach(() => database.dropDatabase())

const EIGHT = {
  Weekdays: [1],
  At: 480,
  Days: 'all' as const,
  Except: [],
  From: null,
  Through: null,
  OffAfter: 0,
}
const whenOpen = Conditions.parse({
  PeripheralUIDs: [{ PeripheralUID: 'door', Field: 'Switch1', Status: 1, Logical: '=' }],
})
const save = async (given: Parameters<typeof addAutomation>[1]) => {
  const id = await addAutomation(db, given)
  await replanNow(db, clock, id)
  return id
}
const kinds = () => told.map(({ kind }) => kind)
const runAll = () => runDue(gateway.engine, clock.now(), async () => {})

/** Call of a person, as seen by these handlers. */
const asPerson = (cognitoId: string, permissions: Permission[], work: (context: SignedIn) => Promise<void>) =>
  db.transaction((tx) =>
    work({
      db: tx,
      clock,
      actor: {
        tenant: TENANT,
        cognitoId,
        name: 'Ann',
        email: 'a@x.tw',
        isRoot: cognitoId === TENANT,
        permissions,
      },
      change: () => {},
      ip: '',
      requestId: 'r',
    } as unknown as SignedIn),
  )
const runs = { plan: async () => true, refuse: async () => {} }
const ports = { replan: async () => {}, runs, notify }
const look = (uid: string) =>
  asPerson(TENANT, [], (context) => recheckRules(ports)(context, { kind: 'device', ids: [uid] }))
const name = async (id: string, kind: string, subject: string, role: string) =>
  db.query(sql`insert into automation_subjects (tenant, automation_id, kind, subject, role)
    values (${TENANT}, ${id}, ${kind}, ${subject}, ${role})`)
const owned = () =>
  db.query(
    sql`update users set permissions = ${JSON.stringify([
      { FeatureKey: 'device_control', OperationList: ['Control'] },
      { FeatureKey: 'schedule', OperationList: ['Read'] },
    ])}::jsonb where cognito_id = ${OWNER}`,
  )

describe('a notification that a rule ran', () => {
  it('is sent to named recipients who may read such rules, with a link to its editor', async () => {
    const Notify = { To: { Users: ['u'], Departments: [] }, Text: 'Lights on' }
    const id = await save({ Schedule: EIGHT, Notify })
    clock.advance(60 * SECOND)
    await runAll()
    expect(told).toEqual([
      {
        tenant: TENANT,
        homeId: HOME,
        category: 'automation',
        severity: 'info',
        kind: 'ruleRan',
        alarmId: null,
        values: { subject: id, home: 'h', text: 'Lights on' },
        path: `/updateSchedule/${HOME}/${id}`,
        to: { access: { feature: 'schedule', operation: 'Read' }, users: ['u'], departments: [] },
        topic: `rule:${id}`,
        at: clock.now(),
      },
    ])
  })

  it('of a smart link is sent to everyone who may read it, even if it has no other action', async () => {
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const id = await save({ Conditions: whenOpen, Actions: [], Notify: { To: 'readers', Text: '' } })
    await decideRule(gateway.engine, { tenant: TENANT, automationId: id })
    clock.advance(10 * SECOND)
    await report(db, 'door', { Switch1: 1 }, clock.now())
    await decideRule(gateway.engine, { tenant: TENANT, automationId: id })
    expect(told).toMatchObject([
      {
        kind: 'ruleRan',
        path: `/updateSmartLink/${HOME}/${id}`,
        values: { text: null },
        to: { access: { feature: 'smart_link', operation: 'Read' } },
      },
    ])
    expect(told[0]?.to.users).toBeUndefined()
  })

  it('is not sent if the rule has none, or while its home is paused', async () => {
    await save({ Schedule: EIGHT })
    await db.query(sql`insert into automation_pauses (tenant, home_id, until, reason, by_name, at)
      values (${TENANT}, ${HOME}, null, '', '', 0)`)
    await save({ Schedule: EIGHT, Notify: { To: 'readers', Text: '' } })
    clock.advance(60 * SECOND)
    await runAll()
    expect(told).toEqual([])
  })
})

describe('the owner of a rule', () => {
  it('is notified once that it is paused because it ran too often', async () => {
    await report(db, 'door', { Switch1: 0 }, clock.now())
    const id = await save({ Conditions: { ...whenOpen, RetriggerInterval: 5 } })
    for (let i = 0; i < 32; i++) {
      await decideRule(gateway.engine, { tenant: TENANT, automationId: id })
      clock.advance(2_300)
      await report(db, 'door', { Switch1: (i + 1) % 2 }, clock.now())
      // As if the retrigger interval had passed.
      await db.query(sql`update automation_states set state = jsonb_set(state, '{truth,lastFiredAt}', '0')`)
    }
    expect(told).toMatchObject([
      {
        kind: 'ruleRests',
        severity: 'warning',
        values: { subject: id, reason: 'tooOften', until: expect.any(Number) },
        to: { users: [OWNER] },
      },
    ])
  })

  it('is notified once that it is broken, but not if it is disabled', async () => {
    await owned()
    for (const Enabled of [true, false]) {
      const id = await save({ Schedule: EIGHT, Enabled, id: `rule-${Enabled}` })
      await name(id, 'device', 'lamp', 'action')
    }
    await db.query(sql`delete from peripherals where peripheral_uid = 'lamp'`)
    await look('lamp')
    await look('lamp')
    expect(told).toMatchObject([
      {
        kind: 'ruleBroken',
        values: { subject: 'rule-true', reason: 'deviceGone', about: 'lamp', until: null },
        path: `/updateSchedule/${HOME}/rule-true`,
        to: { users: [OWNER] },
      },
    ])
  })

  it('who lost the right to control is notified, with root, that the rule has no valid owner', async () => {
    await save({ Schedule: EIGHT })
    const person = { isRoot: false, permissions: [] }
    await asPerson('33333333-3333-4333-8333-333333333333', [], (context) =>
      transferOwnership(ports)(context, OWNER, person),
    )
    expect(told).toMatchObject([
      { kind: 'ruleSuspended', values: { reason: 'noRight' }, to: { users: [OWNER, TENANT] } },
    ])
  })

  it('who was deleted is not notified, but root is', async () => {
    await save({ Schedule: EIGHT })
    await asPerson('33333333-3333-4333-8333-333333333333', [], (context) =>
      transferOwnership(ports)(context, OWNER, undefined),
    )
    expect(told).toMatchObject([{ kind: 'ruleSuspended', to: { users: [TENANT] } }])
  })

  it('is notified when it is transferred to them', async () => {
    await db.query(
      sql`insert into users (tenant, cognito_id, email, created_at) values (${TENANT}, ${TENANT}, 'r@x.tw', 0)`,
    )
    const id = await save({ Schedule: EIGHT })
    await asPerson(TENANT, [], (context) => transferOwnership(ports)(context, OWNER, undefined))
    expect(told).toMatchObject([
      { kind: 'ruleHandedOver', severity: 'info', values: { subject: id }, to: { users: [TENANT] } },
    ])
  })

  it('can be deleted if the rule only notifies, and the rule continues', async () => {
    await save({ Schedule: EIGHT, Actions: [], Notify: { To: 'readers', Text: '' } })
    const someone = '33333333-3333-4333-8333-333333333333'
    await asPerson(someone, [], (context) => transferOwnership(ports)(context, OWNER, undefined))
    expect(kinds()).toEqual([])
    expect(await db.query(sql`select problem from automations`)).toEqual([{ problem: null }])
  })
})

it('reports missed schedules in one notification per home, with their names', async () => {
  await save({ Schedule: EIGHT, id: 'first', Catching: 'skip' })
  await save({ Schedule: { ...EIGHT, At: 490 }, id: 'second', Catching: 'skip' })
  await save({ Schedule: { ...EIGHT, At: 1380 }, id: 'third' })
  clock.advance(4 * HOUR)
  await runAll()
  expect(told).toEqual([
    expect.objectContaining({
      kind: 'schedulesMissed',
      severity: 'warning',
      values: { subjects: 'first\nsecond', count: 2, home: 'h' },
      path: `/ScheduleListing/${HOME}`,
      to: { access: { feature: 'schedule', operation: 'Read' }, users: [OWNER] },
    }),
  ])
})

it('does not notify of end actions', async () => {
  const id = await save({ Schedule: EIGHT, Notify: { To: 'readers', Text: '' } })
  await db.transaction((tx) =>
    setTimers(tx, { tenant: TENANT, automationId: id }, [{ kind: 'off', key: 'run', dueAt: clock.now() }]),
  )
  await runAll()
  expect(told).toEqual([])
})
