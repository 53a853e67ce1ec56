import { describe, expect, it } from 'vitest'
import type { AnsweredPeripheral, Peripheral } from '../../../../contract/devices/peripheral.ts'
import { WHOLE_LIST, type ListQuery } from '../../../../contract/lists/list-query.ts'
import {
  comparing,
  countRows,
  type DeviceRow,
  deviceRows,
  filterRows,
  isOutOfOrder,
  sortRows,
} from '../../../../src/domain/devices/device-rows.ts'
import { rowStates, type RowStates } from '../../../../src/domain/devices/row-states.ts'
import { freshness } from '../../../../src/domain/devices/freshness.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

const hub = { ThingName: 'hub1', DeviceName: '主機', HomeID: 'h1', RoomID: 0, Online: true, SeenAt: 1 }
const device = (
  PeripheralUID: string,
  PeripheralType: string,
  more: Partial<Peripheral> = {},
): AnsweredPeripheral => aPeripheral({ PeripheralUID, PeripheralType, ThingName: 'hub1', ...more })
const kindName = ({ type }: DeviceRow) => (type?.category === 'ClampMeter' ? '智慧勾表' : '')
const none = WHOLE_LIST
const { compare } = new Intl.Collator('zh-TW', { numeric: true })
const NO_STATES: RowStates = new Map()
const rows = deviceRows({
  Things: [hub],
  Peripherals: [
    device('light2', '534', { PeripheralName: '走廊燈 2', RoomID: 3 }),
    device('light10', '516', { PeripheralName: '走廊燈 10', RoomID: 3 }),
    device('meter', '514', { PeripheralName: 'Main meter' }),
    device('han', '523'),
    device('han2', '524'),
    device('odd', '999'),
  ],
})

describe('device list', () => {
  it('never lists Han modules', () => {
    expect(rows.map((row) => row.id)).toEqual(['hub1', 'light2', 'light10', 'meter', 'odd'])
  })

  it('still lists an unknown type', () => {
    expect(rows.find((row) => row.id === 'odd')?.kind).toBe('Other')
  })

  it('counts each filter as if only that one were open', () => {
    const counts = countRows(rows, { ...none, kind: 'LightSwitch' }, kindName, NO_STATES)
    expect(counts.byKind.get('Hub')).toBe(1)
    expect(counts.byRoom).toEqual(new Map([[3, 2]]))
    expect(counts.anyKind).toBe(5)
    expect(counts.anyRoom).toBe(2)
  })

  it('searches every word in name, ID and kind, ignoring case', () => {
    const found = (search: string) =>
      filterRows(rows, { ...none, search }, kindName, NO_STATES).map((row) => row.id)
    expect(found('METER main')).toEqual(['meter'])
    expect(found('走廊 1')).toEqual(['light10'])
    expect(found('勾表')).toEqual(['meter'])
  })

  it('sorts numbers in names numerically, with the same order of ties in both directions', () => {
    const lights = filterRows(rows, { ...none, kind: 'LightSwitch' }, kindName, NO_STATES)
    const sorted = (descending: boolean) =>
      sortRows(lights, () => 0, { sort: 'name', descending }, compare).map((row) => row.id)
    expect(sorted(false)).toEqual(['light2', 'light10'])
    expect(sorted(true)).toEqual(['light10', 'light2'])
  })
})

describe('states of rows', () => {
  const NOW = 1_760_000_000_000
  const hubs = [
    { ...hub, ThingName: 'here', SeenAt: NOW },
    { ...hub, ThingName: 'away', Online: false, SeenAt: NOW - 120_000 },
  ]
  const devices = [
    device('smoke', '756', { ThingName: 'here' }),
    device('lamp', '516', { ThingName: 'here' }),
    device('dark', '516', { ThingName: 'here' }),
    device('lost', '516', { ThingName: 'away' }),
    device('new', '516', { ThingName: 'here' }),
    device('small', '514', { ThingName: 'here' }),
    device('large', '514', { ThingName: 'here' }),
    device('silent', '514', { ThingName: 'here' }),
  ]
  const told = (uid: string, type: string, values: object, age = 0) =>
    [
      uid,
      { PeripheralUID: uid, PeripheralType: type, Timestamp: NOW - age, updateAt: NOW - age, ...values },
    ] as const
  const statuses = new Map([
    told('smoke', '756', { SmokeState: 3 }),
    told('lamp', '516', { Switch: 1 }, 3_000),
    told('dark', '516', { Switch: 0 }, 2_000),
    told('lost', '516', { Switch: 1 }, 90_000),
    told('small', '514', { Power: 80 }, 1_000),
    told('large', '514', { Power: 4_000 }, 4_000),
    told('silent', '514', { Power: 9_000 }, 3_600_000),
  ])
  const all = deviceRows({ Things: hubs, Peripherals: devices })
  const statesOf = (more: typeof statuses = statuses) =>
    rowStates(all, { Things: hubs, Peripherals: devices }, (uid) => more.get(uid), {}, NOW)
  const states = statesOf()
  const inState = (state: ListQuery['state'], filter: Partial<ListQuery> = {}) =>
    filterRows(all, { ...none, ...filter, state }, kindName, states).map(({ id }) => id)
  const sorted = (sort: ListQuery['sort'], descending = false, by = states) => {
    const order = { sort, descending }
    return sortRows(
      all,
      comparing(order, by, () => '', compare),
      order,
      compare,
    )
  }
  const ids = (found: readonly DeviceRow[]) => found.map(({ id }) => id)

  it('are attention, offline and on', () => {
    expect(inState('alarm')).toEqual(['smoke'])
    expect(inState('attention')).toEqual(['away', 'smoke', 'silent'])
    expect(inState('offline')).toEqual(['away', 'lost'])
    expect(inState('silent')).toEqual(['silent'])
    expect(inState('off')).toEqual(['dark'])
  })

  it('are never on if unknown: the last state behind a lost hub', () => {
    expect(inState('on')).toEqual(['lamp'])
    expect(inState('unknown')).toEqual(['away', 'lost', 'new', 'silent'])
  })

  it('filter by hub with its devices, and by known power', () => {
    const found = (filter: Partial<ListQuery>) => inState(undefined, filter)
    expect(found({ hub: 'away' })).toEqual(['away', 'lost'])
    expect(found({ watts: { from: 100 } })).toEqual(['large'])
    expect(found({ watts: { through: 100 } })).toEqual(['small'])
  })

  it('are counted as if no state were selected', () => {
    const { byState, anyState } = countRows(all, { ...none, state: 'on', hub: 'here' }, kindName, states)
    expect(Object.fromEntries(byState)).toEqual({
      alarm: 1,
      attention: 2,
      silent: 1,
      unknown: 2,
      on: 1,
      off: 1,
    })
    expect(anyState).toBe(8)
  })

  it('sort by severity, power and age of the last report, unknown ones last', () => {
    expect(ids(sorted('state')).slice(0, 4)).toEqual(['smoke', 'away', 'silent', 'lost'])
    expect(ids(sorted('power', true)).slice(0, 2)).toEqual(['large', 'small'])
    expect(ids(sorted('power')).slice(0, 2)).toEqual(['small', 'large'])
    expect(ids(sorted('age', true)).slice(0, 3)).toEqual(['new', 'silent', 'away'])
  })

  it('report an outdated order only if it has changed', () => {
    const shown = sorted('power', true)
    const outOfOrder = (by: RowStates) =>
      isOutOfOrder(
        shown,
        all,
        comparing({ sort: 'power', descending: true }, by, () => '', compare),
      )
    expect(outOfOrder(states)).toBe(false)
    expect(outOfOrder(statesOf(new Map([...statuses, told('large', '514', { Power: 90 })])))).toBe(false)
    expect(outOfOrder(statesOf(new Map([...statuses, told('small', '514', { Power: 5_000 })])))).toBe(true)
  })
})

describe('freshness', () => {
  const meter = {
    hubOnline: true,
    timestamp: 1_000_000,
    frequencySeconds: 900,
    reports: true,
    now: 1_000_000,
  }

  it('distinguishes offline from no data yet', () => {
    expect(freshness({ ...meter, hubOnline: false })).toBe('offline')
    expect(freshness({ ...meter, timestamp: undefined })).toBe('none')
  })

  it('marks a meter as stale once its reading is as old as its update frequency', () => {
    expect(freshness({ ...meter, now: 1_000_000 + 899_999 })).toBe('current')
    expect(freshness({ ...meter, now: 1_000_000 + 900_000 })).toBe('stale')
  })

  it('keeps the last state of a door, which only reports changes', () => {
    expect(freshness({ ...meter, reports: false, now: 1e9 })).toBe('current')
    expect(freshness({ ...meter, reports: false, silentAfter: null, now: 1e9 })).toBe('current')
  })

  it('marks a sensor as silent after its maximum silence, and as offline with its hub', () => {
    const sensor = { ...meter, reports: false, silentAfter: 60_000 }
    expect(freshness({ ...sensor, now: 1_000_000 + 59_999 })).toBe('current')
    expect(freshness({ ...sensor, now: 1_000_000 + 60_000 })).toBe('silent')
    expect(freshness({ ...sensor, now: 1_000_000 + 60_000, hubOnline: false })).toBe('offline')
  })
})
