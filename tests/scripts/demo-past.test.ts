import { beforeEach, expect, it, vi } from 'vitest'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { findings } from '../../contract/findings/calls.ts'
import { home } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import type { Call } from '../../scripts/api.ts'
import { fillPast, type PastMark } from '../../scripts/demo-past.ts'
import { createBuilding } from '../../simulator/building/building.ts'
import type { Fleet } from '../../simulator/fleet.ts'
import { ALL_PORTIONS, type LateStatus } from '../../simulator/building/past-statuses.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'

const NOW = Date.parse('2026-07-15T10:05:00+08:00')
const HOUR = 3_600_000
const devices = demoCompany.homes[2]?.hubs[1]?.devices ?? []
const hub = {
  rootId: 'root',
  HomeID: 'home',
  ThingName: 'hub',
  Secret: 'secret',
  devices,
}

let statuses: LateStatus[]
let readings: number
let marks: PastMark[]
let lost: string[]
const printed: string[] = []

/** Fleet whose gateway accepts late reports. */
const fleet = {
  deliverLate: (_hub: string, some: unknown[]) => Promise.resolve(void (readings += some.length)),
  powerOff: (thingName: string) => void lost.push(thingName),
  deliverLateStatuses: (_hub: string, some: LateStatus[]) => Promise.resolve(void statuses.push(...some)),
} as Partial<Fleet> as Fleet
const call = (() => Promise.reject(new Error('Not expected'))) as unknown as Call
const common = {
  fleet,
  hubs: [hub],
  call,
  seed: 1,
  now: NOW,
  incidents: {},
  measures: {},
  lostHubNames: [],
  saveMark: (mark: PastMark) => void marks.push(mark),
}

beforeEach(() => {
  statuses = []
  readings = 0
  marks = []
  lost = []
  printed.length = 0
  vi.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text))
})

it('goes on with the states where it was broken off, and then has nothing left to send', async () => {
  const past = { until: NOW, done: true, statuses: ALL_PORTIONS - 1 }
  await fillPast({ ...common, previousMemory: undefined, past })
  expect(statuses.length).toBeGreaterThan(devices.length)
  expect(readings).toBe(0)
  expect(marks.at(-1)).toEqual({
    until: NOW,
    done: true,
    statuses: ALL_PORTIONS,
    lostHubNames: true,
    measures: true,
  })
  expect(printed.filter((text) => text.includes('States'))).toHaveLength(2)

  statuses = []
  await fillPast({ ...common, previousMemory: undefined, past: marks.at(-1) as PastMark })
  expect(statuses).toEqual([])
})

it('records what people did to save energy once all of the energy is there, and never again', async () => {
  const sent: unknown[] = []
  const answers: Record<string, unknown> = {
    [home.operations.list.path]: [{ HomeID: 'home', HomeName: '工廠', TimeZone: 'Asia/Taipei' }],
    [peripheral.operations.list.path]: { Peripherals: devices },
  }
  const told = (async ({ path }: AnyEndpoint, input: unknown) => {
    if (path === findings.recordMeasure.path) sent.push(findings.recordMeasure.input.parse(input))
    return answers[path]
  }) as unknown as Call
  const [meter] = devices
  const measures = { 工廠: { name: '換燈具', meter: meter?.PeripheralName ?? '', day: 100 } }
  const options = { ...common, call: told, measures, previousMemory: undefined }
  await fillPast({ ...options, past: { until: NOW, done: true, statuses: ALL_PORTIONS - 1 } })
  await fillPast({ ...options, past: { ...(marks.at(-1) as PastMark), statuses: ALL_PORTIONS - 1 } })
  expect(sent).toEqual([
    { HomeID: 'home', MeterID: meter?.PeripheralUID, MeasureName: '換燈具', DoneOn: '2026-04-06' },
  ])
})

it('lets a lost hub tell all that it was before it loses it, and nothing after', async () => {
  const told: number[] = []
  const losing = {
    ...fleet,
    deliverLateStatuses: (_hub: string, some: LateStatus[]) => Promise.resolve(void told.push(some.length)),
    powerOff: () => void told.push(-1),
  }
  const past = { until: NOW, done: true, statuses: ALL_PORTIONS - 1 }
  const few = devices.slice(0, 2)
  const options = { ...common, fleet: losing, hubs: [{ ...hub, devices: few }], lostHubNames: ['hub'] }
  await fillPast({ ...options, previousMemory: undefined, past })
  expect(told.at(-1)).toBe(-1)
  expect(told.length).toBeGreaterThan(60)

  told.length = 0
  await fillPast({ ...options, previousMemory: undefined, past: marks.at(-1) as PastMark })
  expect(told).toEqual([-1])
})

it('sends what was missed since the demo ran last, and nothing of the past where there is no room for one', async () => {
  const remembered = { at: NOW - 2 * HOUR, states: createBuilding(devices, 1).states() }
  await fillPast({ ...common, previousMemory: remembered, past: undefined })
  expect(readings).toBeGreaterThan(0)
  expect(statuses.length).toBeGreaterThan(0)
  expect(statuses.every(({ Timestamp }) => Timestamp > remembered.at && Timestamp < NOW)).toBe(true)
  expect(printed).toEqual([])
})

it('says that it could not fill the past in, for the next start to try again', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const lost = { ...fleet, deliverLateStatuses: () => Promise.reject(new Error('lost')) }
  await fillPast({ ...common, fleet: lost, previousMemory: undefined, past: { until: NOW, done: true } })
  expect(errors).toHaveBeenCalledWith(expect.stringContaining('the next start tries again'))
  expect(marks).toEqual([])
})
