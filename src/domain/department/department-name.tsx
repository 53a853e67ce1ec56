import type { FC } from 'react'
import { useDepartments } from './use-departments.ts'

/** Name of a department, or a dash for none. */
export const DepartmentName: FC<{ id: string | null }> = ({ id }) => {
  return useDepartments().find(({ DepartmentID }) => DepartmentID === id)?.Department ?? '–'
}
