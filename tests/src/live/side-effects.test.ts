import { describe, expect, it } from 'vitest'
import type { AnyChange } from '../../../src/data/cache-patches.ts'
import { sideEffectsOf, type CurrentPlace } from '../../../src/live/side-effects.ts'
import { aPeripheral } from '../../support/peripheral.ts'

const device = (PeripheralUID: string, ThingName: string) =>
  aPeripheral({ PeripheralUID, PeripheralType: '516', HomeID: 'h1', RoomID: 0, ThingName })
const devices = { Things: [], Peripherals: [device('p1', 't1'), device('p2', 't2')], Statuses: [] }
const after = (change: AnyChange, place: CurrentPlace = { homeId: 'h1', roomId: undefined }) =>
  sideEffectsOf(change, place, (homeId) => (homeId === 'h1' ? devices : undefined))

describe('a deleted home', () => {
  it('leads to the home list if it is the current one, and its devices are removed', () => {
    expect(after({ name: 'home.remove', record: { HomeID: 'h1' } })).toEqual({
      goTo: { page: 'HomeList' },
      removedUids: ['p1', 'p2'],
    })
  })

  it('does not navigate if it is another one', () => {
    expect(after({ name: 'home.remove', record: { HomeID: 'h2' } })).toEqual({ removedUids: [] })
  })
})

describe('a deleted room', () => {
  it.each(['room.remove', 'home.removeRoom'] as const)(
    'leads to the device list if it is open (%s)',
    (name) => {
      const change: AnyChange = { name, record: { HomeID: 'h1', RoomID: 1 } }
      expect(after(change, { homeId: 'h1', roomId: 1 }).goTo).toEqual({ page: 'DeviceList', homeId: 'h1' })
      expect(after(change, { homeId: 'h1', roomId: 2 }).goTo).toBeUndefined()
      expect(after(change, { homeId: 'h2', roomId: 1 }).goTo).toBeUndefined()
    },
  )
})

describe('a status', () => {
  it('is deleted with its device', () => {
    const record = { HomeID: 'h1', PeripheralUID: 'p2' }
    expect(after({ name: 'peripheral.remove', record }).removedUids).toEqual(['p2'])
  })

  it('is deleted with the hub of its device', () => {
    expect(after({ name: 'thing.remove', record: { HomeID: 'h1', ThingName: 't1' } }).removedUids).toEqual([
      'p1',
    ])
  })

  it('is kept on other changes', () => {
    const record = { HomeID: 'h1', RoomID: 1, RoomName: 'Lobby' }
    expect(after({ name: 'room.update', record })).toEqual({ removedUids: [] })
  })
})
