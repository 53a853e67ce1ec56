import { describe, expect, it } from 'vitest'
import { compressor, dockDoor, machine, shift } from '../../../simulator/scenarios/factory.ts'
import { airConditioning, officeLights, presence } from '../../../simulator/scenarios/office.ts'
import { profiles, worldAt, type ProfileName } from '../../../simulator/scenarios/profiles.ts'
import {
  isWorkday,
  lastWorkdayAt,
  localTime,
  outdoor,
  readHour,
} from '../../../simulator/scenarios/taiwan.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Epoch ms of a local time in Taipei. */
const taipei = (text: string) => Date.parse(`${text}+08:00`)
/** Mean over some hours, and over forty rooms or machines. */
function mean(
  course: (seed: number, key: string, at: number) => number,
  from: string,
  hours: number,
): number {
  let sum = 0
  let count = 0
  for (let at = taipei(from); at < taipei(from) + hours * HOUR; at += 10 * MINUTE)
    for (let key = 0; key < 40; key++, count++) sum += course(1, `room ${key}`, at)
  return sum / count
}

describe('an office', () => {
  it('fills around nine, thins out at noon and is empty at night', () => {
    expect(mean(presence, '2026-07-14T04:00:00', 2)).toBe(0)
    expect(mean(presence, '2026-07-14T10:00:00', 1)).toBeGreaterThan(0.8)
    const lunch = mean(presence, '2026-07-14T12:20:00', 0.7)
    expect(lunch).toBeLessThan(0.5)
    expect(lunch).toBeGreaterThan(0.1)
    expect(mean(presence, '2026-07-14T22:00:00', 2)).toBe(0)
  })

  it('is all but empty on a Sunday and on a national holiday', () => {
    expect(mean(presence, '2026-07-12T10:00:00', 6)).toBeLessThan(0.05)
    expect(mean(presence, '2026-10-10T10:00:00', 6)).toBeLessThan(0.05)
  })

  it('lights its rooms only while somebody is there', () => {
    const wasted: number[] = []
    for (let at = taipei('2026-07-13T00:00:00'); at < taipei('2026-07-20T00:00:00'); at += 7 * MINUTE)
      if (presence(3, 'a', at) === 0 && officeLights(3, 'a', at) > 0) wasted.push(at)
    expect(wasted).toEqual([])
  })

  it('cools several times as much on a July afternoon as in January', () => {
    const cooling = (seed: number, key: string, at: number) => airConditioning(seed, key, [key], at)
    const july = mean(cooling, '2026-07-14T13:00:00', 4)
    const january = mean(cooling, '2026-01-13T13:00:00', 4)
    expect(july).toBeGreaterThan(3 * january)
    expect(mean(cooling, '2026-07-14T01:00:00', 4)).toBeLessThan(0.05)
  })
})

describe('a factory', () => {
  it('works three shifts, most by day, with a hand-over and a meal in each', () => {
    expect(shift(taipei('2026-07-14T10:00:00'))).toBe(1)
    expect(shift(taipei('2026-07-14T18:00:00'))).toBeCloseTo(0.8)
    expect(shift(taipei('2026-07-14T02:00:00'))).toBeCloseTo(0.5)
    expect(shift(taipei('2026-07-14T08:01:00'))).toBeLessThan(0.6)
    expect(shift(taipei('2026-07-14T12:15:00'))).toBeLessThan(0.6)
  })

  it('runs its machines harder by day than at night and hardly on Sunday', () => {
    const day = mean(machine, '2026-07-14T09:00:00', 2)
    expect(day).toBeGreaterThan(mean(machine, '2026-07-14T01:00:00', 2) * 1.3)
    expect(mean(machine, '2026-07-12T10:00:00', 2)).toBeLessThan(0.05)
  })

  it('cycles a compressor between load and idling', () => {
    const seen = new Set<string>()
    for (let at = taipei('2026-07-14T02:00:00'); at < taipei('2026-07-14T03:00:00'); at += 10_000)
      seen.add(compressor(1, 'c', at) > 0.9 ? 'loaded' : 'idling')
    expect(seen).toEqual(new Set(['loaded', 'idling']))
  })

  it('opens dock doors for lorries by day and never at night', () => {
    const door = (...args: Parameters<typeof dockDoor>) => Number(dockDoor(...args))
    expect(mean(door, '2026-07-14T09:00:00', 8)).toBeGreaterThan(0.1)
    expect(mean(door, '2026-07-14T00:00:00', 6)).toBe(0)
  })
})

describe('chance', () => {
  const names = Object.keys(profiles) as ProfileName[]

  it.each(names)(
    '%s is a function of time: the same seed gives the same world, asked in any order',
    (name) => {
      const at = taipei('2026-07-14T10:07:31')
      const place = { seed: 5, key: 'k', watts: 1000 }
      const first = worldAt(name, place, 3, at)
      worldAt(name, place, 3, at + 12 * HOUR)
      expect(worldAt(name, place, 3, at)).toEqual(first)
    },
  )

  it.each(names)('%s never asks for more than its rated power or less than none', (name) => {
    for (let at = taipei('2026-07-11T00:00:00'); at < taipei('2026-07-15T00:00:00'); at += 11 * MINUTE) {
      const { watts, volts } = worldAt(name, { seed: 2, key: 'k', watts: 1000 }, 1, at)
      expect(watts).toBeGreaterThanOrEqual(0)
      expect(watts).toBeLessThanOrEqual(1000)
      expect(volts).toBeGreaterThan(210)
      expect(volts).toBeLessThan(230)
    }
  })

  it('lets a kitchen burn something, and a neglected sensor come loose and break, now and then', () => {
    const shares = { smoky: 0, loose: 0, faulty: 0 }
    const from = taipei('2026-07-01T00:00:00')
    for (let at = from; at < from + 30 * 24 * HOUR; at += 2 * MINUTE) {
      const kitchen = worldAt('kitchenSmoke', { seed: 2, key: 'k', watts: 0 }, 1, at)
      const neglected = worldAt('neglectedSmoke', { seed: 2, key: 'k', watts: 0 }, 1, at)
      shares.smoky += Number(kitchen.smoky)
      shares.loose += Number(neglected.loose)
      shares.faulty += Number(neglected.faulty)
    }
    for (const times of Object.values(shares)) {
      expect(times).toBeGreaterThan(0)
      expect(times).toBeLessThan((30 * 24 * 30) / 20)
    }
  })

  it('gives another world to another seed', () => {
    const at = taipei('2026-07-14T10:07:31')
    const worlds = [1, 2, 3, 4].map(
      (seed) => worldAt('sockets', { seed, key: 'k', watts: 1000 }, 1, at).watts,
    )
    expect(new Set(worlds).size).toBe(4)
  })
})

describe('the calendar', () => {
  it('reads the clock on a wall in Taiwan', () => {
    expect(localTime(Date.UTC(2026, 6, 14, 16, 30))).toMatchObject({ hour: 0.5, weekday: 3 })
  })

  it('is warmer in July than in January, and at two in the afternoon than at night', () => {
    expect(outdoor(1, taipei('2026-07-14T14:00:00'))).toBeGreaterThan(
      outdoor(1, taipei('2026-01-14T14:00:00')) + 8,
    )
    expect(outdoor(1, taipei('2026-07-14T14:00:00'))).toBeGreaterThan(
      outdoor(1, taipei('2026-07-14T02:00:00')),
    )
  })

  it('finds the last workday on which clocks showed a time', () => {
    const at = (text: string) => lastWorkdayAt(taipei(text), 10)
    expect(at('2026-07-14T10:20:00')).toBe(taipei('2026-07-14T10:00:00'))
    expect(at('2026-07-14T03:00:00')).toBe(taipei('2026-07-13T10:00:00'))
    expect(at('2026-07-19T15:00:00')).toBe(taipei('2026-07-17T10:00:00'))
    for (let now = taipei('2026-07-14T10:20:00'); now < taipei('2026-07-23T10:00:00'); now += 37 * MINUTE)
      expect(isWorkday(localTime(lastWorkdayAt(now, 8.5)))).toBe(true)
  })

  it('reads a time of day as people write it', () => {
    expect([readHour('10:00'), readHour('9:30'), readHour('23:45')]).toEqual([10, 9.5, 23.75])
    for (const text of ['24:00', '10', '10:60', '', 'ten']) expect(readHour(text)).toBeUndefined()
  })
})
