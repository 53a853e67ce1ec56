import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MAX_SHELVE_MS, MAX_COMMENTS } from '../../../../contract/alarms/calls.ts'
import { deriveKey } from '../../../../gateway/lib/seal.ts'
import { writeLink } from '../../../../gateway/features/alarms/alarm-actions.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { SECRET } from '../../../support/user-pool.ts'
import { type Caller, rights } from '../../../support/world.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'
import { startWatching, type Watching } from './watching.ts'

let all: AlarmsWorld
let watching: Watching
let operator: Caller
let viewer: Caller
beforeAll(async () => {
  all = await startAlarms()
  watching = startWatching(all)
  operator = await all.world.createUser(all.root, [
    rights('device', 'Read'),
    rights('device_control', 'Control'),
  ])
  viewer = await all.world.createUser(all.root, [rights('device', 'Read')])
})
afterAll(() => all.world.close())
beforeEach(async () => {
  await watching.reset()
  await all.report('smoke', watching.clock.now(), { SmokeState: 3 })
})

const key = async () => ({ HomeID: all.HomeID, AlarmID: (await all.list())[0]?.AlarmID ?? '' })
const post = async (path: string, more: object = {}, caller = operator) =>
  caller.post(path, { ...(await key()), ...more })
const now = () => all.world.clock.now()

describe('shelving', () => {
  const shelve = (more: object = {}, caller = operator) =>
    post('/ShelveAlarm', { Until: now() + 60_000, Reason: 'test of the siren', ...more }, caller)

  it('sets an alarm aside with a reason and sorts it below the ones that need attention', async () => {
    const { results } = await shelve()
    expect(results).toMatchObject({
      Shelved: { At: now(), Until: now() + 60_000, Reason: 'test of the siren' },
      Cleared: null,
    })
    expect(await all.list({ State: 'unacknowledged' })).toEqual([])
    expect(await all.list({ State: 'shelved' })).toHaveLength(1)
    expect((await all.root.post('/ListAlarm', {})).results.Counts).toEqual({
      critical: 1,
      warning: 0,
      unacknowledged: 0,
      shelved: 1,
    })
  })

  it('is rejected beyond 24 hours, for a past time, without a reason, or with read-only rights', async () => {
    expect((await shelve({ Until: now() + MAX_SHELVE_MS + 1 })).status).toMatchObject({
      code: 1,
      fields: { Until: 'tooBig' },
    })
    expect((await shelve({ Until: now() })).status).toMatchObject({ code: 1, fields: { Until: 'past' } })
    expect((await shelve({ Reason: ' ' })).status).toMatchObject({ code: 1 })
    expect((await shelve({}, viewer)).status.code).not.toBe(0)
    expect((await shelve({ Until: now() + MAX_SHELVE_MS })).status.code).toBe(0)
  })

  it('keeps the first of two concurrent requests', async () => {
    const answers = await Promise.all([shelve(), shelve({}, all.root)])
    expect(answers.map(({ status }) => status.code).toSorted()).toEqual([0, 3])
  })

  it('ends by itself and notifies again of alarms that are still on', async () => {
    await shelve()
    await watching.look(60_000)
    expect(await all.list({ State: 'unacknowledged' })).toMatchObject([{ Shelved: null }])
    expect(watching.notices).toMatchObject([{ kind: 'alarmRaised', severity: 'critical' }])
    expect(watching.notices[0]?.unsent).toBeUndefined()
    await watching.look(60_000)
    expect(watching.notices).toHaveLength(1)
  })

  it('ends on time even before any job runs, and can be repeated', async () => {
    await shelve()
    all.world.clock.advance(60_000)
    expect(await all.list({ State: 'shelved' })).toEqual([])
    expect(await all.list({ State: 'unacknowledged' })).toMatchObject([{ Shelved: null }])
    const { Items } = (await all.root.post('/ListAttention', { HomeID: all.HomeID })).results
    expect(Items.filter(({ AlarmID }: { AlarmID: string | null }) => AlarmID)).toMatchObject([
      { Shelved: null },
    ])
    expect((await shelve({ Until: now() + 60_000 })).status).toEqual({ code: 0 })
    expect(await all.list({ State: 'shelved' })).toMatchObject([{ Shelved: { Until: now() + 60_000 } }])
  })

  it('is canceled by a user, once', async () => {
    await shelve()
    expect((await post('/UnshelveAlarm')).results).toMatchObject({
      Shelved: null,
      Withdrawn: [
        { Act: 'shelved', Text: expect.any(String), WithdrawnBy: expect.any(String), WithdrawnAt: now() },
      ],
    })
    expect((await post('/UnshelveAlarm')).status).toMatchObject({ code: 3, fields: { AlarmID: 'changed' } })
  })

  it('suppresses notifications in the meantime', async () => {
    await shelve()
    const say = (SmokeState: number, at: number) =>
      all.world.db.transaction((tx) =>
        watching.updateStateAlarms(
          tx,
          [
            {
              tenant: all.root.tenant,
              homeId: all.HomeID,
              statuses: [
                { PeripheralUID: 'smoke', PeripheralType: '756', Timestamp: at, updateAt: at, SmokeState },
              ],
            },
          ],
          at,
        ),
      )
    await say(1, watching.clock.now() + 1_000)
    await say(3, watching.clock.now() + 2_000)
    expect(watching.notices.map(({ unsent }) => unsent)).toEqual([true, true])
    expect(await all.list()).toMatchObject([{ Count: 2, Shelved: { Reason: 'test of the siren' } }])
  })
})

describe('a comment', () => {
  it('is stored with its author, and markup is treated as text', async () => {
    const Text = '<img src=x onerror=alert(1)> **seen**'
    await post('/CommentAlarm', { Text })
    const { results } = await post('/CommentAlarm', { Text: 'second' }, all.root)
    expect(results.Comments).toMatchObject([{ Text, At: now() }, { Text: 'second' }])
    expect(results.Comments[0].By).not.toBe(results.Comments[1].By)
  })

  it('is rejected after the fiftieth, if empty or too long, and with read-only rights', async () => {
    const many = JSON.stringify(Array.from({ length: MAX_COMMENTS }, () => ({ By: 'x', At: 0, Text: 'x' })))
    await all.world.db.query(sql`update alarms set comments = ${many}::jsonb`)
    expect((await post('/CommentAlarm', { Text: 'x' })).status).toMatchObject({ code: 6 })
    expect((await post('/CommentAlarm', { Text: ' ' })).status.code).toBe(1)
    expect((await post('/CommentAlarm', { Text: 'x'.repeat(501) })).status.code).toBe(1)
    expect((await post('/CommentAlarm', { Text: 'x' }, viewer)).status.code).not.toBe(0)
  })

  it('can be added after the alarm has cleared', async () => {
    await all.report('smoke', watching.clock.now() + 1_000, { SmokeState: 1 })
    expect((await post('/CommentAlarm', { Text: 'burnt toast' })).status.code).toBe(0)
  })
})

describe('the link in a notification', () => {
  const link = async (who: Caller, at = now(), more: object = {}) =>
    writeLink(
      { tenant: who.tenant, alarmId: (await key()).AlarmID, cognitoId: who.cognitoId, at, ...more },
      deriveKey(SECRET, 'alarm-links'),
    )
  const use = (Token: string) => all.world.post('/AcknowledgeAlarmByLink', { Token })

  it('acknowledges once as the person it was issued to, and is audited as theirs', async () => {
    const token = await link(operator)
    expect(token.length).toBeLessThan(512)
    expect((await use(token)).results).toEqual(await key())
    const [alarm] = await all.list()
    expect(alarm?.Acknowledged).not.toBeNull()
    expect((await use(token)).status.code).toBe(3)
    const { Rows } = (await all.root.post('/ListAuditLog', { Path: '/AcknowledgeAlarmByLink' })).results
    expect(Rows[0]).toMatchObject({ ByName: alarm?.Acknowledged?.By, Input: { Token: '***' } })
    const told = all.world.events.filter(({ name }) => name === 'alarmChanged').at(-1)
    expect(told?.event).toMatchObject({ alarm: { News: 'acknowledged' } })
  })

  it('issued before an acknowledgement does not work when the alarm returns', async () => {
    const [first, second] = [await link(operator, now() - 1_000), await link(operator)]
    await use(second)
    await all.report('smoke', watching.clock.now() + 1_000, { SmokeState: 1 })
    await all.report('smoke', watching.clock.now() + 2_000, { SmokeState: 3 })
    expect(await all.list()).toMatchObject([{ Count: 2, Acknowledged: null }])
    for (const old of [first, second]) expect((await use(old)).status.code).toBe(3)
    expect((await use(await link(operator, now() + 5_000))).status.code).toBe(0)
  })

  it('is rejected after losing the right, with a changed token, and for another company', async () => {
    const stranger = await all.world.signUp()
    const tokens = [
      await link(viewer),
      `${await link(operator)}x`,
      'nonsense',
      await link(stranger),
      await link(operator, now(), { tenant: stranger.tenant }),
    ]
    for (const token of tokens) expect((await use(token)).status.code).toBe(2)
    expect((await all.list())[0]?.Acknowledged).toBeNull()
  })

  it('does not work after the alarm has cleared', async () => {
    const token = await link(operator)
    await all.report('smoke', watching.clock.now() + 1_000, { SmokeState: 1 })
    expect((await use(token)).status.code).toBe(3)
  })
})
