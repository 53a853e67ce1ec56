import { describe, expect, it } from 'vitest'
import { defaultRoleOf, mayHangBelow, METER_ROLES, termOf } from '../../../contract/devices/meter-roles.ts'
import { deviceOfMeter, returnIdOf } from '../../../contract/devices/kinds/meter-id.ts'
import { proposeRole } from '../../../contract/energy/role-answers.ts'

describe('roles of meters', () => {
  it('are placed below their own kind, and a load below the import that supplies it', () => {
    const others = METER_ROLES.flatMap((role) =>
      METER_ROLES.flatMap((parent) =>
        role !== parent && mayHangBelow(role, parent) ? [`${role} below ${parent}`] : [],
      ),
    )
    expect(others).toEqual(['load below gridImport'])
    for (const role of METER_ROLES) expect(mayHangBelow(role, role)).toBe(true)
  })

  it('of loads, check meters and separately sold plants are not in the balance', () => {
    expect(METER_ROLES.filter((role) => termOf(role) === undefined)).toEqual([
      'load',
      'check',
      'soldGeneration',
    ])
  })

  it('are load, and check for the second register, by default', () => {
    expect(defaultRoleOf('meter-1')).toBe('load')
    expect(defaultRoleOf(returnIdOf('meter-1'))).toBe('check')
    expect(deviceOfMeter(returnIdOf('meter-1'))).toEqual({ PeripheralUID: 'meter-1', isReturn: true })
    expect(deviceOfMeter('meter-1')).toEqual({ PeripheralUID: 'meter-1', isReturn: false })
  })
})

describe('a proposed role', () => {
  const sunny = Array.from({ length: 24 }, (_, hour) => (hour > 5 && hour < 19 ? 6 - Math.abs(12 - hour) : 0))
  const steady = Array.from({ length: 24 }, () => 3)
  const ofName = (Name: string, MeterID = 'm1') => proposeRole({ MeterID, Name }, 'surplus')

  it('follows the name', () => {
    expect(ofName('太陽能 1')).toBe('generation')
    expect(ofName('屋頂光電')).toBe('generation')
    expect(ofName('台電總表')).toBe('gridImport')
    expect(ofName('餘電躉售表')).toBe('gridExport')
    expect(ofName('儲能放電')).toBe('storageDischarge')
    expect(ofName('儲能充電')).toBe('storageCharge')
    expect(ofName('Check meter')).toBe('check')
    expect(ofName('冰水主機')).toBe('load')
    expect(ofName('充電樁')).toBe('load')
  })

  it('of a second register is the opposite direction of the first', () => {
    expect(ofName('Grid meter', 'm1.return')).toBe('gridExport')
    expect(ofName('Battery', 'm1.return')).toBe('storageCharge')
    expect(ofName('Chiller', 'm1.return')).toBe('check')
  })

  it('follows the shape of a day if the name says nothing', () => {
    expect(proposeRole({ MeterID: 'm1', Name: 'Meter 7', hours: sunny }, 'surplus')).toBe('generation')
    expect(proposeRole({ MeterID: 'm1', Name: 'Meter 7', hours: steady }, 'surplus')).toBe('load')
    expect(proposeRole({ MeterID: 'm1', Name: 'Meter 7', hours: sunny.map(() => 0) }, 'surplus')).toBe('load')
  })

  it('of a plant that sells everything is outside the balance', () => {
    expect(proposeRole({ MeterID: 'm1', Name: '太陽能' }, 'all')).toBe('soldGeneration')
    expect(proposeRole({ MeterID: 'm1', Name: '太陽能' }, 'ownUse')).toBe('generation')
  })
})
