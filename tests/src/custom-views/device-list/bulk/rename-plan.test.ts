import { describe, expect, it } from 'vitest'
import { newNames, renameFault } from '../../../../../src/custom-views/device-list/bulk/rename-dialog.tsx'

const lamps = (count: number) => Array.from({ length: count }, (_, i) => `lamp ${i}`)

describe('new names from a pattern', () => {
  it('number devices in list order', () => {
    expect(newNames('會議室燈 {n}', ['a', 'b', 'c'], 1)).toEqual(['會議室燈 1', '會議室燈 2', '會議室燈 3'])
  })

  it('pad every number to the digits of the last one, so that names sort', () => {
    expect(newNames('L{n}', lamps(10), 1).filter((_, i) => i === 0 || i === 9)).toEqual(['L01', 'L10'])
    expect(newNames('L{n}', lamps(2), 99)).toEqual(['L099', 'L100'])
  })

  it('can include the current name', () => {
    expect(newNames('3F {name}', ['走廊燈', '門燈'], 1)).toEqual(['3F 走廊燈', '3F 門燈'])
  })

  it('use a current name literally, even if it looks like a pattern', () => {
    expect(newNames('{name} {n}', ['{n} $& lamp'], 7)).toEqual(['{n} $& lamp 7'])
  })
})

describe('a pattern', () => {
  it.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['燈', 'noNumber'],
    ['{n}'.padEnd(70, 'x'), 'tooLong'],
    ['燈 {n}', undefined],
    ['{name}', undefined],
  ])('%j for two devices: %s', (pattern, fault) => {
    expect(renameFault(pattern, ['a', 'b'], 1)).toBe(fault)
  })

  it('needs no number for one device', () => {
    expect(renameFault('燈', ['a'], 1)).toBeUndefined()
  })

  it('counts the current name toward the maximum length', () => {
    expect(renameFault('x{name}', ['n'.repeat(64)], 1)).toBe('tooLong')
  })
})
