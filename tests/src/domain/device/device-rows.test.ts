import { describe, expect, it } from 'vitest'
import type { AnsweredPeripheral, Peripheral } from '../../../../contract/resources/peripheral.ts'
import {
  countRows,
  type DeviceRow,
  deviceRows,
  filterRows,
  sortRows,
} from '../../../../src/domain/device/device-rows.ts'
import { freshness } from '../../../../src/domain/device/freshness.ts'
import { aPeripheral } from '../../../support/peripheral.ts'

const hub = { ThingName: 'hub1', DeviceName: '主機', HomeID: 'h1', RoomID: 0, Online: true, SeenAt: 1 }
const device = (
  PeripheralUID: string,
  PeripheralType: string,
  more: Partial<Peripheral> = {},
): AnsweredPeripheral => aPeripheral({ PeripheralUID, PeripheralType, ThingName: 'hub1', ...more })
const kindName = ({ type }: DeviceRow) => (type?.category === 'ClampMeter' ? '智慧勾表' : '')
const none = { search: '', kind: undefined, RoomID: undefined }
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

  it('still lists a type this version does not know', () => {
    expect(rows.find((row) => row.id === 'odd')?.kind).toBe('Other')
  })

  it('counts each filter as if only that one were still open', () => {
    const counts = countRows(rows, { ...none, kind: 'LightSwitch' }, kindName)
    expect(counts.byKind.get('Hub')).toBe(1)
    expect(counts.byRoom).toEqual(new Map([[3, 2]]))
    expect(counts.anyKind).toBe(5)
    expect(counts.anyRoom).toBe(2)
  })

  it('searches every word in name, id and kind, in any letter case', () => {
    const found = (search: string) => filterRows(rows, { ...none, search }, kindName).map((row) => row.id)
    expect(found('METER main')).toEqual(['meter'])
    expect(found('走廊 1')).toEqual(['light10'])
    expect(found('勾表')).toEqual(['meter'])
  })

  it('sorts numbers in names as numbers, and the same in both directions for ties', () => {
    const lights = filterRows(rows, { ...none, kind: 'LightSwitch' }, kindName)
    const sorted = (descending: boolean) =>
      sortRows(lights, 'name', descending, () => '', 'zh-TW').map((row) => row.id)
    expect(sorted(false)).toEqual(['light2', 'light10'])
    expect(sorted(true)).toEqual(['light10', 'light2'])
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

  it('tells offline from no data yet', () => {
    expect(freshness({ ...meter, hubOnline: false })).toBe('offline')
    expect(freshness({ ...meter, timestamp: undefined })).toBe('none')
  })

  it('calls a meter stale once its reading is as old as its update frequency', () => {
    expect(freshness({ ...meter, now: 1_000_000 + 899_999 })).toBe('current')
    expect(freshness({ ...meter, now: 1_000_000 + 900_000 })).toBe('stale')
  })

  it('keeps the last word of a door that has nothing to say', () => {
    expect(freshness({ ...meter, reports: false, now: 1e9 })).toBe('current')
    expect(freshness({ ...meter, reports: false, silentAfter: null, now: 1e9 })).toBe('current')
  })

  it('calls a sensor silent once it has said nothing for its time, and offline with its hub', () => {
    const sensor = { ...meter, reports: false, silentAfter: 60_000 }
    expect(freshness({ ...sensor, now: 1_000_000 + 59_999 })).toBe('current')
    expect(freshness({ ...sensor, now: 1_000_000 + 60_000 })).toBe('silent')
    expect(freshness({ ...sensor, now: 1_000_000 + 60_000, hubOnline: false })).toBe('offline')
  })
})
