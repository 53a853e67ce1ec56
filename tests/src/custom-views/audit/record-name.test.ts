import { describe, expect, it } from 'vitest'
import { resources } from '../../../../contract/index.ts'
import { recordName } from '../../../../src/custom-views/audit/audit-words.ts'

const row = (told: { Before?: unknown; After?: unknown; Input?: unknown }) => ({
  Before: null,
  After: null,
  Input: null,
  ...told,
})

describe('the name of a changed record', () => {
  it('is the new name, else the previous one, else the one that was sent', () => {
    const named = (RoomName: string) => ({ HomeID: 'h', RoomName })
    expect(recordName(row({ Before: named('舊'), After: named('新') }))).toEqual({ name: '新', moreCount: 0 })
    expect(recordName(row({ Before: named('舊'), Input: { RoomID: 1 } }))).toEqual({
      name: '舊',
      moreCount: 0,
    })
    expect(recordName(row({ Input: named('送') }))).toEqual({ name: '送', moreCount: 0 })
  })

  it('is the first of several, with the number of others', () => {
    const After = [{ Subject: '晨會' }, { Subject: '晨會' }, { Subject: '晨會' }]
    expect(recordName(row({ After }))).toEqual({ name: '晨會', moreCount: 2 })
  })

  it('is the device rather than its home, and its ID only without another name', () => {
    expect(
      recordName(row({ After: { HomeName: '總部', PeripheralUID: 'a', PeripheralName: '燈' } }))?.name,
    ).toBe('燈')
    expect(recordName(row({ Input: { PeripheralUID: 'a', PeripheralName: '' } }))?.name).toBe('a')
  })

  it('is the full name of a person, or the address without a name', () => {
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

  it('is unknown without any name', () => {
    expect(recordName(row({ Input: { Year: 2026 }, After: [] }))).toBeUndefined()
    expect(recordName(row({ Input: 'text' }))).toBeUndefined()
  })
})
