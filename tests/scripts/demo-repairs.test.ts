import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import type { Call } from '../../scripts/api.ts'
import { readRepairs, repairAcknowledged } from '../../scripts/demo-repairs.ts'

const NOW = Date.parse('2026-11-26T10:00:00+08:00')
const folder = mkdtempSync(join(tmpdir(), 'repairs-'))
afterAll(() => rmSync(folder, { recursive: true }))

let done: string[]
const fleet = {
  powerOn: async (thingName: string) => void done.push(`find ${thingName}`),
  repair: (uid: string) => void done.push(`repair ${uid}`),
}
const acknowledged = (minutesAgo: number) => ({
  By: 'somebody',
  At: NOW - minutesAgo * 60_000,
  Comment: null,
})
const rows = [
  { Kind: 'hubLost', ThingName: 'hub', PeripheralUID: null, Acknowledged: acknowledged(3) },
  { Kind: 'silent', ThingName: null, PeripheralUID: 'meter', Acknowledged: acknowledged(2) },
  { Kind: 'state', ThingName: null, PeripheralUID: 'smoke', Acknowledged: acknowledged(1) },
  { Kind: 'rule', ThingName: null, PeripheralUID: 'charger', Acknowledged: acknowledged(9) },
]
const asked: unknown[] = []
const call = (async (_endpoint: unknown, input: unknown) => {
  asked.push(input)
  return { Rows: rows }
}) as unknown as Call

beforeEach(() => {
  done = []
})

it('sees to what was acknowledged two minutes ago, once, and remembers it for the next start', async () => {
  const file = join(folder, 'repairs.json')
  const repairs = readRepairs(file)
  await repairAcknowledged(call, fleet, repairs, NOW)
  expect(asked).toEqual([{ State: 'acknowledged', Limit: 200 }])
  expect(done).toEqual(['find hub', 'repair meter'])
  await repairAcknowledged(call, fleet, repairs, NOW + 60_000)
  expect(done).toEqual(['find hub', 'repair meter', 'repair smoke'])
  expect([...readRepairs(file).done]).toEqual(['hub', 'meter', 'smoke'])
})
