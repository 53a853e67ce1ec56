import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import type { Maintenance } from '../../../contract/alarms/calls.ts'
import { FIRST_REPORT_TIMEOUT_MS } from '../../../contract/alarms/alarm-states.ts'
import { attentionOf, type AttentionFacts } from '../../../contract/attention/attention.ts'
import type { DemandFact, QuarantinedFact } from '../../../contract/attention/attention-item.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import { alarmRecord } from '../../support/alarm-record.ts'
import { device, hub } from '../../src/custom-views/dashboard/devices.ts'

const MINUTE = 60_000
/** First ms of a quarter of an hour. */
const BEGIN = Math.floor(1_790_000_000_000 / QUARTER_MS) * QUARTER_MS
const LATE = BEGIN + 3 * MINUTE

const attention = (facts: Partial<AttentionFacts>, now = LATE) =>
  attentionOf({ hubs: [], devices: [], statusOf: () => undefined, connected: true, ...facts }, now)
const keys = (facts: Partial<AttentionFacts>, now?: number) =>
  attention(facts, now).Items.map(({ Key, Severity }) => `${Key} ${Severity}`)
const demand = (more: Partial<DemandFact> = {}): { demands: DemandFact[] } => ({
  demands: [{ HomeID: 'h1', Forecast: 96, Limit: 100, IsRuled: false, ...more }],
})
const quarantined: QuarantinedFact[] = [
  { HomeID: 'h1', MeterID: 'm.return', Name: '總電表', RoomID: 2, Count: 3, Since: BEGIN - 9 },
]
const inMaintenance = (Scope: Maintenance['Scope'], Subject: string): { maintenances: Maintenance[] } => ({
  maintenances: [
    {
      MaintenanceID: '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0',
      ...{ HomeID: 'h1', Scope, Subject, Until: LATE + QUARTER_MS, Reason: 'x', By: 'y', StartedAt: BEGIN },
    },
  ],
})

describe('the demand of a home', () => {
  it.each<[string, Partial<DemandFact>, string[]]>([
    ['below 95 % of its contract needs nobody', { Forecast: 94.9 }, []],
    ['from there on is a warning', { Forecast: 95 }, ['demand/h1 warning']],
    ['that reaches it is critical', { Forecast: 100 }, ['demand/h1 critical']],
    ['is left to the rule that watches it', { Forecast: 120, IsRuled: true }, []],
    ['is not told while a main meter is not heard', { Forecast: null }, []],
    ['without a contract breaks none', { Limit: null }, []],
  ])('%s', (_, more, expected) => expect(keys(demand(more))).toEqual(expected))

  it('is reported from the third minute of the quarter-hour on, dated at its start', () => {
    expect(keys(demand(), LATE - 1)).toEqual([])
    expect(attention(demand()).Items).toMatchObject([
      { Kind: 'demand', Forecast: 96, Limit: 100, Subject: 'h1', RoomID: null, Since: BEGIN },
    ])
  })

  it('is not reported for a home in maintenance', () => {
    expect(keys({ ...demand(), ...inMaintenance('home', 'h1') })).toEqual([])
  })
})

describe('information', () => {
  const known = { hubs: [hub('on', true)] }

  it('is listed and changes no verdict', () => {
    expect(attention({ ...known, quarantined })).toMatchObject({
      Verdict: 'clear',
      Items: [{ Key: 'quarantined/m.return', Severity: 'info', Count: 3, Name: '總電表', RoomID: 2 }],
    })
  })

  it('is not reported for a meter in maintenance', () => {
    expect(keys({ ...known, quarantined, ...inMaintenance('device', 'm') })).toEqual([])
  })

  it('includes a device without a report ten minutes after it was added, which stays unknown', () => {
    const facts = { ...known, devices: [device('smoke', '756')], addedAt: () => BEGIN }
    expect(attention(facts, BEGIN + FIRST_REPORT_TIMEOUT_MS - 1)).toMatchObject({
      Verdict: 'unknown',
      Items: [],
    })
    expect(attention(facts, BEGIN + FIRST_REPORT_TIMEOUT_MS)).toMatchObject({
      Verdict: 'unknown',
      Items: [{ Key: 'neverSeen/smoke', Severity: 'info', IsHub: false, Since: BEGIN }],
      UnknownIn: { h1: 1 },
    })
  })

  it('excludes cameras, which never report, and devices with an offline hub', () => {
    const late = BEGIN + FIRST_REPORT_TIMEOUT_MS
    const addedAt = () => BEGIN
    expect(keys({ ...known, devices: [device('cam', '752')], addedAt }, late)).toEqual([])
    const never = { hubs: [hub('on', false, { SeenAt: null })], devices: [device('smoke', '756')], addedAt }
    expect(keys(never, late)).toEqual(['neverSeen/on info'])
  })
})

describe('items a screen keeps from the gateway', () => {
  const told = attention({ ...demand(), quarantined }).Items

  it('remain while they can be true', () => {
    expect(keys({ given: told })).toEqual(['demand/h1 warning', 'quarantined/m.return info'])
    expect(keys({ given: told }, BEGIN + QUARTER_MS)).toEqual(['quarantined/m.return info'])
    expect(keys({ given: told, ...inMaintenance('home', 'h1') })).toEqual([])
  })

  it('include a device that never reported, until it does', () => {
    const devices = [device('smoke', '756')]
    const facts = { hubs: [hub('on', true)], devices }
    const given = attention({ ...facts, addedAt: () => 0 }).Items
    expect(keys({ ...facts, given })).toEqual(['neverSeen/smoke info'])
    const status = {
      PeripheralUID: 'smoke',
      PeripheralType: '756',
      Timestamp: LATE,
      updateAt: LATE,
      SmokeState: 1,
    }
    expect(keys({ ...facts, given, statusOf: () => status })).toEqual([])
    expect(keys({ hubs: [hub('on', true)], given })).toEqual([])
  })

  it('include nothing else: the screen receives reports of devices itself', () => {
    const fire = {
      PeripheralUID: 'smoke',
      PeripheralType: '756',
      Timestamp: LATE,
      updateAt: LATE,
      SmokeState: 3,
    }
    const facts = { hubs: [hub('on', true)], devices: [device('smoke', '756')] }
    const given = attention({ ...facts, statusOf: () => fire }).Items
    expect(keys({ ...facts, given, statusOf: () => ({ ...fire, SmokeState: 1 }) })).toEqual([])
  })
})

describe('in any state', () => {
  const UIDS = ['a', 'b', 'c']
  const devices = UIDS.map((uid) => device(uid, '756'))
  /** Report of a device, or a presence change of the hub. */
  const step = fc.oneof(
    fc.record({
      is: fc.constant('report' as const),
      uid: fc.constantFrom(...UIDS),
      value: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ is: fc.constantFrom('lost' as const, 'back' as const) }),
  )
  const after = (steps: readonly { is: string; uid?: string; value?: number }[]) => {
    const statuses = new Map<string, DeviceStatus>()
    let Online = true
    steps.forEach(({ is, uid = '', value }, i) => {
      if (is !== 'report') Online = is === 'back'
      else {
        const at = BEGIN + i
        statuses.set(uid, {
          PeripheralUID: uid,
          PeripheralType: '756',
          Timestamp: at,
          updateAt: at,
          SmokeState: value,
        })
      }
    })
    const facts = { hubs: [hub('on', Online, { SeenAt: BEGIN })], devices }
    return { facts: { ...facts, statusOf: (uid: string) => statuses.get(uid) }, statuses, Online }
  }

  it('nothing is clear while something is unknown', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, connected) => {
        const { facts } = after(steps)
        const found = attention({ ...facts, connected }, BEGIN + QUARTER_MS)
        const isAllKnown = found.Known === found.Watched && connected
        expect(found.Verdict === 'clear' && !isAllKnown).toBe(false)
        const unknown = Object.values(found.UnknownIn).reduce((sum, one) => sum + one, 0)
        expect(found.Known + unknown).toBe(found.Watched)
      }),
    )
  })

  it('any order of reports and losses keeps the last report of each device', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { facts, statuses } = after(steps)
        const told = attention(facts, BEGIN + QUARTER_MS).Items.flatMap(({ Kind, Subject }) =>
          Kind === 'state' ? Subject : [],
        )
        const alarming = [...statuses].flatMap(([uid, { SmokeState }]) => (Number(SmokeState) > 1 ? uid : []))
        expect(told.toSorted()).toEqual(alarming.toSorted())
      }),
    )
  })

  it('more knowledge hides no alarm: of other devices, the home, or stored ones', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const { facts, statuses } = after(steps)
        const before = keys(facts, BEGIN + QUARTER_MS)
        const alarms = [...statuses.values()].flatMap((status) =>
          Number(status['SmokeState']) > 1
            ? alarmRecord({
                Source: `state:${status.PeripheralUID}`,
                PeripheralUID: status.PeripheralUID,
                Values: { SmokeState: Number(status['SmokeState']) },
                RaisedAt: status.Timestamp,
                ReportedAt: status.Timestamp,
                Severity: Number(status['SmokeState']) === 5 ? 'warning' : 'critical',
              })
            : [],
        )
        const more = { ...demand(), quarantined, alarms, homes: ['h1'], addedAt: () => 0 }
        expect(keys({ ...facts, ...more }, LATE + QUARTER_MS)).toEqual(expect.arrayContaining(before))
      }),
    )
  })
})
