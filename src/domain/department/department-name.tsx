import type { FC } from 'react'
import { useDepartments } from './use-departments.ts'

export const DepartmentName: FC<{ id: string | null }> = ({ id }) => {
  return useDepartments().find(({ DepartmentID }) => DepartmentID === id)?.Department ?? '–'
}
