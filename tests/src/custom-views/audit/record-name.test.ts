import { describe, expect, it } from 'vitest'
import { resources } from '../../../../contract/index.ts'
import { recordName } from '../../../../src/custom-views/audit/record-name.ts'

const row = (told: { Before?: unknown; After?: unknown; Input?: unknown }) => ({
  Before: null,
  After: null,
  Input: null,
  ...told,
})

describe('the name of a record that was changed', () => {
  it('is the one after the change, then the one before, then the one that was sent', () => {
    const named = (RoomName: string) => ({ HomeID: 'h', RoomName })
    expect(recordName(row({ Before: named('舊'), After: named('新') }))).toEqual({ name: '新', more: 0 })
    expect(recordName(row({ Before: named('舊'), Input: { RoomID: 1 } }))).toEqual({ name: '舊', more: 0 })
    expect(recordName(row({ Input: named('送') }))).toEqual({ name: '送', more: 0 })
  })

  it('of several is the first one, with how many more there are', () => {
    const After = [{ Subject: '晨會' }, { Subject: '晨會' }, { Subject: '晨會' }]
    expect(recordName(row({ After }))).toEqual({ name: '晨會', more: 2 })
  })

  it('is the device rather than the home it is in, and its id only where nothing else names it', () => {
    expect(
      recordName(row({ After: { HomeName: '總部', PeripheralUID: 'a', PeripheralName: '燈' } }))?.name,
    ).toBe('燈')
    expect(recordName(row({ Input: { PeripheralUID: 'a', PeripheralName: '' } }))?.name).toBe('a')
  })

  it('of a person is the whole one, and the address where there is none', () => {
    const person = { FirstName: '大明', LastName: '王', Email: 'ming@company.example' }
    expect(recordName(row({ After: person }))?.name).toBe('王大明')
    expect(recordName(row({ After: { ...person, FirstName: '', LastName: '' } }))?.name).toBe(person.Email)
  })

  it.each(Object.values(resources).filter(({ name }) => name !== 'utilityBill'))(
    'is found in every $name',
    ({ record }) => {
      const fields = Object.keys(record.shape)
      const After = Object.fromEntries(fields.map((field) => [field, `the ${field}`]))
      expect(recordName(row({ After }))?.name).toMatch(/Name$|^the (Department|Subject|Name)$/)
    },
  )

  it('is unknown where nothing names it', () => {
    expect(recordName(row({ Input: { Year: 2026 }, After: [] }))).toBeUndefined()
    expect(recordName(row({ Input: 'text' }))).toBeUndefined()
  })
})
