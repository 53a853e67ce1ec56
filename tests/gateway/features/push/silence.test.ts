import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { enable, type PushWorld, startPushWorld, targetOf } from './push-world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let world: PushWorld

beforeAll(async () => {
  world = await startPushWorld()
})
afterAll(() => world.close())

/** As `look`, after a time in which the hourly jobs may have run. */
const later = (look: () => Promise<unknown>) => () => {
  world.clock.advance(HOUR / 4)
  return look()
}

it('keeps a browser when its sign-in expires, and deletes it after 60 days without registration', async () => {
  const root = await world.signUp()
  await enable(root, world.service.subscribe().info)
  const target = await targetOf(world, root)
  const targets = () => world.way.readTargets(world.db, root.tenant, [root.cognitoId])
  const sessions = () => world.db.query(sql`select 1 from sessions where cognito_id = ${root.cognitoId}`)
  const rows = () => world.db.query(sql`select 1 from push_subscriptions where subscription_id = ${target}`)
  world.clock.advance(30 * DAY - 4 * HOUR)
  await expect.poll(later(sessions)).toEqual([])
  expect(await targets()).toHaveLength(1)
  world.clock.advance(30 * DAY)
  expect(await targets()).toEqual([])
  await expect.poll(later(rows)).toEqual([])
})
