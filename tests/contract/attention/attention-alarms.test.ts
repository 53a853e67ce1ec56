import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { Alarm, type Maintenance } from '../../../contract/alarms/calls.ts'
import { alarmStateOf, hasAlarmStates } from '../../../contract/alarms/alarm-states.ts'
import { attentionOf, type AttentionFacts } from '../../../contract/attention/attention.ts'
import { device, hub, NOW } from '../../src/custom-views/dashboard/devices.ts'
import { alarmRecord } from '../../support/alarm-record.ts'

const UUID = '6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d0'
const LATER = NOW + 3_600_000
const said = (uid: string, PeripheralType: string, values: object, Timestamp = NOW): DeviceStatus => ({
  PeripheralUID: uid,
  PeripheralType,
  Timestamp,
  updateAt: Timestamp,
  ...values,
})
const alarmOf = (status: DeviceStatus, more: Partial<Alarm> = {}): Alarm =>
  alarmRecord({
    AlarmID: UUID,
    Source: `state:${status.PeripheralUID}`,
    PeripheralUID: status.PeripheralUID,
    PeripheralType: status.PeripheralType,
    SubjectName: status.PeripheralUID,
    Severity: alarmStateOf(status)?.Severity ?? 'warning',
    Values: alarmStateOf(status)?.Values ?? {},
    RaisedAt: status.Timestamp,
    ReportedAt: status.Timestamp,
    ...more,
  })
const acknowledged = { By: '王小明', At: NOW + 1, Comment: null }
const cleared = { By: '王小明', At: NOW + 2, Reason: 'looked at it' }
const fire = said('smoke', '756', { SmokeState: 3 })

const attention = (statuses: readonly DeviceStatus[], more: Partial<AttentionFacts> = {}, now = NOW) =>
  attentionOf(
    {
      hubs: [hub('on', true)],
      devices: statuses.map((one) => device(one.PeripheralUID, one.PeripheralType)),
      statusOf: (uid) => statuses.find(({ PeripheralUID }) => PeripheralUID === uid),
      connected: true,
      homes: ['h1'],
      ...more,
    },
    now,
  )
const keys = ({ Items }: ReturnType<typeof attention>) => Items.map(({ Key }) => Key)
const lost = { hubs: [hub('on', false, { SeenAt: NOW })] }

describe('a stored alarm', () => {
  it('shows its start, its id, and who acknowledged it', () => {
    const since = NOW - 60_000
    const alarms = [alarmOf(fire, { RaisedAt: since, Acknowledged: acknowledged })]
    expect(attention([fire], { alarms }).Items).toMatchObject([
      { Key: 'state/smoke', AlarmID: UUID, Since: since, Acknowledged: acknowledged, Stale: null },
    ])
    expect(attention([fire]).Items).toMatchObject([{ AlarmID: null, Acknowledged: null, Since: NOW }])
  })

  it('is below unacknowledged ones and above information', () => {
    const shock = said('shock', '757', { ShockState: 2 })
    const hubs = [hub('on', true), hub('new', false, { SeenAt: null })]
    const alarms = [alarmOf(fire, { Acknowledged: acknowledged })]
    expect(keys(attention([fire, shock], { alarms, hubs }))).toEqual([
      'state/shock',
      'state/smoke',
      'neverSeen/new',
    ])
  })

  it('ends when the device reports otherwise, even if the list is not updated yet', () => {
    const calm = said('smoke', '756', { SmokeState: 1 }, NOW + 1)
    expect(attention([calm], { alarms: [alarmOf(fire)] }).Verdict).toBe('clear')
  })

  it('takes precedence over an older status still on the screen', () => {
    const before = said('smoke', '756', { SmokeState: 1 }, NOW - 1)
    expect(keys(attention([before], { alarms: [alarmOf(fire)] }))).toEqual(['state/smoke'])
  })

  it('of a removed device stays, and says so', () => {
    expect(attention([], { alarms: [alarmOf(fire)] })).toMatchObject({
      Verdict: 'attention',
      Items: [
        { Key: 'state/smoke', Severity: 'critical', Stale: { Why: 'removed' }, Values: { SmokeState: 3 } },
      ],
    })
    const elsewhere = { alarms: [alarmOf(fire)], homes: [] }
    expect(attention([], elsewhere).Items).toMatchObject([{ Key: 'state/smoke', Stale: null }])
  })

  it('cleared by a person is hidden until a newer report, and the state is unknown', () => {
    const alarms = [alarmOf(fire, { Cleared: cleared })]
    expect(attention([fire], { alarms })).toMatchObject({
      Verdict: 'unknown',
      Items: [],
      Known: 1,
      Watched: 2,
    })
    const again = said('smoke', '756', { SmokeState: 3 }, NOW + 1)
    expect(attention([again], { alarms })).toMatchObject({ Verdict: 'attention', Known: 2 })
    const calm = said('smoke', '756', { SmokeState: 1 }, NOW + 1)
    expect(attention([calm], { alarms }).Verdict).toBe('clear')
  })
})

describe('maintenance', () => {
  const of = (
    Scope: Maintenance['Scope'],
    Subject: string,
    Until = LATER,
  ): { maintenances: Maintenance[] } => ({
    maintenances: [
      { MaintenanceID: UUID, HomeID: 'h1', Scope, Subject, Until, Reason: 'x', By: 'y', StartedAt: NOW },
    ],
  })
  const shock = said('shock', '757', { ShockState: 2 })

  it.each([
    ['device', 'shock', 1, 'clear'],
    // Nothing is monitored any longer, which does not count as clear.
    ['hub', 'on', 2, 'unknown'],
    ['home', 'h1', 2, 'unknown'],
  ] as const)(
    'of a %s hides it and says how many items are hidden',
    (scope, subject, Maintained, Verdict) => {
      expect(attention([shock], of(scope, subject))).toMatchObject({
        Verdict,
        Items: [],
        Maintained,
        Watched: 2 - Maintained,
      })
    },
  )

  it('hides nothing elsewhere, or after its end', () => {
    expect(keys(attention([shock], of('device', 'other')))).toEqual(['state/shock'])
    expect(keys(attention([shock], of('device', 'shock', NOW)))).toEqual(['state/shock'])
  })

  it('hides fire and smoke only from an offline hub or a faulty sensor', () => {
    expect(keys(attention([fire], of('home', 'h1')))).toEqual(['state/smoke'])
    const fault = said('smoke', '756', { SmokeState: 5 })
    expect(keys(attention([fault], of('home', 'h1')))).toEqual([])
    expect(keys(attention([fire], { ...of('home', 'h1'), ...lost }, LATER - 1))).toEqual([])
  })
})

describe('in any event', () => {
  const states = fc.array(
    fc.record({
      type: fc.constantFrom('756', '757', '755'),
      value: fc.integer({ min: 1, max: 5 }),
      stored: fc.constantFrom('not', 'open', 'acknowledged'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  const FIELDS: Record<string, string> = { 756: 'SmokeState', 757: 'ShockState', 755: 'DoorState' }
  const given = (all: { type: string; value: number; stored: string }[]) => {
    const statuses = all.map(({ type, value }, i) => said(`d${i}`, type, { [FIELDS[type] as string]: value }))
    const alarms = statuses.flatMap((status, i) => {
      const how = all[i]?.stored
      return how === 'not' || !alarmStateOf(status)
        ? []
        : [alarmOf(status, how === 'acknowledged' ? { Acknowledged: acknowledged } : {})]
    })
    return { statuses, alarms }
  }

  it('an alarm never disappears when its hub goes offline', () => {
    fc.assert(
      fc.property(states, fc.integer({ min: 0, max: 3_600_000 }), (all, lostFor) => {
        const { statuses, alarms } = given(all)
        const before = keys(attention(statuses, { alarms }))
        const after = attention(statuses, { alarms, ...lost }, NOW + lostFor)
        expect(keys(after)).toEqual(expect.arrayContaining(before))
        expect(after.Verdict).not.toBe('clear')
      }),
    )
  })

  it('an open alarm never disappears when its device is removed', () => {
    fc.assert(
      fc.property(states, (all) => {
        const { alarms } = given(all)
        const uids = new Set(alarms.map(({ PeripheralUID }) => `state/${PeripheralUID}`))
        expect(new Set(keys(attention([], { alarms })))).toEqual(uids)
      }),
    )
  })

  it('acknowledging removes nothing and makes nothing clear', () => {
    fc.assert(
      fc.property(states, (all) => {
        const { statuses, alarms } = given(all)
        const before = attention(statuses, { alarms })
        const after = attention(statuses, {
          alarms: alarms.map((one) => ({ ...one, Acknowledged: acknowledged })),
        })
        expect(after.Verdict).toBe(before.Verdict)
        expect(keys(after).toSorted()).toEqual(keys(before).toSorted())
        expect(after.Known).toBe(before.Known)
      }),
    )
  })

  it('clearing ends only that alarm and makes nothing known', () => {
    fc.assert(
      fc.property(states, fc.nat(), (all, pick) => {
        const { statuses, alarms } = given(all)
        const one = alarms[pick % (alarms.length || 1)]
        fc.pre(one !== undefined)
        const before = attention(statuses, { alarms, ...lost })
        const after = attention(statuses, {
          alarms: alarms.map((other) => (other === one ? { ...other, Cleared: cleared } : other)),
          ...lost,
        })
        const gone = `state/${(one as Alarm).PeripheralUID}`
        expect(keys(after)).toEqual(keys(before).filter((key) => key !== gone))
        expect(after.Verdict).not.toBe('clear')
        expect(after.Known).toBeLessThanOrEqual(before.Known)
      }),
    )
  })
})

it('treats smoke, shock and full tanks as alarms, but not doors, motion or meters', () => {
  for (const type of ['756', '757']) expect([type, hasAlarmStates(type)]).toEqual([type, true])
  for (const type of ['755', '754', '514', '534']) expect([type, hasAlarmStates(type)]).toEqual([type, false])
  expect(Alarm.parse(alarmOf(fire))).toMatchObject({ Severity: 'critical', Values: { SmokeState: 3 } })
})

describe('an alarm of another kind', () => {
  const readings: Alarm['Readings'] = [
    {
      ...{ Field: 'Voltage', Logical: 'outside', Limit: [200, 240], Value: 251, Peak: 255, CrossesAt: null },
      ...{ Raised: 251, At: 0 },
    },
  ]
  const rule = (more: Partial<Alarm> = {}) =>
    alarmRecord({
      Kind: 'rule',
      Source: 'rule:r1',
      AutomationID: 'r1',
      AutomationName: '總電表',
      PeripheralUID: null,
      PeripheralType: null,
      SubjectName: null,
      Values: {},
      Readings: readings,
      Severity: 'warning',
      RaisedAt: NOW,
      ...more,
    })
  const meter = (more: object = {}, limits = true) =>
    device('m', '514', {
      ...(limits && {
        WarningThreshold: { CurrentLower: 0, CurrentUpper: 10, VoltageLower: 200, VoltageUpper: 240 },
      }),
      ...more,
    })
  const of = (Kind: Alarm['Kind'], subject: Partial<Alarm>, more: Partial<Alarm> = {}) =>
    rule({
      Kind,
      Source: `${Kind}:${subject.PeripheralUID ?? subject.ThingName}`,
      AutomationID: null,
      AutomationName: null,
      ...subject,
      ...more,
    })

  it('of a rule is an item with its readings, and nothing is clear while it is open', () => {
    const known = attention([], { alarms: [rule()] })
    expect(known).toMatchObject({
      Verdict: 'attention',
      Items: [
        {
          Key: 'rule/r1',
          Kind: 'rule',
          Severity: 'warning',
          Subject: 'r1',
          Name: '總電表',
          IsAhead: false,
          Since: NOW,
          Readings: readings,
          AlarmID: UUID,
        },
      ],
    })
    expect(attention([], { alarms: [rule({ Cleared: cleared })] }).Verdict).toBe('clear')
  })

  it('that is predicted says so, next to the one that is already true', () => {
    const ahead = rule({ Kind: 'ahead', Source: 'ahead:r1' })
    expect(
      attention([], { alarms: [rule(), ahead] })
        .Items.map(({ Key }) => Key)
        .toSorted(),
    ).toEqual(['ahead/r1', 'rule/r1'])
  })

  it('is merged into an existing item, with its acknowledgement', () => {
    const far = [hub('on', false, { SeenAt: NOW - 120_000 })]
    const gone = of('hubLost', { ThingName: 'on' }, { Acknowledged: acknowledged, Severity: 'critical' })
    expect(attention([], { hubs: far, alarms: [gone] }).Items).toMatchObject([
      { Key: 'hubLost/on', AlarmID: UUID, Acknowledged: acknowledged, Severity: 'critical' },
    ])
    const beyond = said('m', '514', { Voltage: 251 })
    const breach = of('breach', { PeripheralUID: 'm' }, { Severity: 'critical' })
    const facts = { devices: [meter()], alarms: [breach] }
    expect(attention([beyond], facts).Items).toMatchObject([
      { Key: 'breach/m', AlarmID: UUID, Readings: [{ Field: 'Voltage', Value: 251 }] },
    ])
  })

  it('stays until it is cleared, even after an OK report, with its last state', () => {
    const well = said('m', '514', { Voltage: 230 })
    const facts = { devices: [meter()], alarms: [of('breach', { PeripheralUID: 'm' })] }
    expect(attention([well], facts)).toMatchObject({
      Verdict: 'attention',
      Items: [
        {
          Kind: 'breach',
          Readings: readings,
          Stale: null,
        },
      ],
    })
  })

  it('of a removed device or an offline hub says so', () => {
    const silent = of('silent', { PeripheralUID: 'm' })
    expect(attention([], { alarms: [silent] }).Items).toMatchObject([{ Stale: { Why: 'removed' } }])
    expect(attention([], { devices: [meter()], alarms: [silent], ...lost }).Items).toMatchObject([
      { Kind: 'silent', Stale: { Why: 'hubLost' } },
    ])
  })

  it('is below unacknowledged and unshelved ones', () => {
    const shelved = rule({ Shelved: { By: 'y', At: NOW, Until: LATER, Reason: 'x' }, Severity: 'critical' })
    const other = rule({ Source: 'rule:r2', AutomationID: 'r2' })
    expect(keys(attention([], { alarms: [shelved, other] }))).toEqual(['rule/r2', 'rule/r1'])
  })

  it('is hidden while its device, hub or home is in maintenance', () => {
    const maintenances: Maintenance[] = [
      {
        MaintenanceID: UUID,
        HomeID: 'h1',
        Scope: 'home',
        Subject: 'h1',
        Until: LATER,
        Reason: 'x',
        By: 'y',
        StartedAt: NOW,
      },
    ]
    const alarms = [rule(), of('breach', { PeripheralUID: 'm' }), of('hubLost', { ThingName: 'on' })]
    expect(attention([], { devices: [meter()], alarms, maintenances }).Items).toEqual([])
  })

  it('is never clear, whatever devices report, and is listed once', () => {
    const kinds = fc.constantFrom('breach', 'silent', 'hubLost', 'rule', 'ahead') as fc.Arbitrary<
      Alarm['Kind']
    >
    const anAlarm = fc.record({
      kind: kinds,
      subject: fc.constantFrom('m', 'gone', 'on'),
      acknowledged: fc.boolean(),
      shelved: fc.boolean(),
    })
    const facts = fc.record({
      alarms: fc.uniqueArray(anAlarm, {
        minLength: 1,
        maxLength: 6,
        selector: ({ kind, subject }) => `${kind}:${subject}`,
      }),
      voltage: fc.integer({ min: 150, max: 300 }),
      isOnline: fc.boolean(),
      after: fc.integer({ min: 0, max: 3_600_000 }),
    })
    fc.assert(
      fc.property(facts, (given) => {
        const alarms = given.alarms.map((one, i) => {
          const isOfRule = one.kind === 'rule' || one.kind === 'ahead'
          return rule({
            AlarmID: `6b1f7a52-6f0a-4f7b-9f0e-3a52b2a3c1d${i}`,
            Kind: one.kind,
            Source: `${one.kind}:${one.subject}`,
            AutomationID: isOfRule ? one.subject : null,
            PeripheralUID: isOfRule || one.kind === 'hubLost' ? null : one.subject,
            ThingName: one.kind === 'hubLost' ? one.subject : null,
            Acknowledged: one.acknowledged ? acknowledged : null,
            Shelved: one.shelved ? { By: 'y', At: NOW, Until: LATER, Reason: 'x' } : null,
          })
        })
        const found = attention(
          [said('m', '514', { Voltage: given.voltage })],
          { devices: [meter()], alarms, hubs: [hub('on', given.isOnline, { SeenAt: NOW })] },
          NOW + given.after,
        )
        const stored = found.Items.flatMap(({ AlarmID }) => AlarmID ?? [])
        expect(stored.toSorted()).toEqual(alarms.map(({ AlarmID }) => AlarmID).toSorted())
        expect(found.Verdict).toBe('attention')
        const knownOf = found.Items.map(({ Acknowledged, Shelved }) => Boolean(Acknowledged ?? Shelved))
        expect(knownOf).toEqual(knownOf.toSorted((a, b) => Number(a) - Number(b)))
      }),
    )
  })
})
