import { describe, expect, it } from 'vitest'
import {
  withNumber,
  safeFileName,
  sheetNames,
  disambiguateNames,
} from '../../../../src/lib/export/file-names.ts'

describe('a file', () => {
  it.each([
    ['1F/2F:總電表?*', '1F_2F_總電表__'],
    ['con', '_con'],
    ['COM1.csv', '_COM1.csv'],
    ['com²', '_com²'],
    ['nul .txt', '_nul .txt'],
    ['Conference', 'Conference'],
    ['ends with dots...', 'ends with dots'],
    ['a\u202Efdp.exe', 'a_fdp.exe'],
    ['', '_'],
    [' . ', '_'],
    ['\u200D', '_'],
    ['عدّاد الطابق', 'عدّاد الطابق'],
    ['👩🏽\u200D💻 電表', '👩🏽\u200D💻 電表'],
  ])('of %j is named %j', (name, file) => {
    expect(safeFileName(name)).toBe(file)
  })

  it('has no name beyond the limit of the file system', () => {
    const name = safeFileName('電'.repeat(200))
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(120)
    expect(name).toMatch(/^電+$/)
  })

  it('is numbered if its name is taken, ignoring case', () => {
    expect(withNumber(['A', 'a', 'A (2)', 'A'])).toEqual(['A', 'a (2)', 'A (2) (2)', 'A (3)'])
  })
})

describe('meters with the same name', () => {
  const meters = (...names: string[]) =>
    names.map((PeripheralName, i) => ({ PeripheralUID: `m${i + 1}`, PeripheralName }))

  it('alone have their IDs in the name', () => {
    expect(disambiguateNames(meters('總表', 'A', 'a', '總表/1', '總表_1'), 40)).toEqual([
      '總表',
      'A (m2)',
      'a (m3)',
      '總表/1 (m4)',
      '總表_1 (m5)',
    ])
  })

  it('keep their whole IDs in long names, never cut within a character', () => {
    expect(disambiguateNames(meters('😀'.repeat(20), '😀'.repeat(20)), 31)).toEqual([
      `${'😀'.repeat(13)} (m1)`,
      `${'😀'.repeat(13)} (m2)`,
    ])
  })

  it('are numbered if their IDs do not fit', () => {
    const long = [1, 2].map((i) => ({ PeripheralUID: `${i}`.repeat(40), PeripheralName: 'A' }))
    expect(disambiguateNames(long, 31)).toEqual(['A', 'A'])
  })
})

describe('sheet names', () => {
  const LONG = 'x'.repeat(30)

  it('exclude what Excel rejects: too long, brackets, apostrophes at an end, or reserved', () => {
    const names = sheetNames([`${LONG}'y`, `''`, '[1]', 'History', 'a/b'])
    expect(names).toEqual([LONG, '_', '_1_', 'History (2)', 'a_b'])
  })

  it('are never cut within a character, so that two never become equal', () => {
    const names = sheetNames([`${LONG}😀`, `${LONG}🏭`])
    expect(names).toEqual([LONG, `${'x'.repeat(27)} (2)`])
  })

  it('are numbered if equal, in any number', () => {
    const names = sheetNames(Array.from({ length: 120 }, () => '總電表'.repeat(20)))
    expect(new Set(names).size).toBe(120)
    expect(names.every(({ length }) => length <= 31)).toBe(true)
  })
})
