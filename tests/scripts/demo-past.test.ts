import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { beforeEach, expect, it } from 'vitest'
import { deliverMissed, readPastMark, writePastMark } from '../../scripts/demo-past.ts'
import { createBuilding } from '../../simulator/building/building.ts'
import type { LateStatus } from '../../simulator/building/past-statuses.ts'
import type { Fleet } from '../../simulator/fleet.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'

const NOW = Date.parse('2026-07-15T10:05:00+08:00')
const HOUR = 3_600_000
const devices = demoCompany.homes[2]?.hubs[1]?.devices ?? []
const hub = { rootId: 'root', HomeID: 'home', ThingName: 'hub', Secret: 'secret', devices }

let statuses: LateStatus[]
let readings: number

/** Fleet whose gateway accepts late reports. */
const fleet = {
  deliverLate: (_hub: string, some: unknown[]) => Promise.resolve(void (readings += some.length)),
  deliverLateStatuses: (_hub: string, some: LateStatus[]) => Promise.resolve(void statuses.push(...some)),
} as Partial<Fleet> as Fleet

beforeEach(() => {
  statuses = []
  readings = 0
})

it('sends what was missed since the demo ran last', async () => {
  const remembered = { at: NOW - 2 * HOUR, states: createBuilding(devices, 1).states() }
  await deliverMissed(fleet, [hub], remembered, 1, NOW)
  expect(readings).toBeGreaterThan(0)
  expect(statuses.length).toBeGreaterThan(0)
  expect(statuses.every(({ Timestamp }) => Timestamp > remembered.at && Timestamp < NOW)).toBe(true)
})

it('remembers until when the past goes, and whether the gateway has it', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'demo-past-')), 'mark.json')
  expect(readPastMark(path)).toBeUndefined()
  writePastMark(path, { until: NOW, done: false })
  expect(readPastMark(path)).toEqual({ until: NOW, done: false })
})
