import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../../../contract/devices/kinds/status.ts'
import type { AnsweredPeripheral, Peripheral } from '../../../../../contract/devices/peripheral.ts'
import {
  createEmptyTracker,
  summarize,
  totalPower,
} from '../../../../../src/custom-views/dashboard/common/summarize.ts'
import { deviceRows } from '../../../../../src/domain/devices/device-rows.ts'
import { device, hub, NOW } from '../devices.ts'

const statusOf = (statuses: Record<string, Record<string, unknown>>) => (uid: string) =>
  statuses[uid] && ({ PeripheralUID: uid, Timestamp: NOW, updateAt: NOW, ...statuses[uid] } as DeviceStatus)

const ONLINE = hub('on', true)
const OFFLINE = hub('off', false)

describe('the summary of a home', () => {
  it('adds up only meters whose reading is younger than their update frequency', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [
        device('fresh', '514', { PowerMeterUpdateFrequency: 60 }),
        device('late', '514', { PowerMeterUpdateFrequency: 60 }),
        device('slow', '514', { PowerMeterUpdateFrequency: 3600 }),
        device('silent', '514'),
        device('counter', '514'),
      ],
    })
    const sum = summarize(
      rows,
      statusOf({
        fresh: { Power: 1500, Timestamp: NOW - 59_999 },
        late: { Power: 9000, Timestamp: NOW - 60_000 },
        slow: { Power: 250, Timestamp: NOW - 3_000_000 },
        counter: { AccumulatePower: 7 },
      }),
      NOW,
    )
    expect(sum.watts).toBe(1750)
    expect(sum.meters).toMatchObject({ count: 2, total: 5 })
  })

  it("computes a site's consumption by meter roles: supply minus energy that is sold or stored", () => {
    const meter = (uid: string, Role: Peripheral['Role']) => device(uid, '514', { Role })
    const rows = (...Peripherals: AnsweredPeripheral[]) => deviceRows({ Things: [ONLINE], Peripherals })
    const powers = statusOf({
      grid: { Power: 1000 },
      roof: { Power: 4000 },
      sold: { Power: 500 },
      charge: { Power: 300 },
      lathe: { Power: 700 },
      second: { Power: 9000 },
      plant: { Power: 8000 },
    })
    const roof = meter('roof', 'generation')
    const others = [roof, meter('lathe', null), meter('second', 'check'), meter('plant', 'soldGeneration')]
    const site = [meter('grid', 'gridImport'), meter('sold', 'gridExport'), meter('charge', 'storageCharge')]
    expect(summarize(rows(...site, ...others), powers, NOW)).toMatchObject({
      watts: 1000 + 4000 - 500 - 300,
      meters: { count: 4, total: 4 },
    })
    // If no meter measures the import, a site's consumption is that of its loads.
    expect(summarize(rows(...others), powers, NOW)).toMatchObject({
      watts: 700,
      meters: { count: 1, total: 1 },
    })
  })

  it('gives no value while a subtracted meter is silent, as the rest is no lower bound', () => {
    const meter = (uid: string, Role: Peripheral['Role']) => device(uid, '514', { Role })
    const site = [meter('grid', 'gridImport'), meter('roof', 'generation'), meter('sold', 'gridExport')]
    const rows = deviceRows({ Things: [ONLINE], Peripherals: site })
    const power = (uids: string[]) =>
      summarize(rows, statusOf(Object.fromEntries(uids.map((uid) => [uid, { Power: 1000 }]))), NOW)
    expect(power(['grid', 'sold'])).toMatchObject({ watts: 0, meters: { count: 2, total: 3 } })
    expect(power(['grid', 'roof'])).toMatchObject({ watts: null, meters: { count: 2, total: 3 } })
    expect(power([])).toMatchObject({ watts: null, meters: { count: 0, total: 3 } })
  })

  it('treats a silent door or motion sensor as unknown', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [device('door', '755'), device('motion', '754', { SilentAfter: 60 })],
    })
    const at = (now: number) => {
      const { doors, rooms } = summarize(
        rows,
        statusOf({ door: { DoorState: 2 }, motion: { MotionState: 1 } }),
        now,
      )
      return { doors, rooms }
    }
    const known = { count: 1, total: 1, unknown: 0 }
    const unknown = { count: 0, total: 1, unknown: 1 }
    expect(at(NOW)).toEqual({ doors: known, rooms: known })
    expect(at(NOW + 3_600_000)).toEqual({ doors: known, rooms: unknown })
    expect(at(NOW + 25 * 3_600_000)).toEqual({ doors: unknown, rooms: unknown })
  })

  it('counts a load once: a meter below another one adds nothing', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [device('main', '514'), device('sub', '514', { ParentMeter: 'main' })],
    })
    const sum = summarize(rows, statusOf({ main: { Power: 1000 }, sub: { Power: 400 } }), NOW)
    expect(sum.watts).toBe(1000)
    expect(sum.meters).toMatchObject({ count: 1, total: 1 })
    expect(sum.devices).toBe(2)
  })

  it('counts a switch with several relays as one light, on if any of them is', () => {
    const rows = deviceRows({
      Things: [ONLINE],
      Peripherals: [device('three', '535'), device('two', '534'), device('one', '516')],
    })
    const sum = summarize(
      rows,
      statusOf({
        three: { Switch1: 0, Switch2: 1, Switch3: 1 },
        two: { Switch1: 0, Switch2: 0 },
        one: { Switch: 1 },
      }),
      NOW,
    )
    expect(sum.lights).toEqual({ count: 2, total: 3, unknown: 0 })
  })

  it('treats lights, doors and motion behind an offline hub as unknown', () => {
    const behind = (uid: string, type: string) => device(uid, type, { ThingName: 'off' })
    const rows = deviceRows({
      Things: [ONLINE, OFFLINE],
      Peripherals: [
        behind('light', '516'),
        behind('door', '755'),
        behind('motion', '754'),
        device('open', '755'),
        device('closed', '755'),
        device('silent', '755'),
      ],
    })
    const sum = summarize(
      rows,
      statusOf({
        light: { Switch: 1 },
        door: { DoorState: 2 },
        motion: { MotionState: 1 },
        open: { DoorState: 2 },
        closed: { DoorState: 1 },
      }),
      NOW,
    )
    expect(sum.lights).toEqual({ count: 0, total: 1, unknown: 1 })
    expect(sum.doors).toEqual({ count: 1, total: 4, unknown: 2 })
  })

  it('excludes Han modules, like the linked device list', () => {
    const rows = deviceRows({ Things: [], Peripherals: [device('han', '523'), device('odd', '999')] })
    expect(summarize(rows, () => undefined, NOW).devices).toBe(1)
  })

  it('counts devices on a light switch as lights, not those on a metered switch or a controller', () => {
    const rows = deviceRows({ Things: [ONLINE], Peripherals: [device('l', '516'), device('io', '526')] })
    expect(summarize(rows, statusOf({ l: { Switch: 1 }, io: { Switch1: 1 } }), NOW).lights).toMatchObject({
      count: 1,
      total: 1,
    })
  })

  it('adds up the consumption of all homes', () => {
    const rows = deviceRows({ Things: [ONLINE], Peripherals: [device('m', '514')] })
    const one = summarize(rows, statusOf({ m: { Power: 10 } }), NOW)
    expect(totalPower([one, one])).toEqual({ watts: 20, meters: { count: 2, total: 2, unknown: 0 } })
  })

  describe('room occupancy', () => {
    const MINUTE = 60_000
    const sensor = (uid: string, RoomID: number, more: Partial<Peripheral> = {}) =>
      device(uid, '754', { RoomID, ...more })
    const light = (uid: string, RoomID: number) => device(uid, '516', { RoomID })
    const rows = (...Peripherals: AnsweredPeripheral[]) =>
      deviceRows({ Things: [ONLINE, OFFLINE], Peripherals })

    it('counts occupied and unknown rooms among all rooms with a sensor', () => {
      const all = rows(
        sensor('a', 1),
        sensor('b', 1),
        sensor('c', 2),
        sensor('d', 3, { ThingName: 'off' }),
        sensor('e', 4),
        light('f', 5),
      )
      const motion = {
        a: { MotionState: 0 },
        b: { MotionState: 1 },
        c: { MotionState: 0 },
        d: { MotionState: 1 },
      }
      expect(summarize(all, statusOf(motion), NOW).rooms).toEqual({ count: 1, total: 4, unknown: 2 })
    })

    it('lists rooms with lights on and no presence for 15 minutes by every sensor', () => {
      const all = rows(sensor('a', 1), light('l', 1), sensor('b', 2), sensor('c', 2), light('m', 2))
      const said = (ago: number) =>
        statusOf({
          a: { MotionState: 0, Timestamp: NOW - ago },
          b: { MotionState: 0, Timestamp: NOW - 60 * MINUTE },
          c: { MotionState: 1 },
          l: { Switch: 1 },
          m: { Switch: 1 },
        })
      expect(summarize(all, said(15 * MINUTE), NOW).litEmpty).toEqual([1])
      expect(summarize(all, said(15 * MINUTE - 1), NOW).litEmpty).toEqual([])
    })

    it('measures from the first report of absence, even if more follow', () => {
      const all = rows(sensor('a', 1), light('l', 1))
      const emptySince = createEmptyTracker()
      const at = (minutes: number, MotionState: number) => {
        const Timestamp = NOW + minutes * MINUTE
        const found = statusOf({ a: { MotionState, Timestamp }, l: { Switch: 1 } })
        return summarize(all, found, Timestamp, emptySince).litEmpty.length
      }
      expect([at(0, 0), at(10, 0), at(15, 0), at(16, 1), at(17, 0), at(31, 0), at(32, 0)]).toEqual([
        0, 0, 1, 0, 0, 0, 1,
      ])
    })

    it("measures from the gateway's last report before page load, and restarts after presence", () => {
      const all = rows(sensor('a', 1), light('l', 1))
      const emptySince = createEmptyTracker()
      const at = (minutes: number, MotionState: number) => {
        const Timestamp = NOW + minutes * MINUTE
        const found = statusOf({ a: { MotionState, Timestamp }, l: { Switch: 1 } })
        return summarize(all, found, Timestamp, emptySince).litEmpty.length
      }
      expect(at(0, 0)).toBe(0)
      emptySince.applyChanges([{ PeripheralUID: 'a', Value: 0, Since: NOW - 14 * MINUTE }])
      expect([at(0.5, 0), at(1, 0), at(2, 1), at(3, 0)]).toEqual([0, 1, 0, 0])
      emptySince.applyChanges([{ PeripheralUID: 'a', Value: 1, Since: NOW - 60 * MINUTE }])
      expect(at(4, 0)).toBe(0)
    })

    it('shows the indoor temperature range', () => {
      const air = (uid: string, more: Partial<Peripheral> = {}) => device(uid, '753', more)
      const all = rows(air('a'), air('b'), air('lost', { ThingName: 'off' }))
      const warm = { a: { Temperature: 23.4 }, b: { Temperature: 26 }, lost: { Temperature: 80 } }
      expect(summarize(all, statusOf(warm), NOW).temperature).toEqual({ low: 23.4, high: 26 })
      expect(summarize(all, statusOf({}), NOW).temperature).toBeNull()
    })
  })
})
