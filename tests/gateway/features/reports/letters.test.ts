import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { ReportPlan } from '../../../../contract/reports/report-plan.ts'
import type { ReportPorts } from '../../../../gateway/features/reports/ports.ts'
import {
  createReportMailSender,
  type ReportMailDeps,
} from '../../../../gateway/features/reports/report-mail-sender.ts'
import { createDeliveryWorker } from '../../../../gateway/deliveries/worker.ts'
import { queueDueReports } from '../../../../gateway/features/reports/queue-report-mails.ts'
import { NO_LIMIT } from '../../../../gateway/lib/mail/quota.ts'
import type { Mail } from '../../../../gateway/kernel/ports.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { addSite } from '../../../support/stored-energy.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Monday, 5 January 2026, 09:00 in Taipei. */
const NOW = Date.parse('2026-01-05T01:00:00Z')

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
})
afterAll(() => world.close())
beforeEach(async () => {
  root = await world.signUp()
  return () => world.db.query(sql`truncate report_plans, deliveries`)
})

const ask = async (path: string, input: object, by = root) => {
  const { status, results } = await by.post(path, input)
  expect(status).toMatchObject({ code: 0 })
  return results
}

/** Energy port of a company without homes, which is never called. */
const NOTHING = {
  topFindings: async () => [],
  readMissingFactor: async () => null,
} as unknown as ReportPorts

type Sent = Parameters<Mail['send']>[0]

/** Gateway of its own on the database, with a mail server controlled by the test. */
function gatewayAt(clock: HeldClock, send: (mail: Sent) => Promise<void>) {
  const deps = {
    db: world.db,
    clock,
    log: world.log,
    mail: { isDelivered: true, send },
    events: { emit: () => undefined },
    config: {
      mailQuota: { company: NO_LIMIT, recipient: NO_LIMIT },
      publicUrl: 'https://energy.example.com',
    },
  } as unknown as ReportMailDeps
  const worker = createDeliveryWorker(deps, createReportMailSender(deps, NOTHING))
  return {
    look: async () => {
      await queueDueReports(deps, clock)
      await worker.sendDue()
      await worker.idle()
    },
  }
}

const plan = (Recipients: string[], changes: object = {}): Promise<ReportPlan> =>
  ask('/CreateReportPlan', {
    ReportPlanName: 'Board',
    Kind: 'monthly',
    Homes: [],
    Day: 10,
    Recipients,
    Enabled: true,
    ...changes,
  })
const plans = (): Promise<ReportPlan[]> => ask('/ListReportPlan', {})

describe('a report plan', () => {
  it('emails each person once a month in their language, and names those who may not read it', async () => {
    const english = await world.createUser(root, [rights('electricity', 'Read')])
    await ask('/UpdatePersonalConfig', { Language: 'en-US' }, english)
    const visitor = await world.createUser(root, [rights('access_control_visitor', 'Read')])
    const made = await plan([root.cognitoId, english.cognitoId, visitor.cognitoId])
    expect(made).toMatchObject({ NextAt: Date.parse('2026-01-10T00:00:00Z'), Last: null })

    const [clock, mails] = [holdClock(NOW), [] as Sent[]]
    const { look } = gatewayAt(clock, async (mail) => void mails.push(mail))
    clock.advance(5 * DAY - HOUR - 1)
    await look()
    expect(mails).toEqual([])
    clock.advance(1)
    await look()
    await look()
    expect(mails.map(({ to }) => to).toSorted()).toEqual([root.email, english.email].toSorted())
    expect(mails.find(({ to }) => to === english.email)?.subject).toContain('monthly energy report')
    const own = mails.find(({ to }) => to === root.email)
    expect(own?.subject).toContain('用電月報')
    expect(own?.html).toContain('href="https://energy.example.com/CompanyReport/monthly/2025-12"')
    expect(Buffer.byteLength(own?.html ?? '')).toBeLessThan(100_000)
    expect((await plans())[0]).toMatchObject({
      Last: {
        Period: '2025-12',
        Sent: 2,
        Waiting: 0,
        Failed: 0,
        Skipped: [{ Name: visitor.email, Reason: 'right' }],
      },
      NextAt: Date.parse('2026-02-10T00:00:00Z'),
    })
  })

  it('is not listed once deleted, and its waiting emails are not sent', async () => {
    const { ReportPlanID } = await plan([root.cognitoId])
    const [clock, mails] = [holdClock(NOW), [] as Sent[]]
    let isDown = true
    const { look } = gatewayAt(clock, async (mail) => {
      if (isDown) throw new Error('The mail server is away')
      mails.push(mail)
    })
    clock.advance(5 * DAY)
    await look()
    expect((await plans())[0]).toMatchObject({ Last: { Sent: 0, Waiting: 1 } })
    expect(await ask('/DeleteReportPlan', { ReportPlanID })).toEqual({ ReportPlanID })
    expect(await plans()).toEqual([])
    isDown = false
    clock.advance(DAY)
    await look()
    expect(mails).toEqual([])
    expect((await root.post('/DeleteReportPlan', { ReportPlanID })).status).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
    })
  })

  it('sends nothing that was due before it was created, or while it was disabled', async () => {
    const { ReportPlanID } = await plan([root.cognitoId], { Day: 5 })
    await ask('/UpdateReportPlan', { ReportPlanID, Enabled: false })
    const [clock, mails] = [holdClock(NOW), [] as Sent[]]
    const { look } = gatewayAt(clock, async (mail) => void mails.push(mail))
    await look()
    clock.advance(40 * DAY)
    await look()
    expect(mails).toEqual([])
    expect((await plans())[0]).toMatchObject({ Enabled: false, NextAt: null, Last: null })
  })

  it('sends one email after a three-day mail outage', async () => {
    await plan([root.cognitoId], { Day: 6 })
    const [clock, mails] = [holdClock(NOW), [] as Sent[]]
    let isDown = true
    const { look } = gatewayAt(clock, async (mail) => {
      if (isDown) throw new Error('Mail is down')
      mails.push(mail)
    })
    clock.advance(DAY)
    for (let hours = 0; hours < 72; hours += 8) {
      await look()
      clock.advance(8 * HOUR)
    }
    expect((await plans())[0]?.Last).toMatchObject({ Sent: 0, Waiting: 1 })
    isDown = false
    clock.advance(HOUR)
    await look()
    clock.advance(DAY)
    await look()
    expect(mails).toHaveLength(1)
    expect((await plans())[0]?.Last).toMatchObject({ Sent: 1, Waiting: 0 })
  })

  it('gives up after a week, and says so', async () => {
    await plan([root.cognitoId], { Day: 6 })
    const clock = holdClock(NOW)
    const { look } = gatewayAt(clock, async () => {
      throw new Error('Mail is down')
    })
    for (let days = 0; days < 9; days++) {
      clock.advance(DAY)
      await look()
    }
    expect((await plans())[0]?.Last).toMatchObject({ Sent: 0, Waiting: 0, Failed: 1 })
  })

  it('sends the same message again if a gateway ends between sending and recording', async () => {
    await plan([root.cognitoId], { Day: 6 })
    const [clock, mails] = [holdClock(NOW), [] as Sent[]]
    let handed: () => void = () => undefined
    const isHanded = new Promise<void>((resolve) => (handed = resolve))
    // It hands over the email and never continues.
    const killed = gatewayAt(clock, (mail) => {
      mails.push(mail)
      handed()
      return new Promise(() => undefined)
    })
    const other = gatewayAt(clock, async (mail) => void mails.push(mail))
    clock.advance(DAY)
    void killed.look()
    await isHanded
    await other.look()
    expect(mails).toHaveLength(1)
    clock.advance(10 * MINUTE)
    await other.look()
    clock.advance(DAY)
    await other.look()
    expect(mails).toHaveLength(2)
    expect(new Set(mails.map(({ id }) => id)).size).toBe(1)
  })

  it('is emailed once by several gateways in any order', async () => {
    await plan([root.cognitoId, (await world.createUser(root, [rights('electricity', 'Read')])).cognitoId], {
      Day: 6,
    })
    const [clock, mails] = [holdClock(NOW), [] as Sent[]]
    const gateways = Array.from({ length: 3 }, () => gatewayAt(clock, async (mail) => void mails.push(mail)))
    clock.advance(DAY)
    await Promise.all(gateways.map(({ look }) => look()))
    await Promise.all(gateways.map(({ look }) => look()))
    expect(new Set(mails.map(({ to }) => to)).size).toBe(2)
    expect(mails).toHaveLength(2)
  })

  it('sends only the last period after the clock jumped a year, and continues when it is corrected', async () => {
    await plan([root.cognitoId], { Day: 6 })
    const mails: Sent[] = []
    const send = async (mail: Sent) => void mails.push(mail)
    await gatewayAt(holdClock(NOW + 366 * DAY), send).look()
    expect(mails.map(({ id }) => id?.includes('2026-12'))).toEqual([true])
    await gatewayAt(holdClock(NOW + DAY), send).look()
    expect((await plans())[0]).toMatchObject({ NextAt: Date.parse('2026-02-06T00:00:00Z') })
    await gatewayAt(holdClock(Date.parse('2026-02-06T00:00:00Z')), send).look()
    expect(mails.map(({ id }) => id?.includes('2026-01'))).toEqual([false, true])
  })

  it('is rejected for homes and people of other companies, and with a duplicate name', async () => {
    const stranger = await world.signUp()
    const input = {
      ReportPlanName: 'Board',
      Kind: 'monthly',
      Homes: ['none'],
      Day: 1,
      Recipients: [root.cognitoId],
      Enabled: true,
    }
    const refused = async (changes: object) =>
      (await root.post('/CreateReportPlan', { ...input, ...changes })).status
    expect(await refused({})).toMatchObject({
      code: ERRORS.NOT_FOUND.code,
      fields: { 'Homes.0': 'notFound' },
    })
    expect(await refused({ Homes: [], Recipients: [root.cognitoId, stranger.cognitoId] })).toMatchObject({
      fields: { 'Recipients.1': 'notFound' },
    })
    await ask('/CreateReportPlan', { ...input, Homes: [] })
    expect(await refused({ Homes: [] })).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { ReportPlanName: 'taken' },
    })
  })
})

describe('a report sent manually', () => {
  it('is sent to each person who may read it, and names the others', async () => {
    const visitor = await world.createUser(root, [rights('access_control_visitor', 'Read')])
    const { HomeID } = await addSite(root, 'Tower')
    const sent = await ask('/SendReport', {
      HomeID,
      Kind: 'monthly',
      Period: '2025-12',
      Recipients: [root.cognitoId, visitor.cognitoId],
    })
    expect(sent).toEqual({ Letters: 1, Skipped: [{ Name: visitor.email, Reason: 'right' }] })
    const [waiting] = await world.db.query<{ homes: string[]; kind: string }>(
      sql`select payload -> 'homes' as homes, payload ->> 'kind' as kind from deliveries
        where tenant = ${root.tenant} and state = 'waiting'`,
    )
    expect(waiting).toEqual({ homes: [HomeID], kind: 'monthly' })
  })

  it('cannot be used to write to people of other companies', async () => {
    const stranger = await world.signUp()
    const { status } = await root.post('/SendReport', {
      HomeID: null,
      Kind: 'monthly',
      Period: '2025-12',
      Recipients: [stranger.cognitoId],
    })
    expect(status).toMatchObject({ code: ERRORS.NOT_FOUND.code, fields: { Recipients: 'notFound' } })
  })
})
