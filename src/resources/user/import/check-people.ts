import { people as calls } from '../../../../contract/people/calls.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { call } from '../../../data/api.ts'
import type { CellFault, Mapping, ReadPeople } from './read-people.ts'

/** Result of a dry run: people that can be created, and all invalid cells. */
export type ImportCheck = Pick<ReadPeople, 'people' | 'faults'>

const CELLS = { Email: 'Email', DepartmentID: 'Department', Permissions: 'template' } as const

/** Completes a dry run: adds the gateway's errors to those found in the file. Errors: CallError. */
export async function checkPeople(read: ReadPeople, grid: Grid, mapping: Mapping): Promise<ImportCheck> {
  const refused = await call(calls.checkUserImport, {
    People: read.people.map(({ person: { Email, DepartmentID, Permissions } }) => ({
      Email,
      DepartmentID,
      Permissions,
    })),
  })
  const more = refused.flatMap(({ Row, Field, Reason }): CellFault[] => {
    const row = read.people[Row]
    const value = grid[(row?.line ?? 0) - 1]?.[mapping[CELLS[Field]] ?? -1] ?? ''
    return row ? [{ line: row.line, column: CELLS[Field], value, reason: Reason }] : []
  })
  const broken = new Set(refused.map(({ Row }) => Row))
  return {
    people: read.people.filter((_, index) => !broken.has(index)),
    faults: [...read.faults, ...more].toSorted((a, b) => a.line - b.line),
  }
}
