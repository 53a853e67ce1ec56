import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { MIN_HUB_WAIT_MS, type RunPlan } from '../../../../gateway/features/automation/runs/port.ts'
import { personRun } from '../../../../gateway/features/automation/runs/start-run.ts'
import { findRun, type StoredRun } from '../../../../gateway/features/automation/runs/store.ts'
import { syncStateFields } from '../../../../gateway/features/devices/feature.ts'
import { type Db, raw, sql } from '../../../../gateway/kernel/db.ts'
import { openDb } from '../../../../gateway/store/db.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { type HeldClock, holdClock } from '../../../support/clock.ts'
import { createTestDb, silentLog, testSocketDir } from '../../../support/postgres.ts'
import { createRunGateways, type RunGateway } from '../../../support/run-gateways.ts'

let db: Db
let drop: () => Promise<void>
let name: string
let building: Building
let clock: HeldClock
let site: ReturnType<typeof createRunGateways>
let first: RunGateway

beforeAll(async () => {
  ;({ db, dropDatabase: drop, name } = await createTestDb())
})
afterAll(() => drop())
beforeEach(async () => {
  building = await createBuilding(db)
  for (const uid of ['a', 'b', 'c']) await building.addDevice(uid, '534')
  clock = holdClock()
  site = createRunGateways(db, building, clock)
  first = site.start()
  return () => site.close()
})

const action = (PeripheralUID: string, more: object = {}) => ({
  PeripheralUID,
  Values: { Switch1: 1 },
  After: 0,
  IfOffline: 'fail' as const,
  ...more,
})
async function run(changes: Partial<RunPlan> = {}, gateway = first): Promise<void> {
  const { tenant, homeId } = building
  const planned = personRun({ tenant, homeId, runId: 'r', by: 'Ann', sceneId: 's', ...changes }, clock.now())
  await db.transaction((tx) => gateway.runs.plan(tx, planned))
  gateway.runs.begin(tenant, planned.runId)
}
const stored = (runId = 'r') => findRun(db, building.tenant, runId) as Promise<StoredRun>

/** Polls until the condition holds; advances the clock by `pass` after every ten polls, unless a gateway or the hub works. */
async function until(
  isSo: (run: StoredRun) => boolean,
  { runId = 'r', pass }: { runId?: string; pass?: () => unknown } = {},
): Promise<StoredRun> {
  for (let i = 0; i < 20_000; i++) {
    const found = await stored(runId)
    if (found && isSo(found)) return found
    if (i % 10 === 9 && !site.isWorking()) await pass?.()
  }
  throw new Error(`The condition never held: ${JSON.stringify(await stored(runId))}`)
}
const isOver = ({ endedAt }: StoredRun) => endedAt !== null
const isSettledRun = ({ steps }: StoredRun) => steps.length > 0 && steps.every(({ end }) => end)
const ended = (runId = 'r', step = 0) => until(isOver, { runId, pass: () => step > 0 && clock.advance(step) })
const states = ({ steps }: StoredRun) =>
  steps.map(({ uid, end, waits }) => `${uid}: ${waits ? 'waits' : (end?.reason ?? end?.state)}`)
const ids = () => site.sent.map(({ RequestID }) => RequestID)
const online = async (is: boolean) => {
  await db.query(sql`update things set online = ${is} where thing_name = ${building.thingName}`)
  const { tenant, homeId, thingName } = building
  first.events.emit('hubOnline', { tenant, homeId, thingName, online: is, at: clock.now() })
}

describe('a run', () => {
  it('sets all its devices at once, publishes its start and end, and its commands refer to it', async () => {
    await run({ actions: ['a', 'b', 'c'].map((uid) => action(uid)) })
    expect((await ended()).state).toBe('done')
    expect(ids().toSorted()).toEqual(['r-1', 'r-2', 'r-3'])
    // The event is published after it is stored.
    await expect
      .poll(() => first.runMessages.map(({ State, Actions }) => [State, Actions]))
      .toEqual([
        ['running', { confirmed: 0, failed: 0, open: 3 }],
        ['done', { confirmed: 3, failed: 0, open: 0 }],
      ])
    const { tenant, homeId } = building
    const [command] = await first.control.list(tenant, { HomeID: homeId, PeripheralUID: 'a' }, 1)
    expect(command).toMatchObject({ RunID: 'r', Source: 'scene', By: 'Ann', State: 'confirmed' })
  })

  it('of a hundred devices sends each of them one command', async () => {
    const uids = Array.from({ length: 100 }, (_, i) => `d${i}`)
    for (const uid of uids) await building.addDevice(uid, '534')
    await run({ actions: uids.map((uid) => action(uid)) })
    expect((await ended()).state).toBe('done')
    expect(new Set(ids()).size).toBe(100)
    expect(site.sent).toHaveLength(100)
  })

  it('of two hundred devices sends a hundred at once and then sixty a second, each once', async () => {
    const uids = Array.from({ length: 200 }, (_, i) => `d${i}`)
    for (const uid of uids) await building.addDevice(uid, '534')
    await run({ actions: uids.map((uid) => action(uid)) })
    for (const sent of [100, 160, 200]) {
      await until(() => site.sent.length >= sent)
      expect(site.sent).toHaveLength(sent)
      clock.advance(999)
      expect(site.sent).toHaveLength(sent)
      clock.advance(1)
    }
    expect((await ended('r', 1_000)).state).toBe('done')
    expect(new Set(ids()).size).toBe(200)
    expect(site.sent).toHaveLength(200)
  })

  describe('of a scene that an automation runs', () => {
    const addScene = (id: string, Order: string, StopOnFailure = false) =>
      db.query(sql`insert into scenes (tenant, scene_id, home_id, scene_name, icon, actions, action_order, stop_on_failure)
        values (${building.tenant}, ${id}, ${building.homeId}, ${id}, 'scene',
          ${JSON.stringify([action('a'), action('b')])}::jsonb, ${Order}, ${StopOnFailure})`)
    const runScene = (SceneID: string, more: Partial<RunPlan> = {}) =>
      run({ sceneId: null, actions: [{ SceneID, After: 0, IfOffline: 'fail' }, action('c')], ...more })

    it('keeps the order of the scene although the automation sets all at once', async () => {
      await addScene('ordered', 'inOrder')
      site.hub(({ PeripheralUID }) => (PeripheralUID === 'a' ? 'silent' : 'obey'))
      await runScene('ordered')
      await until(() => site.sent.length === 2)
      expect(ids().toSorted()).toEqual(['r-1', 'r-3'])
      const over = await ended('r', 1_000)
      expect(states(over)).toEqual(['a: noAnswer', 'b: confirmed', 'c: confirmed'])
    })

    it('starts the first actions of the scene together, and the next when all of them have ended', async () => {
      await addScene('beside', 'together')
      site.hub(({ PeripheralUID }) => (PeripheralUID === 'a' ? 'silent' : 'obey'))
      await runScene('beside', { order: 'inOrder' })
      await until(() => site.sent.length === 2)
      expect(ids().toSorted()).toEqual(['r-1', 'r-2'])
      expect(states(await ended('r', 1_000))).toEqual(['a: noAnswer', 'b: confirmed', 'c: confirmed'])
    })

    it('skips only the rest of the scene after a failure, if the scene says so', async () => {
      await addScene('careful', 'inOrder', true)
      site.hub(({ PeripheralUID }) => (PeripheralUID === 'a' ? 'refuse' : 'obey'))
      await runScene('careful')
      expect(states(await ended())).toEqual(['a: hubRefused', 'b: stopped', 'c: confirmed'])
    })
  })

  it('completes and sends nothing twice after a 30-second database outage', async () => {
    await run({ actions: [action('a'), action('b', { After: 20 })], order: 'inOrder' })
    await until(() => site.sent.length === 1)
    const admin = openDb({ socketDir: testSocketDir(), database: 'postgres', max: 1, log: silentLog })
    const allow = (is: boolean) => admin.query(raw(`alter database "${name}" with allow_connections ${is}`))
    await allow(false)
    await admin.query(
      sql`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ${name}`,
    )
    for (let i = 0; i < 30; i++) {
      clock.advance(1_000)
      await expect(db.query(sql`select 1`)).rejects.toThrow(/connections|terminat/)
    }
    await allow(true)
    await admin.close()
    // Each second has enough statements for a command to be stored and sent within its ten seconds.
    const over = await until(isOver, {
      async pass() {
        clock.advance(1_000)
        await first.runs.sweeping.run()
      },
    })
    expect(states(over)).toEqual(['a: confirmed', 'b: confirmed'])
    expect(ids()).toEqual(['r-1', 'r-2'])
  })

  it('completes although its owner loses the right or is deleted, and the next one is rejected', async () => {
    const permissions: Permission[] = [{ FeatureKey: 'device_control', OperationList: ['Control'] }]
    const gateway = site.start({ permissions })
    const owned = {
      automationId: 'rule',
      sceneId: null,
      ownerId: '22222222-2222-4222-8222-222222222222',
      cause: 'schedule' as const,
    }
    await run({ ...owned, actions: [action('a'), action('b', { After: 20 })] }, gateway)
    await until(() => site.sent.length === 1)
    permissions.length = 0
    clock.advance(20_000)
    // Slow statements must not make the command too late.
    expect(states(await ended('r', 100))).toEqual(['a: confirmed', 'b: confirmed'])
    await run({ ...owned, runId: 'next', actions: [action('c')] }, gateway)
    expect(await ended('next')).toMatchObject({ state: 'refused', reason: 'noRight' })
    expect(ids()).toEqual(['r-1', 'r-2'])
  })

  it('in order skips the rest after a failure only if configured to stop', async () => {
    site.hub(({ PeripheralUID }) => (PeripheralUID === 'a' ? 'refuse' : 'obey'))
    const actions = ['a', 'b', 'c'].map((uid) => action(uid))
    await run({ actions, order: 'inOrder', stopOnFailure: true })
    const over = await ended()
    expect(states(over)).toEqual(['a: hubRefused', 'b: stopped', 'c: stopped'])
    expect(over.state).toBe('failed')
    expect(ids()).toEqual(['r-1'])
    await run({ runId: 'goes-on', actions, order: 'inOrder' })
    expect(states(await ended('goes-on'))).toEqual(['a: hubRefused', 'b: confirmed', 'c: confirmed'])
  })

  it('names the failed action and is partly done', async () => {
    site.hub(({ PeripheralUID }) => (PeripheralUID === 'b' ? 'refuse' : 'obey'))
    await run({ actions: [action('a'), action('b'), action('gone')] })
    const over = await ended()
    expect(over.state).toBe('partly')
    expect(states(over)).toEqual(['a: confirmed', 'b: hubRefused', 'gone: notFound'])
  })

  it('in order starts each action when the previous one has ended and its delay is over', async () => {
    await run({ actions: [action('a'), action('b', { After: 5 }), action('c')], order: 'inOrder' })
    await until(() => ids().length === 1)
    clock.advance(4_000)
    expect(ids()).toEqual(['r-1'])
    expect((await ended('r', 1_000)).state).toBe('done')
    expect(ids()).toEqual(['r-1', 'r-2', 'r-3'])
  })

  it('sends unanswered commands once more, unless the device carries them out anyway', async () => {
    site.hub('silent')
    await run({ actions: [action('a'), action('b')] })
    await until(() => ids().length === 2)
    await until(() => ids().includes('r-1-r') || ids().includes('r-2-r') || first.runMessages.length > 0)
    clock.advance(5_000)
    await until(() => true)
    await site.setStatus('b', { Switch1: 1 })
    const over = await ended('r', 1_000)
    expect(ids().toSorted()).toEqual(['r-1', 'r-1-r', 'r-2'])
    expect(states(over)).toEqual(['a: noAnswer', 'b: confirmed'])
  })

  it('acts with rights that its owner still has', async () => {
    const second = site.start({ permissions: [] })
    await run({ actions: [action('a')], ownerId: building.tenant }, second)
    expect(await ended()).toMatchObject({ state: 'refused', reason: 'noRight' })
    expect(site.sent).toEqual([])
    await until(() => second.runMessages.length > 0)
    expect(second.runMessages).toMatchObject([{ State: 'refused', Reason: 'noRight' }])
  })

  it('completes if these are revoked while it runs, and no later run starts', async () => {
    const permissions: Permission[] = [{ FeatureKey: 'device_control', OperationList: ['Control'] }]
    const second = site.start({ permissions })
    const owned = { actions: [action('a'), action('b', { After: 60 })], ownerId: building.tenant }
    await run(owned, second)
    await until(() => ids().length === 1)
    permissions.length = 0
    expect((await ended('r', 1_000)).state).toBe('done')
    await run({ ...owned, runId: 'later' }, second)
    expect(await ended('later')).toMatchObject({ state: 'refused', reason: 'noRight' })
    expect(ids()).toEqual(['r-1', 'r-2'])
  })

  it('names a device that was removed while it runs, and sets the others', async () => {
    await run({ actions: [action('a'), action('b', { After: 60 }), action('c', { After: 120 })] })
    await until(() => ids().length === 1)
    await db.query(sql`delete from peripherals where peripheral_uid = 'b'`)
    const { state, steps } = await ended('r', 1_000)
    expect(state).toBe('partly')
    expect(steps.map(({ uid, end }) => [uid, end?.state])).toEqual([
      ['a', 'confirmed'],
      ['b', 'failed'],
      ['c', 'confirmed'],
    ])
  })

  it('drops commands that an older run of its automation has not sent', async () => {
    await db.query(sql`insert into automations (tenant, automation_id, home_id, automation_type, automation_name,
      description, enabled, rule, created_at) values (${building.tenant}, 'auto', ${building.homeId}, 3, 'Auto', '', true, '{}', 0)`)
    await run({ automationId: 'auto', actions: [action('a'), action('b', { After: 60 })] })
    await until(() => ids().length === 1)
    clock.advance(1_000)
    await run({ automationId: 'auto', runId: 'newer', actions: [action('c')] })
    expect((await ended('newer')).state).toBe('done')
    expect(states(await ended())).toContain('b: superseded')
    clock.advance(120_000)
    expect(ids()).toEqual(['r-1', 'newer-1'])
    expect((await stored()).state).toBe('superseded')
  })

  it('for the same condition change or the same time is planned once', async () => {
    const { tenant, homeId } = building
    const twin = (runId: string) =>
      personRun(
        { tenant, homeId, runId, by: null, automationId: 'x', edgeNo: 7, cause: 'condition' },
        clock.now(),
      )
    const plan = (runId: string) => db.transaction((tx) => first.runs.plan(tx, twin(runId)))
    expect(await Promise.all([plan('one'), plan('two')])).toEqual(expect.arrayContaining([true, false]))
  })
})

describe('a run prepared in the transaction that stores it', () => {
  const planned = (changes: Partial<RunPlan>) => {
    const { tenant, homeId } = building
    return personRun(
      { tenant, homeId, runId: 'r', by: null, automationId: 'x', cause: 'condition', ...changes },
      clock.now(),
    )
  }
  /** Stores and prepares runs; they begin unless their gateway has ended by then. */
  async function prepare(runs: readonly RunPlan[], { begins = true } = {}): Promise<void> {
    await db.transaction(async (tx) => {
      await first.runs.planAll(tx, runs)
      await first.runs.prepare(tx, runs)
    })
    if (begins) for (const { tenant, runId } of runs) first.runs.begin(tenant, runId)
  }
  const commands = () =>
    db.query<{ id: string; state: string }>(
      sql`select request_id as id, state from commands where tenant = ${building.tenant} order by request_id`,
    )

  it('stores its first commands and the previous states before anything is sent', async () => {
    await site.setStatus('a', { Switch1: 0 })
    await prepare([planned({ actions: [action('a'), action('b', { After: 60 })] })], { begins: false })
    expect(await commands()).toEqual([{ id: 'r-1', state: 'accepted' }])
    expect(site.sent).toEqual([])
    const { state, steps } = await stored()
    expect([state, steps.map(({ before }) => before)]).toEqual(['running', [{ Switch1: 0 }, undefined]])
    first.runs.begin(building.tenant, 'r')
    expect((await ended('r', 1_000)).state).toBe('done')
    expect(ids()).toEqual(['r-1', 'r-2'])
  })

  it('is carried out, and supersedes earlier runs of its automation, which send nothing', async () => {
    await prepare([
      planned({ actions: [action('a')] }),
      planned({ runId: 'newer', actions: [action('b')] }),
      planned({ runId: 'other', automationId: 'y', actions: [action('c'), action('gone')] }),
    ])
    expect((await ended('newer')).state).toBe('done')
    expect(states(await ended('other'))).toEqual(['c: confirmed', 'gone: notFound'])
    expect((await ended()).state).toBe('superseded')
    expect(ids().toSorted()).toEqual(['newer-1', 'other-1'])
  })

  it('is sent by another gateway if the one that stored it ends before sending', async () => {
    await prepare([planned({ actions: [action('a')] })], { begins: false })
    const other = site.start()
    clock.advance(31_000)
    await other.runs.sweeping.run()
    expect((await ended('r', 1_000)).state).toBe('done')
    expect(ids()).toEqual(['r-1-r'])
  })

  it('leaves nothing if the transaction is rolled back', async () => {
    await db
      .transaction(async (tx) => {
        const runs = [planned({ actions: [action('a')] })]
        await first.runs.planAll(tx, runs)
        await first.runs.prepare(tx, runs)
        throw new Error('rolled back')
      })
      .catch(() => {})
    first.runs.begin(building.tenant, 'r')
    expect(await commands()).toEqual([])
    expect(await stored()).toBeUndefined()
    expect(site.sent).toEqual([])
  })
})

describe('an action for an offline hub', () => {
  it('fails, or waits and is sent when the hub reconnects', async () => {
    await online(false)
    await run({ actions: [action('a'), action('b', { IfOffline: 'catchUp' })] })
    const over = await ended()
    expect(over.state).toBe('partly')
    expect(states(over)).toEqual(['a: hubOffline', 'b: waits'])
    clock.advance(60_000)
    await online(true)
    expect(states(await until(({ steps }) => steps.every(({ end }) => end)))).toEqual([
      'a: hubOffline',
      'b: confirmed',
    ])
    expect(ids()).toEqual(['r-2-r'])
  })

  it('fails when its time is over', async () => {
    await online(false)
    await run({ actions: [action('b', { IfOffline: 'catchUp' })] })
    await ended()
    clock.advance(901_000)
    await first.runs.sweeping.run()
    const over = await until(({ steps }) => steps.every(({ end }) => end))
    expect([over.state, ...states(over)]).toEqual(['failed', 'b: hubOffline'])
    await online(true)
    expect(ids()).toEqual([])
  })

  it('is not sent if the device was set otherwise in the meantime', async () => {
    await online(false)
    await run({ actions: [action('b', { IfOffline: 'catchUp' })] })
    await ended()
    clock.advance(1_000)
    const { tenant, homeId } = building
    const hand = { tenant, homeId, RequestID: 'hand', PeripheralUID: 'b', Values: { Switch1: 0 } }
    await first.control.request({ ...hand, at: clock.now(), source: 'person', by: 'Bob' })
    await online(true)
    expect(states(await until(({ steps }) => steps.every(({ end }) => end)))).toEqual(['b: superseded'])
    expect(ids()).toEqual([])
  })

  it('never waits with an output that needs confirmation', async () => {
    await building.addDevice('contact', '517')
    await online(false)
    await run({ actions: [action('contact', { Values: { Switch: 1 }, IfOffline: 'catchUp' })] })
    expect(states(await ended())).toEqual(['contact: hubOffline'])
  })
})

describe('a rule command for a hub whose gateway died', () => {
  /** At least as long as hubs need to reconnect. */
  const WAITS = () => ({ catchUpUntil: clock.now() + MIN_HUB_WAIT_MS })
  const ofRule = (changes: Partial<RunPlan> = {}) =>
    run({ automationId: 'rule', sceneId: null, by: null, cause: 'condition', ...WAITS(), ...changes })
  const isWaiting = ({ steps }: StoredRun) => steps.some(({ waits }) => waits)
  const second = { pass: () => clock.advance(1_000) }

  for (const IfOffline of ['fail', 'catchUp'] as const)
    it(`is sent when the hub reconnects, with IfOffline ${IfOffline}`, async () => {
      site.connect(false)
      await ofRule({ actions: [action('a', { IfOffline })] })
      await until(isWaiting)
      // The hub counts as online for another half minute, without ever reaching the gateway in that time.
      for (let i = 0; i < 25; i++) {
        clock.advance(2_000)
        for (let look = 0; look < 5; look++) await stored()
      }
      expect(states(await stored())).toEqual(['a: waits'])
      expect(ids()).toEqual([])
      site.connect(true)
      const over = await until(isSettledRun, second)
      expect([over.state, ...states(over)]).toEqual(['done', 'a: confirmed'])
      expect(site.sent).toHaveLength(1)
    })

  it('is sent when the hub reconnects after it was marked offline with its gateway', async () => {
    site.connect(false)
    const { tenant, thingName } = building
    await db.query(sql`update things set online = false where thing_name = ${thingName}`)
    await db.query(sql`insert into hub_absences (tenant, thing_name, since, with_gateway)
      values (${tenant}, ${thingName}, ${clock.now() - 1_000}, true)`)
    await ofRule({ actions: [action('a')] })
    await until(isWaiting)
    site.connect(true)
    await online(true)
    expect(states(await until(isSettledRun, second))).toEqual(['a: confirmed'])
  })

  it('fails as hub offline when its time is over', async () => {
    site.connect(false)
    await ofRule({ actions: [action('a')] })
    await until(isWaiting)
    const over = await until(isSettledRun, second)
    expect([over.state, ...states(over)]).toEqual(['failed', 'a: hubOffline'])
    expect(clock.now() - over.beganAt).toBeGreaterThanOrEqual(MIN_HUB_WAIT_MS)
    expect(ids()).toEqual([])
  })

  it('fails immediately if the hub itself disconnected, or had time to reconnect', async () => {
    await online(false)
    site.connect(false)
    const { tenant, thingName } = building
    const absent = (since: number, withGateway: boolean) =>
      db.query(sql`insert into hub_absences (tenant, thing_name, since, with_gateway)
        values (${tenant}, ${thingName}, ${since}, ${withGateway})`)
    await absent(clock.now() - 1_000, false)
    await ofRule({ actions: [action('a')] })
    expect(states(await ended())).toEqual(['a: hubOffline'])
    await db.query(sql`delete from hub_absences`)
    await absent(clock.now() - 1_000, true)
    clock.advance(120_000)
    await ofRule({ runId: 'late', actions: [action('a')] })
    expect(states(await ended('late'))).toEqual(['a: hubOffline'])
  })

  it('keeps the order of its run, and no later action is skipped', async () => {
    site.connect(false)
    const actions = [action('a'), action('b', { After: 5 }), action('c')]
    await ofRule({ actions, order: 'inOrder', stopOnFailure: true })
    await until(isWaiting)
    for (let i = 0; i < 20; i++) clock.advance(1_000)
    site.connect(true)
    expect(states(await until(isSettledRun, second))).toEqual([
      'a: confirmed',
      'b: confirmed',
      'c: confirmed',
    ])
    expect(site.sent.map(({ PeripheralUID }) => PeripheralUID)).toEqual(['a', 'b', 'c'])
  })

  it('is superseded if a person has set the device meanwhile', async () => {
    site.connect(false)
    await ofRule({ actions: [action('a')] })
    await until(isWaiting)
    const { tenant, homeId } = building
    const hand = { tenant, homeId, RequestID: 'hand', PeripheralUID: 'a', Values: { Switch1: 0 } }
    clock.advance(1)
    await first.control.request({ ...hand, at: clock.now(), source: 'person', by: 'Bob' })
    site.connect(true)
    expect(states(await until(isSettledRun, second))).toEqual(['a: superseded'])
    expect(ids()).toEqual([])
  })

  it.each([0, 1])('is superseded by the command of a rule that was decided %i ms later', async (ms) => {
    const { tenant, homeId } = building
    for (const [at, id] of ['on', 'off'].entries())
      await db.query(sql`insert into automations
          (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule, created_at)
        values (${tenant}, ${id}, ${homeId}, 0, ${id}, '', true, '{}', ${at})`)
    site.connect(false)
    await ofRule({ runId: 'on', automationId: 'on', actions: [action('a')] })
    clock.advance(ms)
    await ofRule({ runId: 'off', automationId: 'off', actions: [action('a', { Values: { Switch1: 0 } })] })
    for (const runId of ['on', 'off']) await until(isWaiting, { runId })
    site.connect(true)
    expect(states(await until(isSettledRun, { ...second, runId: 'off' }))).toEqual(['a: confirmed'])
    expect(states(await until(isSettledRun, { ...second, runId: 'on' }))).toEqual(['a: superseded'])
    expect(ids()).toEqual(['off-1-r'])
  })

  it('does not wait for an output that needs confirmation, or for a scene run by a person', async () => {
    await building.addDevice('contact', '517')
    site.connect(false)
    await ofRule({ actions: [action('contact', { Values: { Switch: 1 }, IfOffline: 'catchUp' })] })
    expect(states(await ended())).toEqual(['contact: hubOffline'])
    await run({ runId: 'press', actions: [action('a')] })
    expect(states(await ended('press'))).toEqual(['a: hubOffline'])
  })

  it('is sent although its gateway dies at any statement, if the hub reconnects within the grace period', async () => {
    const { tenant, homeId } = building
    let reached = true
    // Waiting repeats the same few statements, so not each of them is tried.
    for (let dies = 1; reached; dies += dies < 16 ? 1 : 40) {
      const runId = `w${dies}`
      const dying = site.start({ failsAfter: dies })
      site.connect(false)
      site.sent.length = 0
      for (const uid of ['a', 'b']) await site.setStatus(uid, { Switch1: 0 })
      const planned = personRun(
        {
          ...{ tenant, homeId, runId, by: null, automationId: `rule${dies}`, cause: 'condition' },
          ...{ actions: [action('a'), action('b', { After: 1 })], ...WAITS() },
        },
        clock.now(),
      )
      await db.transaction((tx) => first.runs.plan(tx, planned))
      dying.runs.begin(tenant, runId)
      const back = clock.now() + 60_000
      const done = await until(isSettledRun, {
        runId,
        async pass() {
          clock.advance(2_000)
          if (clock.now() >= back) site.connect(true)
          if (dying.isDead()) await first.runs.sweeping.run()
        },
      })
      reached = dying.isDead()
      expect([dies, ...states(done)]).toEqual([dies, 'a: confirmed', 'b: confirmed'])
      expect(site.sent.map(({ PeripheralUID }) => PeripheralUID).toSorted()).toEqual(['a', 'b'])
      expect(dies).toBeLessThan(400)
    }
  })
})

describe('a restoring run', () => {
  const back = (cause: 'undo' | 'off' | 'end') => run({ runId: 'back', cause, restores: 'r' })

  it('restores the previous values, except those changed manually since', async () => {
    for (const uid of ['a', 'b']) await site.setStatus(uid, { Switch1: 0, Switch2: 1 })
    await run({ actions: [action('a'), action('b')] })
    await ended()
    await site.setStatus('b', { Switch1: 0 })
    await back('undo')
    const over = await ended('back')
    expect(over.steps.map(({ uid, values, end }) => [uid, values, end?.state])).toEqual([
      ['a', { Switch1: 0 }, 'confirmed'],
      ['b', { Switch1: 1 }, 'left'],
    ])
    expect(over.state).toBe('done')
  })

  describe('checks who changed the value since', () => {
    const before = async () => {
      await syncStateFields(db)
      await site.setStatus('a', { Switch1: 0 })
    }
    const rule = { automationId: 'rule', sceneId: null, by: null, cause: 'condition' } as const
    const backOf = async (restores = 'r') => {
      clock.advance(1_000)
      await run({ ...rule, runId: 'back', cause: 'end', restores })
      const over = await ended('back', 1_000)
      return over.steps.map(({ uid, end }) => `${uid}: ${end?.state}`)
    }

    it('and leaves a value that a scene has set again', async () => {
      await before()
      await run({ ...rule, actions: [action('a')] })
      await ended()
      clock.advance(1_000)
      await run({ runId: 'press', actions: [action('a')] })
      await ended('press')
      expect(await backOf()).toEqual(['a: left'])
    })

    it('and leaves a value that a person has set again', async () => {
      await before()
      await run({ ...rule, actions: [action('a')] })
      await ended()
      clock.advance(1_000)
      const { tenant, homeId } = building
      const hand = { tenant, homeId, RequestID: 'hand', PeripheralUID: 'a', Values: { Switch1: 1 } }
      await first.control.request({ ...hand, at: clock.now(), source: 'person', by: 'Bob' })
      expect(await backOf()).toEqual(['a: left'])
    })

    it('and leaves a value that was switched off and on at the device', async () => {
      await before()
      await run({ ...rule, actions: [action('a')] })
      await ended()
      for (const Switch1 of [0, 1]) {
        clock.advance(1_000)
        await site.setStatus('a', { Switch1 })
      }
      expect(await backOf()).toEqual(['a: left'])
    })

    it('and restores a value that only its own rule or a failed command has set again', async () => {
      await before()
      await run({ ...rule, actions: [action('a')] })
      await ended()
      clock.advance(1_000)
      await run({ ...rule, runId: 'again', actions: [action('a')] })
      await ended('again')
      clock.advance(1_000)
      site.hub('refuse')
      await run({ runId: 'press', actions: [action('a')] })
      expect(states(await ended('press'))).toEqual(['a: hubRefused'])
      site.hub('obey')
      expect(await backOf()).toEqual(['a: confirmed'])
    })

    it('and never changes a value that its own command did not set', async () => {
      await before()
      site.hub('refuse')
      await run({ ...rule, actions: [action('a')] })
      await ended()
      site.hub('obey')
      clock.advance(1_000)
      await site.setStatus('a', { Switch1: 1 })
      expect(await backOf()).toEqual([])
    })
  })

  it('at the end of hours switches off what the run had switched on', async () => {
    await site.setStatus('a', { Switch1: 1, Switch2: 1 })
    await run({ actions: [action('a', { Values: { Switch1: 1, Switch2: 0 } })] })
    await ended()
    await back('off')
    expect((await ended('back')).steps[0]?.values).toEqual({ Switch1: 0 })
  })

  it('is skipped with a reason if nothing is left to restore', async () => {
    await site.setStatus('a', { Switch1: 0 })
    await run({ actions: [action('a')] })
    await ended()
    await site.setStatus('a', { Switch1: 0 })
    await back('end')
    expect(await ended('back')).toMatchObject({ state: 'skipped', reason: 'handHadChangedIt' })
  })
})

describe('a gateway that dies during a run', () => {
  it('at any statement leaves a run that another gateway completes without sending a command twice', async () => {
    let reached = true
    for (let dies = 1; reached; dies++) {
      const runId = `k${dies}`
      const dying = site.start({ failsAfter: dies })
      site.sent.length = 0
      const planned = personRun(
        {
          tenant: building.tenant,
          homeId: building.homeId,
          runId,
          by: 'Ann',
          actions: [action('a'), action('b', { After: 1 })],
        },
        clock.now(),
      )
      await db.transaction((tx) => first.runs.plan(tx, planned))
      dying.runs.begin(building.tenant, runId)
      clock.advance(0)
      const over = until(isOver, { runId, pass: () => clock.advance(500) })
      await Promise.race([dying.death, over])
      reached = dying.isDead()
      if (reached) {
        clock.advance(40_000)
        await first.runs.sweeping.run()
      }
      const done = await over
      expect(done.state, `died at statement ${dies}`).toMatch(/done|partly|failed/)
      expect(new Set(ids()).size, `died at statement ${dies}`).toBe(site.sent.length)
      for (const { n, uid } of done.steps) {
        const mine = site.sent.filter(({ PeripheralUID }) => PeripheralUID === uid)
        expect(mine.every(({ RequestID }) => [`${runId}-${n}`, `${runId}-${n}-r`].includes(RequestID))).toBe(
          true,
        )
      }
      expect(dies).toBeLessThan(80)
    }
  })
})

describe('a run of a rule with notifications', () => {
  const Notify = { To: 'readers', Text: '' }
  const addRule = () =>
    db.query(sql`insert into automations (tenant, automation_id, home_id, automation_type, automation_name, description, enabled,
        rule, created_at)
      values (${building.tenant}, 'rule', ${building.homeId}, 3, 'Rule', '', true,
        ${JSON.stringify({ Actions: [], EndActions: 'restore', Notify })}::jsonb, 0)`)
  const runRule = (uids: readonly string[]) =>
    run({ automationId: 'rule', sceneId: null, cause: 'condition', actions: uids.map((uid) => action(uid)) })

  it('reports once that some of it failed', async () => {
    await addRule()
    site.hub(({ PeripheralUID }) => (PeripheralUID === 'b' ? 'refuse' : 'obey'))
    await runRule(['a', 'b'])
    expect((await ended('r', 1_000)).state).toBe('partly')
    expect(first.notices).toMatchObject([
      { kind: 'ruleFailed', severity: 'warning', values: { subject: 'Rule', failed: 1, total: 2 } },
    ])
  })

  it('sends nothing if all was done, and ends immediately if there was nothing to do', async () => {
    await addRule()
    await runRule(['a'])
    expect((await ended()).state).toBe('done')
    await run({ runId: 'idle', automationId: 'rule', sceneId: null, cause: 'condition', actions: [] })
    expect((await ended('idle')).state).toBe('done')
    expect(first.notices).toEqual([])
  })
})
