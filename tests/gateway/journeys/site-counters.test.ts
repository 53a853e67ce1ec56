import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { startWorld, type World } from '../../support/world.ts'

/** External program in another language that knows of the product only docs/hub-protocol.md and docs/energy.md. */
const SCRIPT = new URL('./site_counters.py', import.meta.url).pathname
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython)
  console.warn('SKIPPED: counters that a program in another language sends and adds up need python3')

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: systemClock, broker: 'embedded' })
})
afterAll(() => world?.close())

interface Told {
  /** Differences in kWh between responses and the script's own sums, by query. */
  apart: Record<string, number>
  /** Readings, falls of a counter, and quarters of an hour in which a term of the balance is unknown. */
  sent: number
  falls: number
  unknown: number
  kWh: number
}

describe.skipIf(!hasPython)('meters reported and added up by a program in another language', () => {
  it('have the same import, export, generation and consumption, by quarter and by month', async () => {
    const owner = await world.signUp()
    const url = await world.gateway.listen(0, '127.0.0.1')
    const run = promisify(execFile)('python3', [SCRIPT, url, owner.token, String(world.hubPort)])
    const told = JSON.parse((await run).stdout) as Told
    expect(Object.entries(told.apart).filter(([, kWh]) => !(kWh < 1e-6))).toEqual([])
    // Four terms by four resolutions, in total and by each but the month, and four series.
    expect(Object.keys(told.apart)).toHaveLength(4 + 3 * 4 + 4)
    expect(told.sent).toBeGreaterThan(1_500)
    expect(told.falls).toBeGreaterThan(5)
    expect(told.unknown).toBeGreaterThan(0)
    expect(told.kWh).toBeGreaterThan(500)
  })
})
