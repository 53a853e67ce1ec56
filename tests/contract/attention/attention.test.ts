import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { attentionOf } from '../../../contract/attention/attention.ts'
import { canBeSilent, silentAfter } from '../../../contract/devices/device-health.ts'
import { device, hub, NOW } from '../../src/custom-views/dashboard/devices.ts'

const MINUTE = 60_000
const limits = { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 200, VoltageUpper: 240 }
const said = (values: object, Timestamp = NOW) => ({ Timestamp, updateAt: Timestamp, ...values })

/** Attention list for devices by their last report. */
const attention = (
  hubs: readonly ThingWithState[],
  devices: readonly (readonly [Peripheral, object | undefined])[],
  { now = NOW, connected = true } = {},
) => {
  const statuses = new Map(devices.map(([one, status]) => [one.PeripheralUID, status]))
  return attentionOf(
    {
      hubs,
      devices: devices.map(([one]) => one),
      statusOf: (uid) => statuses.get(uid) as DeviceStatus | undefined,
      connected,
    },
    now,
  )
}
const keys = ({ Items }: ReturnType<typeof attention>) =>
  Items.map(({ Key, Severity }) => `${Key} ${Severity}`)

describe('attention', () => {
  it('is empty while everything is known and OK', () => {
    const calm = attention([hub('on', true)], [[device('smoke', '756'), said({ SmokeState: 1 })]])
    expect(calm).toEqual({
      Verdict: 'clear',
      Items: [],
      Known: 2,
      Watched: 2,
      UnknownIn: {},
      Maintained: 0,
    })
  })

  it('includes an alarm, even of an offline hub, with its time and that of the loss', () => {
    const now = NOW + 20 * MINUTE
    const { Verdict, Items } = attention(
      [hub('on', false, { SeenAt: NOW + 18_000 })],
      [[device('smoke', '756'), said({ SmokeState: 3 })]],
      { now },
    )
    expect(Verdict).toBe('attention')
    expect(Items).toMatchObject([
      {
        Key: 'state/smoke',
        Severity: 'critical',
        Since: NOW,
        Stale: { Why: 'hubLost', Since: NOW + 18_000 },
        PeripheralType: '756',
        Values: { SmokeState: 3 },
      },
      { Key: 'hubLost/on', Severity: 'critical', Since: NOW + 18_000 },
    ])
  })

  it('ends with a newer report', () => {
    const smoke = device('smoke', '756')
    expect(attention([hub('on', true)], [[smoke, said({ SmokeState: 1 }, NOW + 1)]]).Verdict).toBe('clear')
  })

  it.each([
    ['an open door', '755', { DoorState: 2 }],
    ['motion', '754', { MotionState: 1 }],
  ])('excludes %s, which is unknown with an offline hub', (_, type, values) => {
    const one = device('one', type)
    expect(attention([hub('on', true)], [[one, said(values)]]).Verdict).toBe('clear')
    const lost = attention([hub('on', false, { SeenAt: NOW })], [[one, said(values)]], { now: NOW + 1_000 })
    expect(lost).toMatchObject({ Verdict: 'unknown', Items: [], Known: 0, Watched: 2 })
  })

  it('includes a low battery as a warning, unless the hub is offline and it is unknown', () => {
    const door = device('door', '755')
    const at = (Battery: number, hubs = [hub('on', true)]) =>
      attention(hubs, [[door, said({ DoorState: 1, Battery })]])
    expect(keys(at(14.9))).toEqual(['lowBattery/door warning'])
    expect(at(14.9).Items).toMatchObject([
      { Kind: 'lowBattery', Battery: 14.9, Subject: 'door', Since: null },
    ])
    expect(at(15).Verdict).toBe('clear')
    expect(keys(at(3, [hub('on', false, { SeenAt: NOW })]))).toEqual([])
  })

  it('includes any measured value outside its limits', () => {
    const air = device('air', '753', { ValueLimits: { PM25: { Lower: null, Upper: 35 } } })
    expect(keys(attention([hub('on', true)], [[air, said({ PM25: 36 })]]))).toEqual(['breach/air critical'])
    expect(attention([hub('on', true)], [[air, said({ PM25: 35 })]]).Verdict).toBe('clear')
  })

  it('includes a reading outside its limits while it is current', () => {
    const meter = device('meter', '514', { WarningThreshold: limits })
    expect(keys(attention([hub('on', true)], [[meter, said({ Voltage: 251 })]]))).toEqual([
      'breach/meter critical',
    ])
    const lost = [hub('on', false, { SeenAt: NOW })]
    expect(keys(attention(lost, [[meter, said({ Voltage: 251 })]], { now: NOW + 1_000 }))).toEqual([])
  })

  it('includes an offline hub after a minute, critical with smoke, doors or a main meter', () => {
    const away = [hub('on', false, { SeenAt: NOW })]
    const keysWith = (type: string, now: number, more: Partial<Peripheral> = {}) =>
      keys(attention(away, [[device('one', type, more), said({})]], { now }))
    expect(keysWith('754', NOW + MINUTE)).toEqual([])
    expect(keysWith('754', NOW + MINUTE + 1)).toEqual(['hubLost/on warning'])
    for (const vital of ['756', '755', '514'])
      expect(keysWith(vital, NOW + MINUTE + 1)).toEqual(['hubLost/on critical'])
    expect(keysWith('514', NOW + MINUTE + 1, { ParentMeter: 'main' })).toEqual(['hubLost/on warning'])
  })

  it('includes a meter that misses three reports while its hub is online', () => {
    const meter = device('meter', '514', { PowerMeterUpdateFrequency: 60 })
    const at = (now: number) => attention([hub('on', true)], [[meter, said({ Power: 5 })]], { now })
    expect(at(NOW + 3 * MINUTE - 1).Verdict).toBe('clear')
    expect(keys(at(NOW + 3 * MINUTE))).toEqual(['meterSilent/meter warning'])
    expect(at(NOW + 3 * MINUTE)).toMatchObject({ Known: 1, Watched: 2 })
  })

  it('excludes a silent meter of a Modbus device that has counted nothing', () => {
    const plc = device('plc', '530', { PowerMeterUpdateFrequency: 60 })
    const later = { now: NOW + 3 * MINUTE }
    expect(keys(attention([hub('on', true)], [[plc, said({})]], later))).toEqual([])
    const counted = said({ AccumulatePower: 7 })
    expect(keys(attention([hub('on', true)], [[plc, counted]], later))).toEqual(['meterSilent/plc warning'])
  })

  it.each([
    ['a smoke sensor', '756', { SmokeState: 1 }, 25 * 60, 'warning'],
    ['a door', '755', { DoorState: 1 }, 25 * 60, 'warning'],
    ['a shock sensor', '757', { ShockState: 1 }, 25 * 60, 'warning'],
    ['a motion sensor, which harms nobody', '754', { MotionState: 0 }, 25 * 60, 'info'],
    ['a presence sensor, which harms nobody', '529', { MotionState: 0 }, 25 * 60, 'info'],
    ['an air quality sensor, which harms nobody', '753', { PM25: 4 }, 6 * 60, 'info'],
  ])('includes %s that is silent while its hub is online', (_, type, values, minutes, severity) => {
    const one = device('one', type)
    const at = (now: number) => attention([hub('on', true)], [[one, said(values)]], { now })
    expect(at(NOW + minutes * MINUTE - 1)).toMatchObject({
      Verdict: 'clear',
      Items: [],
      Known: 2,
      Watched: 2,
    })
    const silent = at(NOW + minutes * MINUTE)
    expect(keys(silent)).toEqual([`silent/one ${severity}`])
    expect(silent.Items[0]).toMatchObject({ Kind: 'silent', Subject: 'one', Since: NOW, Stale: null })
    expect(silent).toMatchObject({
      Known: 1,
      Watched: 2,
      Verdict: severity === 'info' ? 'unknown' : 'attention',
    })
  })

  it('includes a silent device of any kind after its configured time', () => {
    for (const [type, values] of [
      ['754', { MotionState: 0 }],
      ['534', { Switch1: 1 }],
    ] as const) {
      const one = device('one', type, { SilentAfter: 30 })
      const at = (now: number) => keys(attention([hub('on', true)], [[one, said(values)]], { now }))
      expect(at(NOW + 30 * MINUTE - 1)).toEqual([])
      expect(at(NOW + 30 * MINUTE)).toEqual(['silent/one warning'])
    }
    const longer = device('one', '755', { SilentAfter: 26 * 60 })
    const later = { now: NOW + 25 * 60 * MINUTE }
    expect(keys(attention([hub('on', true)], [[longer, said({ DoorState: 1 })]], later))).toEqual([])
  })

  it('detects silence of a meter by its frequency only, and of a camera never', () => {
    const set = { SilentAfter: 5, PowerMeterUpdateFrequency: 900 }
    const later = { now: NOW + 10 * MINUTE }
    expect(
      keys(attention([hub('on', true)], [[device('m', '514', set), said({ Power: 5 })]], later)),
    ).toEqual([])
    expect(keys(attention([hub('on', true)], [[device('c', '752', set), said({})]], later))).toEqual([])
  })

  it('includes the last fire reported by a silent sensor', () => {
    const later = { now: NOW + 25 * 60 * MINUTE }
    const told = attention([hub('on', true)], [[device('one', '756'), said({ SmokeState: 3 })]], later)
    expect(keys(told)).toEqual(['state/one critical', 'silent/one warning'])
  })

  it('is unknown for what has never reported or connected, which alone needs no action', () => {
    const never = attention(
      [hub('new', false, { SeenAt: null }), hub('on', true)],
      [[device('a', '756'), undefined]],
    )
    expect(never).toMatchObject({ Verdict: 'unknown', Known: 1, Watched: 3 })
    expect(keys(never)).toEqual(['neverSeen/new info'])
  })

  it('is never clear while the connection is down', () => {
    expect(attention([hub('on', true)], [], { connected: false }).Verdict).toBe('unknown')
  })

  it('lists the most severe first, then the newest', () => {
    const found = attention(
      [hub('on', true), hub('new', false, { SeenAt: null })],
      [
        [device('fault', '756'), said({ SmokeState: 5 }, NOW)],
        [device('older', '756'), said({ SmokeState: 2 }, NOW - 5)],
        [device('newer', '756'), said({ SmokeState: 3 }, NOW - 1)],
      ],
    )
    expect(keys(found)).toEqual([
      'state/newer critical',
      'state/older critical',
      'state/fault warning',
      'neverSeen/new info',
    ])
  })

  it('never becomes less or clear when a hub goes offline', () => {
    const devices = fc.array(
      fc.record({ type: fc.constantFrom('756', '755', '754', '534'), value: fc.integer({ min: 0, max: 5 }) }),
      { maxLength: 6 },
    )
    const fields: Record<string, string> = {
      756: 'SmokeState',
      755: 'DoorState',
      754: 'MotionState',
      534: 'Switch1',
    }
    fc.assert(
      fc.property(devices, fc.integer({ min: 0, max: 3_600_000 }), (all, lostFor) => {
        const given = all.map(
          ({ type, value }, i) => [device(`d${i}`, type), said({ [fields[type] as string]: value })] as const,
        )
        const before = attention([hub('on', true)], given)
        const after = attention([hub('on', false, { SeenAt: NOW })], given, { now: NOW + lostFor })
        expect(after.Verdict).not.toBe('clear')
        for (const { Key } of before.Items) expect(after.Items.map((item) => item.Key)).toContain(Key)
      }),
    )
  })

  it('is never clear, or fully known, with one silent device among others', () => {
    const reports = deviceTypes.filter(({ hidden, type }) => !hidden && canBeSilent(type))
    const others = fc.array(fc.constantFrom(...reports), { maxLength: 4 })
    const silent = fc.record({
      type: fc.constantFrom(...reports),
      SilentAfter: fc.option(fc.integer({ min: 5, max: 525_600 })),
      longer: fc.integer({ min: 0, max: 1e10 }),
    })
    fc.assert(
      fc.property(others, silent, (fresh, { type: { type }, SilentAfter, longer }) => {
        const one = device('silent', type, { SilentAfter })
        const after = silentAfter(one)
        fc.pre(after !== null)
        const now = NOW + (after as number) + longer
        const given = fresh.map(({ type: of }, i) => [device(`d${i}`, of), said({}, now)] as const)
        const found = attention([hub('on', true)], [...given, [one, said({})]], { now })
        expect(found.Verdict).not.toBe('clear')
        expect(found.Known).toBe(found.Watched - 1)
        expect(found.Items).toContainEqual(expect.objectContaining({ Key: 'silent/silent', Since: NOW }))
      }),
    )
  })
})
