import { expect, it } from 'vitest'
import { createThrottle } from '../../../gateway/lib/throttle.ts'
import { holdClock } from '../../support/clock.ts'

it('waits no longer than its interval if the clock is set back while a task runs', async () => {
  const held = holdClock()
  let behind = 0
  const ran: string[] = []
  const pacer = createThrottle<string>(
    { now: () => held.now() - behind, after: held.after },
    () => 100,
    async (key) => {
      ran.push(key)
      behind = 3_600_000
    },
  )
  pacer.request('home')
  await new Promise(setImmediate)
  pacer.request('home')
  held.advance(100)
  expect(ran).toEqual(['home', 'home'])
  pacer.close()
})
