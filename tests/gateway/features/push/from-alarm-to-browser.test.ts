import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type PushBrowser, type PushService, startPushService } from '../../../support/push-service.ts'
import { type Caller, rights } from '../../../support/world.ts'
import { type AlarmsWorld, startAlarms } from '../alarms/alarms-world.ts'
import { enable } from './push-world.ts'

const SECOND = 1_000
const HOUR = 3_600 * SECOND
const NOT_FOUND = 2
const CONFLICT = 3

let service: PushService
let all: AlarmsWorld

beforeAll(async () => {
  service = await startPushService()
  all = await startAlarms({ config: { pushHosts: service.host, pushSubject: 'mailto:push@example.com' } })
})
afterAll(async () => {
  await all.world.close()
  await service.close()
})

const ACT = [rights('device', 'Read'), rights('device_control', 'Control')]

/** Person of the company whose browser is subscribed to alarms. */
async function addListener(browser = service.subscribe()): Promise<{ person: Caller; browser: PushBrowser }> {
  const person = await all.world.createUser(all.root, ACT)
  await all.world.db.query(sql`
    insert into personal_configs (tenant, cognito_id, notification, custom_dashboard, decimal_precision, language)
    values (${person.tenant}, ${person.cognitoId}, true, 'DEFAULT', 2, 'en-US')`)
  await enable(person, browser.info)
  return { person, browser }
}

/** As `look`, while the gateway's clock advances. */
const soon = (look: () => unknown) => () => {
  all.world.clock.advance(SECOND)
  return look()
}
let reported = 0
/** Reports new smoke; a separate alarm each time. */
async function smoke(): Promise<void> {
  await all.world.db.query(sql`delete from alarms`)
  reported = Math.max(reported + SECOND, all.world.clock.now() - SECOND)
  await all.report('smoke', reported, { SmokeState: 1 })
  reported += 1
  await all.report('smoke', reported, { SmokeState: 3 })
}

interface Link {
  token: string
  apiKey: string
}
const tokenIn = ({ messages }: PushBrowser): Link =>
  JSON.parse(messages[0]?.payload ?? '{}').notification.data.acknowledge

describe('the token in a notification', () => {
  let person: Caller
  let browser: PushBrowser
  beforeEach(async () => {
    ;({ person, browser } = await addListener())
  })

  /** Content of the message in the browser's worker, and the request after a tap. */
  async function receive() {
    await smoke()
    await expect.poll(soon(() => browser.messages.length)).toBe(1)
    return tokenIn(browser)
  }
  const tap = ({ token, apiKey }: Link) =>
    all.world.post('/AcknowledgeAlarmByLink', { Token: token }, { 'x-api-key': apiKey })
  const alarm = async () => (await all.list())[0]

  it("acknowledges the alarm once, in the person's name", async () => {
    const acknowledge = await receive()
    const { status, results } = await tap(acknowledge)
    expect(status.code).toBe(0)
    expect(results).toEqual({ HomeID: all.HomeID, AlarmID: (await alarm())?.AlarmID })
    expect((await alarm())?.Acknowledged?.By).toBe(person.email)
    const { Rows } = (await all.root.post('/ListAuditLog', { Path: '/AcknowledgeAlarmByLink' })).results
    expect(Rows[0].ByName).toBe(person.email)
    expect((await tap(acknowledge)).status.code).toBe(CONFLICT)
  })

  it('is rejected for a person who lost the right or was disabled', async () => {
    const acknowledge = await receive()
    await all.world.db.query(
      sql`update users set permissions = ${JSON.stringify([rights('device', 'Read')])} where cognito_id = ${person.cognitoId}`,
    )
    expect((await tap(acknowledge)).status.code).toBe(NOT_FOUND)
    await all.world.db.query(sql`update users set permissions = ${JSON.stringify(ACT)}, enabled = false
      where cognito_id = ${person.cognitoId}`)
    expect((await tap(acknowledge)).status.code).toBe(NOT_FOUND)
    expect((await alarm())?.Acknowledged).toBeNull()
  })

  it('expires after 24 hours', async () => {
    const second = await addListener()
    const acknowledge = await receive()
    await expect.poll(soon(() => second.browser.messages.length)).toBe(1)
    const tooLate = tokenIn(second.browser)
    all.world.clock.advance(24 * HOUR - 60 * SECOND)
    expect((await tap(acknowledge)).status.code).toBe(0)
    all.world.clock.advance(60 * SECOND)
    expect((await tap(tooLate)).status.code).toBe(NOT_FOUND)
  })
})

it('delays only two messages for a push service that does not respond, whoever they are for', async () => {
  const slow = await startPushService()
  const hosts = `${service.host},${slow.host}`
  await all.world.close()
  all = await startAlarms({ config: { pushHosts: hosts, pushSubject: 'mailto:push@example.com' } })
  for (let i = 0; i < 5; i++) (await addListener(slow.subscribe())).browser.answers = 'hang'
  const quick = [await addListener(), await addListener(), await addListener()]
  await smoke()
  await expect.poll(soon(() => quick.map(({ browser }) => browser.messages.length))).toEqual([1, 1, 1])
  expect(slow.requests).toBe(2)
  await slow.close()
})
