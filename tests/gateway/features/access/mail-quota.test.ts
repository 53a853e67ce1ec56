import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { POLL_INTERVAL_MS } from '../../../../gateway/features/bookings/bookings.ts'
import { addConferenceRoom, book } from '../../../support/bookings.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

const HOUR = 3_600_000
let world: World
let root: Caller
beforeAll(async () => {
  const mailQuota = { company: { maxPerHour: 6, maxPerDay: 9 }, recipient: { maxPerHour: 2, maxPerDay: 3 } }
  world = await startWorld({ config: { mailQuota } })
  root = await world.signUp()
})
afterAll(() => world.close())

const register = (Email: string) =>
  root.post('/RegisterVisitor', {
    VisitorName: '王小明',
    Email,
    Phone: '0911222333',
    ValidFrom: world.clock.now(),
    ValidUntil: world.clock.now() + 100 * HOUR,
  })
/** Advances the clock, and signs in again because sessions expire. */
async function pass(ms: number): Promise<void> {
  world.clock.advance(ms)
  root = await world.signIn(root.email, root.password)
}
const refused = { code: ERRORS.LIMIT_EXCEEDED.code, fields: { Email: 'tooManyMails' } }
const sentTo = (to: string) => world.mails.filter((mail) => mail.to === to).length

it('limits emails per address and in total, rejects registrations beyond that and says why', async () => {
  const { VisitorID } = (await register('one@example.com')).results
  expect((await root.post('/MailVisitorPass', { VisitorID })).status.code).toBe(0)
  expect((await root.post('/MailVisitorPass', { VisitorID })).status).toMatchObject(refused)
  expect((await register('ONE@example.com')).status).toMatchObject(refused)
  for (const name of ['a', 'b', 'c', 'd']) expect((await register(`${name}@example.com`)).status.code).toBe(0)
  expect((await register('e@example.com')).status).toMatchObject(refused)
  expect((await root.post('/ListVisitor', {})).results.Total).toBe(5)
  await vi.waitFor(() => expect(world.mails).toHaveLength(6), PATIENT)

  await pass(HOUR)
  expect((await root.post('/MailVisitorPass', { VisitorID })).status.code).toBe(0)
  expect((await root.post('/MailVisitorPass', { VisitorID })).status).toMatchObject(refused)
  for (const name of ['f', 'g']) expect((await register(`${name}@example.com`)).status.code).toBe(0)
  expect((await register('h@example.com')).status).toMatchObject(refused)

  await pass(24 * HOUR)
  expect((await register('h@example.com')).status.code).toBe(0)
})

it('delays meeting invitations beyond the quota and loses none', async () => {
  const owner = await world.signUp()
  const Attendees = Array.from({ length: 7 }, (_, i) => `guest${i}@example.com`)
  await book(owner, world, await addConferenceRoom(owner, 'Quota'), HOUR, { Attendees })
  const invited = () => Attendees.filter((to) => sentTo(to) > 0).length
  await vi.waitFor(() => {
    world.clock.advance(POLL_INTERVAL_MS)
    expect(invited()).toBeGreaterThanOrEqual(5)
  }, PATIENT)
  expect(invited()).toBeLessThan(7)
  await vi.waitFor(() => {
    world.clock.advance(10 * 60_000)
    expect(invited()).toBe(7)
  }, PATIENT)
})
