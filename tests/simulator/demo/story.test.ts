import { describe, expect, it } from 'vitest'
import type { MeterReading } from '../../../contract/meters/channels.ts'
import { createBuilding } from '../../../simulator/building/building.ts'
import { pastOf } from '../../../simulator/building/past.ts'
import { pastStatusesOf } from '../../../simulator/building/past-statuses.ts'
import { type Defect, isActive } from '../../../simulator/scenarios/profiles.ts'
import { demoCompany, type DemoDevice } from '../../../simulator/demo/demo.ts'
import { presence } from '../../../simulator/scenarios/office.ts'
import { QUIET, storyOf, withStory } from '../../../simulator/demo/story.ts'
import { isWorkday, localTime } from '../../../simulator/scenarios/taiwan.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const QUARTER = HOUR / 4
/** Thursday, 10:05 in Taipei. */
const UNTIL = Date.parse('2026-11-26T10:05:00+08:00')
const MIDNIGHT = Date.parse('2026-11-26T00:00:00+08:00')
const story = storyOf(UNTIL)
const hubs = demoCompany.homes.flatMap((home) => home.hubs)

const hubOf = (name: string) =>
  hubs.find(({ devices }) => devices.some(({ PeripheralName }) => PeripheralName === name))?.devices ?? []
const named = (devices: readonly DemoDevice[], name: string) =>
  devices.find(({ PeripheralName }) => PeripheralName === name) as DemoDevice

/** Device with a name and the devices of its `feeds`, as its hub has them in a story. */
function partsOf(name: string, told = story): DemoDevice[] {
  const devices = hubOf(name)
  const device = named(devices, name)
  const fed = new Set(device.scenario.feeds)
  return withStory(devices, told).filter(
    ({ PeripheralUID, PeripheralName, scenario }) =>
      PeripheralName === name ||
      fed.has(PeripheralUID) ||
      (PeripheralName.includes('接點') && scenario.profile === 'untouched'),
  )
}

/** Energy of a meter in each quarter of an hour of the last days, kWh by start time. */
function counted(name: string, days: number, told = story): Map<number, number> {
  const devices = partsOf(name, told)
  const uid = named(devices, name).PeripheralUID
  const readings: MeterReading[] = []
  let left = days
  for (const portion of pastOf(devices, UNTIL, 1)) {
    readings.push(...portion.filter(({ PeripheralUID }) => PeripheralUID === uid))
    if (--left === 0) break
  }
  const sorted = readings.toSorted((a, b) => a.Timestamp - b.Timestamp)
  return new Map(
    sorted.flatMap(({ Timestamp, AccumulatePower }, i) => {
      const next = sorted[i + 1]
      return next ? [[Timestamp, next.AccumulatePower - AccumulatePower] as const] : []
    }),
  )
}

/** Mean kW between two hours of a night or day, a number of days ago. */
function meanKw(of: ReadonlyMap<number, number>, daysAgo: number, from: number, to: number): number {
  let sum = 0
  for (
    let at = MIDNIGHT - daysAgo * DAY + from * HOUR;
    at < MIDNIGHT - daysAgo * DAY + to * HOUR;
    at += QUARTER
  )
    sum += of.get(at) ?? NaN
  return sum / (to - from)
}

const days = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

describe('the past of the demo has what its story tells', () => {
  it('the sockets of the third floor leak 5.4 kW in 19 nights, and did not before', () => {
    const told = counted('三樓插座迴路', 42)
    const night = (daysAgo: number) => meanKw(told, daysAgo, 1, 5)
    for (const daysAgo of days(0, 19)) expect(night(daysAgo)).toBeGreaterThan(6)
    for (const daysAgo of days(20, 40)) expect(night(daysAgo)).toBeLessThan(2.2)
    expect(median(days(0, 7).map(night)) - median(days(20, 40).map(night))).toBeCloseTo(5.4, 1)
  })

  it('the second compressor ran through the last ten nights, and before by day alone', () => {
    const told = counted('二號空壓機', 16)
    for (const daysAgo of days(0, 10)) expect(meanKw(told, daysAgo, 0, 6)).toBeGreaterThan(52)
    for (const daysAgo of days(10, 15)) expect(meanKw(told, daysAgo, 0, 8)).toBeLessThan(1)
    const workdays = days(1, 15).filter((daysAgo) => isWorkday(localTime(MIDNIGHT - daysAgo * DAY)))
    for (const daysAgo of workdays) expect(meanKw(told, daysAgo, 9, 21)).toBeGreaterThan(25)
  })

  it('the first compressor took more until a hundred days ago, on Sundays most', () => {
    const devices = partsOf('一號空壓機')
    const uid = named(devices, '一號空壓機').PeripheralUID
    const readings = [...pastOf(devices, UNTIL, 1)]
      .flat()
      .filter(({ PeripheralUID }) => PeripheralUID === uid)
      .toSorted((a, b) => a.Timestamp - b.Timestamp)
    const at = (moment: number) =>
      readings.find(({ Timestamp }) => Timestamp === moment)?.AccumulatePower as number
    const weeks = (from: number, count: number) =>
      (at(MIDNIGHT - (from - count * 7) * DAY) - at(MIDNIGHT - from * DAY)) / count
    const [before, after] = [weeks(128, 4), weeks(100, 4)]
    expect(after).toBeLessThan(0.87 * before)
    expect(after).toBeGreaterThan(0.7 * before)
    // Four months on each side, enough to learn the usual values.
    expect(readings[0]?.Timestamp).toBeLessThan(MIDNIGHT - 300 * DAY)
  })

  it('the lights of the hall stay on after work, three hours and more, on days of every fortnight', () => {
    const told = counted('理貨區照明迴路', 29)
    const late = days(1, 29).filter((daysAgo) => meanKw(told, daysAgo, 20, 23.5) > 4)
    for (const from of [1, 8, 15])
      expect(late.filter((daysAgo) => daysAgo >= from && daysAgo < from + 14).length).toBeGreaterThanOrEqual(
        3,
      )
    expect(late.every((daysAgo) => isWorkday(localTime(MIDNIGHT - daysAgo * DAY)))).toBe(true)
    expect(late.length).toBeLessThan(20)
    // On Saturday nights the lights are off.
    expect(meanKw(told, 5, 20, 23.5)).toBeLessThan(0.1)
  })

  it('a meeting room that hardly anybody uses is cooled all day', () => {
    const told = counted('洽談室冷氣', 29)
    const workdays = days(1, 29).filter((daysAgo) => isWorkday(localTime(MIDNIGHT - daysAgo * DAY)))
    let [empty, all] = [0, 0]
    for (const [at, kwh] of told) {
      all += kwh
      if (presence(1, '洽談室', at) === 0 && presence(1, '洽談室', at - HOUR / 2) === 0) empty += kwh
    }
    for (const daysAgo of workdays) expect(meanKw(told, daysAgo, 9, 19)).toBeGreaterThan(2)
    expect(empty / all).toBeGreaterThan(0.8)
  })

  it('a water dispenser was not heard of for two hours, nor a meter for a week', () => {
    const devices = partsOf('茶水間飲水機')
    const [today] = pastOf(devices, UNTIL, 1)
    const uid = named(devices, '茶水間飲水機').PeripheralUID
    const own = today?.filter(({ PeripheralUID }) => PeripheralUID === uid) ?? []
    expect(own.at(-1)?.Timestamp).toBe(MIDNIGHT + 8 * HOUR)
    expect(story.incidents).toHaveProperty('堆高機充電站', { kind: 'silent', fromDay: 24, throughDay: 18 })
  })

  it('has none of it when it is quiet, but for a meter that was replaced', () => {
    const told = counted('三樓插座迴路', 8, QUIET)
    for (const daysAgo of days(0, 7)) expect(meanKw(told, daysAgo, 1, 5)).toBeLessThan(2.2)
    const hall = counted('理貨區照明迴路', 15, QUIET)
    for (const daysAgo of days(1, 15)) expect(meanKw(hall, daysAgo, 21, 23.5)).toBeLessThan(0.1)
    for (const { devices } of hubs)
      for (const { scenario } of withStory(devices, QUIET)) expect(scenario.defects).toBeUndefined()
    expect(Object.values(QUIET.incidents).map(({ kind }) => kind)).toEqual(['replaced'])
    expect([QUIET.lostHubs, QUIET.terms]).toEqual([[], {}])
  })
})

describe('the story', () => {
  it('names devices, hubs and homes that there are', () => {
    const names = hubs.flatMap(({ devices }) => devices.map(({ PeripheralName }) => PeripheralName))
    for (const name of [...Object.keys(story.defects), ...Object.keys(story.incidents)])
      expect(names.filter((one) => one === name)).toEqual([name])
    for (const name of story.lostHubs) expect(hubs.map(({ DeviceName }) => DeviceName)).toContain(name)
    for (const name of Object.keys(story.terms))
      expect(demoCompany.homes.map(({ HomeName }) => HomeName)).toContain(name)
  })

  it('loses no hub on which a meter stands: demand and contracts go on being known', () => {
    const lost = hubs.filter(({ DeviceName }) => story.lostHubs.includes(DeviceName))
    const theirs = lost.flatMap(({ devices }) => devices)
    expect(theirs.length).toBeGreaterThan(0)
    expect(theirs.filter(({ scenario }) => scenario.wiring?.kwh !== undefined)).toEqual([])
  })

  it('is told in the past and live by one clock, wherever one begins to look', () => {
    const defect: Defect = { from: MIDNIGHT - 3 * DAY, hours: [22, 6] }
    const at = (daysAgo: number, hour: number) =>
      isActive(defect, 1, 'key', MIDNIGHT - daysAgo * DAY + hour * HOUR)
    expect([at(4, 23), at(3, 21.9), at(3, 22), at(2, 5.9), at(2, 6), at(-3, 23)]).toEqual([
      false,
      false,
      true,
      true,
      false,
      true,
    ])
  })
})

/** Simulates a hub's building from a time on, with occupants; returns access to its devices. */
function living(name: string, at: number) {
  const devices = withStory(hubOf(name), story)
  const building = createBuilding(devices, 1)
  let now = at
  return {
    building,
    uid: (of: string) => named(devices, of).PeripheralUID,
    pass(seconds: number) {
      building.step(seconds, now)
      now += seconds * 1000
      return building
    },
    report: (of: string) => building.report(named(devices, of).PeripheralUID) ?? {},
  }
}

describe('what is wrong ends when somebody does the right thing', () => {
  const night = MIDNIGHT + DAY - HOUR

  it.each([
    ['三樓插座迴路', '三樓插座夜間斷電接點', { Switch: 1 }, 5_000],
    ['二號空壓機', '空壓機遠端停機接點', { Switch: 1 }, 5_000],
  ])('%s by the command to %s', (meter, contact, values, less) => {
    const told = living(meter, night)
    told.pass(60)
    const before = told.report(meter)['Power'] as number
    told.building.command(told.uid(contact), values)
    // A compressor loads and unloads.
    const after = days(0, 20).map(() => {
      told.pass(60)
      return told.report(meter)['Power'] as number
    })
    expect(before - Math.min(...after)).toBeGreaterThan(less)
  })

  it('cooling, by switching off its socket, and not again on the next day', () => {
    const told = living('洽談室冷氣', MIDNIGHT + 11 * HOUR)
    told.pass(60)
    told.pass(60)
    expect(told.report('洽談室冷氣')['Power']).toBeGreaterThan(2_000)
    told.building.command(told.uid('洽談室冷氣'), { Switch: 0 })
    for (let hour = 0; hour < 24; hour++) told.pass(3_600)
    expect(told.report('洽談室冷氣')['Power']).toBe(0)
  })

  it('lights, by switching them off for that evening', () => {
    const late = days(1, 15).find(
      (daysAgo) => meanKw(counted('理貨區照明迴路', 16), daysAgo, 21, 23) > 4,
    ) as number
    const told = living('理貨區照明迴路', MIDNIGHT - late * DAY + 20 * HOUR)
    told.pass(60)
    expect(told.report('理貨區高天井燈（東）')['Switch1']).toBe(1)
    told.building.command(told.uid('理貨區高天井燈（東）'), { Switch1: 0, Switch2: 0, Switch3: 0 })
    for (let hour = 0; hour < 3; hour++) told.pass(3_600)
    expect(told.report('理貨區高天井燈（東）')['Switch1']).toBe(0)
  })

  it('a faulty sensor and a silent meter, when somebody has been there', () => {
    const smoke = living('展示間偵煙感測', UNTIL)
    smoke.pass(60)
    expect(smoke.report('展示間偵煙感測')['SmokeState']).toBe(5)
    smoke.building.repair(smoke.uid('展示間偵煙感測'))
    for (let minute = 0; minute < 30; minute++) smoke.pass(60)
    expect(smoke.report('展示間偵煙感測')['SmokeState']).not.toBe(5)
    const water = living('茶水間飲水機', UNTIL)
    water.pass(60)
    const isSilent = () => water.building.isSilent(water.uid('茶水間飲水機'))
    expect(isSilent()).toBe(true)
    water.building.repair(water.uid('茶水間飲水機'))
    expect(isSilent()).toBe(false)
  })
})

it('keeps lights on without people only where the story says so', () => {
  const wrong = new Set<string>()
  for (const { devices } of hubs) {
    const told = withStory(devices, story)
    const lights = told.filter(({ scenario }) => scenario.profile === 'officeLight')
    const building = createBuilding(lights, 1)
    for (let at = MIDNIGHT - 2 * DAY; at < MIDNIGHT; at += 5 * MINUTE) {
      building.step(300, at)
      for (const { PeripheralUID, PeripheralName, scenario } of lights) {
        const room = scenario.rooms?.[0] ?? scenario.key
        const isLit = Object.entries(building.report(PeripheralUID) ?? {}).some(
          ([field, value]) => /^Switch\d?$/.test(field) && value === 1,
        )
        const isEmpty = [0, 5, 10, 15].every((minutes) => presence(1, room, at - minutes * MINUTE) === 0)
        if (isLit && isEmpty) wrong.add(PeripheralName)
      }
    }
  }
  expect([...wrong].filter((name) => !(name in story.defects))).toEqual([])
})

it('has statuses of the past in which only the lights of the story stay on', () => {
  const devices = withStory(hubOf('展示間偵煙感測'), story).filter(({ PeripheralName }) =>
    PeripheralName.includes('偵煙'),
  )
  const [today] = pastStatusesOf(devices, UNTIL, 1)
  expect((today ?? []).filter(({ SmokeState }) => SmokeState !== undefined && SmokeState !== 0)).toEqual([])
})
