import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import { department } from '../../../contract/resources/department.ts'
import { callQuery } from '../../providers/api.ts'

/** The name of a department, or a dash for none. */
export const DepartmentName: FC<{ id: string | null }> = ({ id }) => {
  const { data } = useQuery(callQuery(department.operations.list, {}))
  return data?.find(({ DepartmentID }) => DepartmentID === id)?.Department ?? '–'
}
