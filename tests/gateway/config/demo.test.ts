import { expect, it } from 'vitest'
import { demoOf } from '../../../gateway/config/demo.ts'
import { shiftClock } from '../../../gateway/kernel/ports.ts'
import { holdClock } from '../../support/clock.ts'
import { startWorld } from '../../support/world.ts'

const DEMO_ACCOUNTS = 'owner@demo.example, viewer@demo.example'
const HOUR = 3_600_000
const NOW = Date.parse('2026-11-22T03:30:00+08:00')

it('lists the accounts of a demo, and nothing of any other installation', () => {
  const settings = { DEMO_ACCOUNTS, DEMO_PASSWORD: 'demo1234', DEMO_CLOCK_AHEAD_MS: -HOUR }
  expect(demoOf({ DEMO: 'true', ...settings })).toEqual({
    ClockAheadMs: -HOUR,
    SignIn: { Emails: ['owner@demo.example', 'viewer@demo.example'], Password: 'demo1234' },
  })
  expect(demoOf({ DEMO: 'false', ...settings })).toBeUndefined()
  expect(demoOf({ DEMO: 'true', DEMO_CLOCK_AHEAD_MS: 0 })).toEqual({ ClockAheadMs: 0 })
})

it.each([
  ['of the demo where it shows another hour', { ClockAheadMs: -HOUR }, NOW - HOUR],
  ['of the machine in any other installation', undefined, undefined],
])('states the time %s in each response', async (_text, demo, stated) => {
  const clock = shiftClock(holdClock(NOW), -HOUR)
  const world = await startWorld({ clock, config: { demo } })
  const answer = await world.gateway.http.inject({ url: '/config.json' })
  expect(answer.json().Demo).toEqual(demo)
  const { headers } = await world.gateway.http.inject({ method: 'POST', url: '/ListHome', payload: {} })
  const date = String(answer.headers['date'])
  expect(headers['date']).toBe(stated === undefined ? headers['date'] : date)
  expect(stated === undefined || Date.parse(date) === stated).toBe(true)
  await world.close()
})
