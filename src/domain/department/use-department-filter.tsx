import type { FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ListFilter } from '../../record-kit/screen.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import type { Department } from '../../../contract/people/department.ts'
import { useMay } from '../../data/session.ts'
import { useRecords } from '../../record-kit/use-records.ts'

const NONE: readonly Department[] = []

/** The company's departments, updated live; empty while loading and without the right to read users. */
export const useDepartments = (): readonly Department[] =>
  useRecords('department', { enabled: useMay('user', 'Read') }).rows ?? NONE

/**
 * Filters a list of people by department.
 *
 * label  accessible name of the filter
 */
export function useDepartmentFilter(label: string): ListFilter<{ DepartmentID?: string | undefined }> {
  const t = useT()
  const departments = useDepartments()
  const departmentOf = (id: string) => departments.find(({ DepartmentID }) => DepartmentID === id)
  return {
    params: ['dept'],
    read: (get) => {
      const DepartmentID = departmentOf(get('dept'))?.DepartmentID
      return DepartmentID === undefined ? {} : { DepartmentID }
    },
    bar: (get, change) =>
      barChoice({
        key: 'dept',
        value: departmentOf(get('dept'))?.DepartmentID,
        label,
        placeholder: t('lists:anyDepartment'),
        options: departments.map((department) => ({
          value: department.DepartmentID,
          label: department.Department,
        })),
        onChange: (dept) => change({ dept }),
      }),
  }
}

export const DepartmentName: FC<{ id: string | null }> = ({ id }) => {
  return useDepartments().find(({ DepartmentID }) => DepartmentID === id)?.Department ?? '–'
}
