import type { z } from 'zod'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { MAX_USER_IMPORT } from '../../../../contract/people/calls.ts'
import type { Department } from '../../../../contract/people/department.ts'
import { user } from '../../../../contract/people/user.ts'
import {
  PERMISSION_TEMPLATES,
  TEMPLATE_NAMES,
  type TemplateName,
} from '../../../../contract/people/permission-templates.ts'
import { reasonFor } from '../../../record-kit/field-rules.ts'

/** Possible meanings of a column. */
export const COLUMNS = [
  'Email',
  'FirstName',
  'LastName',
  'nickname',
  'Department',
  'rank',
  'template',
] as const
export type ColumnName = (typeof COLUMNS)[number]

/** Index of each field's column, 0 is the first; undefined for none. */
export type Mapping = Partial<Record<ColumnName, number>>

/** Person parsed from a row, with everything but the password. */
export interface NewPerson {
  Email: string
  FirstName: string
  LastName: string
  nickname: string
  DepartmentID: string | null
  rank: number
  Permissions: Permission[]
}

/** Reason why a cell is invalid: a reason key of `errors.fields`, or `repeated` for an email that an earlier line has, ignoring case. */
export interface CellFault {
  /** Line number as in a spreadsheet, 1 is the first. */
  line: number
  column: ColumnName
  value: string
  reason: string
}

export interface ReadPeople {
  people: { line: number; person: NewPerson }[]
  faults: CellFault[]
  tooMany: boolean
}

/** Accepted names of columns or templates: their names in every language, and those on the wire. */
export type KnownPeople<Name extends string> = Readonly<Record<Name, readonly string[]>>

const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_()（）-]/g, '')

/** Mapping derived from the file's first line. */
export function guessMapping(head: readonly string[], columnNames: KnownPeople<ColumnName>): Mapping {
  const titles = head.map(plain)
  const mapping: Mapping = {}
  for (const name of COLUMNS) {
    const knownNames = [name, ...columnNames[name]].map(plain)
    const at = titles.findIndex((title) => knownNames.includes(title))
    if (at >= 0) mapping[name] = at
  }
  return mapping
}

/**
 * Department for a cell: an exact match, otherwise the only match when spaces, dashes, brackets, width and case are ignored. If several
 * match, the result is undefined, so that no one is assigned to a wrong department.
 */
function departmentNamed(text: string, departments: readonly Department[]): Department | undefined {
  if (text === '') return undefined
  const exactMatch = departments.find(({ Department }) => Department === text)
  if (exactMatch) return exactMatch
  const similarDepartments = departments.filter(({ Department }) => plain(Department) === plain(text))
  return similarDepartments.length === 1 ? similarDepartments[0] : undefined
}

const fields = user.operations.create.input.shape
/** Normalizes an email as the gateway stores it. */
const tidy = (email: string) => email.trim().toLowerCase()

/**
 * Reads the people below the file's first line. Skips empty lines and reports invalid cells. Cells are plain text: a formula is a valid
 * name and an invalid email.
 */
export function readPeople(
  grid: readonly (readonly string[])[],
  mapping: Mapping,
  departments: readonly Department[],
  templates: KnownPeople<TemplateName>,
): ReadPeople {
  const read: ReadPeople = { people: [], faults: [], tooMany: false }
  const seenEmails = new Set<string>()
  for (const [index, cells] of grid.entries()) {
    if (index === 0 || cells.every((cell) => cell.trim() === '')) continue
    if (read.people.length >= MAX_USER_IMPORT) {
      read.tooMany = true
      break
    }
    const line = index + 1
    const cell = (column: ColumnName) => {
      const at = mapping[column]
      return at === undefined ? '' : (cells[at] ?? '').trim()
    }
    const faults: CellFault[] = []
    const refuse = (column: ColumnName, reason: string | undefined) => {
      if (reason) faults.push({ line, column, value: cell(column), reason })
    }
    const email = tidy(cell('Email'))
    refuse('Email', email === '' ? 'required' : reasonFor(fields.Email, email))
    if (email !== '') {
      if (seenEmails.has(email)) refuse('Email', 'repeated')
      seenEmails.add(email)
    }
    for (const name of ['FirstName', 'LastName', 'nickname'] as const)
      refuse(name, reasonFor(fields[name], cell(name)))
    // Chinese input methods may produce full-width digits.
    const rank = cell('rank') === '' ? 0 : Number(cell('rank').normalize('NFKC'))
    refuse('rank', reasonFor(fields.rank as z.ZodType, rank))
    const department = departmentNamed(cell('Department'), departments)
    if (cell('Department') !== '' && !department) refuse('Department', 'notFound')
    const templateText = plain(cell('template'))
    const template =
      templateText === ''
        ? 'none'
        : TEMPLATE_NAMES.find((name) => [name, ...templates[name]].map(plain).includes(templateText))
    if (!template) refuse('template', 'notFound')
    read.faults.push(...faults)
    if (faults.length > 0 || !template) continue
    read.people.push({
      line,
      person: {
        Email: email,
        FirstName: cell('FirstName'),
        LastName: cell('LastName'),
        nickname: cell('nickname'),
        DepartmentID: department?.DepartmentID ?? null,
        rank,
        Permissions: [...PERMISSION_TEMPLATES[template]],
      },
    })
  }
  return read
}
