import { describe, expect, it } from 'vitest'
import { MAX_USER_IMPORT } from '../../../../contract/people/calls.ts'
import { user } from '../../../../contract/people/user.ts'
import {
  PERMISSION_TEMPLATES,
  TEMPLATE_NAMES,
  type TemplateName,
} from '../../../../contract/people/permission-templates.ts'
import { initialPassword } from '../../../../src/resources/user/import/create-people.ts'
import {
  COLUMNS,
  guessMapping,
  readPeople,
  type ColumnName,
  type KnownPeople,
} from '../../../../src/resources/user/import/read-people.ts'

const columns = Object.fromEntries(
  COLUMNS.map((name) => [name, [] as string[]]),
) as unknown as KnownPeople<ColumnName>
const words: KnownPeople<ColumnName> = {
  ...columns,
  Email: ['電子郵件'],
  FirstName: ['名'],
  LastName: ['姓'],
  Department: ['部門'],
  template: ['權限範本'],
}
const templates: KnownPeople<TemplateName> = {
  ...(Object.fromEntries(
    TEMPLATE_NAMES.map((name) => [name, [] as string[]]),
  ) as unknown as KnownPeople<TemplateName>),
  viewer: ['檢視者'],
}
const departments = [{ DepartmentID: 'd1', Department: '廠務部' }]
const HEAD = ['電子郵件', '姓', '名', 'Nickname', '部門', 'RANK', '權限範本']
const mapping = guessMapping(HEAD, words)
const read = (...lines: string[][]) => readPeople([HEAD, ...lines], mapping, departments, templates)

describe('reading people from a file', () => {
  it('recognizes columns by their headings in any language and order', () => {
    expect(mapping).toEqual({
      Email: 0,
      LastName: 1,
      FirstName: 2,
      nickname: 3,
      Department: 4,
      rank: 5,
      template: 6,
    })
    expect(guessMapping(['First Name', 'E-Mail', 'x'], { ...words, Email: ['email'] })).toEqual({
      FirstName: 0,
      Email: 1,
    })
  })

  it('turns a line into a person, and skips empty lines', () => {
    const { people, faults } = read(
      [' Ming@Company.example ', '王', '大明', '', '廠務部', '12', '檢視者'],
      ['', '', ''],
      ['plain@company.example'],
    )
    expect(faults).toEqual([])
    expect(people).toMatchObject([
      {
        line: 2,
        person: {
          Email: 'ming@company.example',
          LastName: '王',
          FirstName: '大明',
          DepartmentID: 'd1',
          rank: 12,
          Permissions: PERMISSION_TEMPLATES.viewer,
        },
      },
      { line: 4, person: { DepartmentID: null, rank: 0, Permissions: [] } },
    ])
  })

  it('assigns no department for a name with several similar ones', () => {
    const of = (...names: string[]) =>
      readPeople(
        [HEAD, ['a@b.example', '', '', '', '廠務1', '', '']],
        mapping,
        names.map((Department) => ({ DepartmentID: Department, Department })),
        templates,
      )
    expect(of('廠務-1', '廠務1').people[0]?.person.DepartmentID).toBe('廠務1')
    expect(of('廠務-1').people[0]?.person.DepartmentID).toBe('廠務-1')
    expect(of('廠務-1', '廠務(1)').faults).toMatchObject([{ column: 'Department', reason: 'notFound' }])
  })

  it('reports every invalid cell, and skips its whole line', () => {
    const { people, faults } = read(
      ['', '王', '', '', '', '', ''],
      ['no address', '', '', '', '不存在', '100', '國王'],
      ['a@company.example', 'x'.repeat(65), '', '', '', '1.5', ''],
      ['b@company.example'],
      ['B@company.example'],
    )
    expect(people.map(({ line }) => line)).toEqual([5])
    expect(faults.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [2, 'Email', 'required'],
      [3, 'Email', 'email'],
      [3, 'rank', 'tooBig'],
      [3, 'Department', 'notFound'],
      [3, 'template', 'notFound'],
      [4, 'LastName', 'tooLong'],
      [4, 'rank', expect.any(String)],
      [6, 'Email', 'repeated'],
    ])
  })

  it('reports a missing address once per line', () => {
    const { faults } = read(['', '王'], ['', '李'])
    expect(faults.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'required'],
      [3, 'required'],
    ])
  })

  it('reads full-width digits of a Chinese keyboard', () => {
    expect(read(['f@company.example', '', '', '', '', '１２']).people[0]?.person.rank).toBe(12)
  })

  it('treats a formula as text', () => {
    const { people, faults } = read(['f@company.example', '=1+1', '', '', '', '=2', ''])
    expect(people).toEqual([])
    expect(faults).toMatchObject([{ column: 'rank', value: '=2' }])
    expect(read(['f@company.example', '=1+1']).people[0]?.person.LastName).toBe('=1+1')
  })

  it('rejects a file with too many people', () => {
    const many = Array.from({ length: MAX_USER_IMPORT + 1 }, (_, i) => [`p${i}@company.example`])
    expect(read(...many)).toMatchObject({ tooMany: true })
    expect(read(...many.slice(1))).toMatchObject({ tooMany: false, faults: [] })
  })
})

it('creates strong and unique initial passwords', () => {
  const made = Array.from({ length: 200 }, initialPassword)
  expect(new Set(made).size).toBe(200)
  for (const password of made) {
    expect(user.operations.create.input.shape.password.safeParse(password).success).toBe(true)
    expect(password).not.toMatch(/[il1o0]/)
  }
})
