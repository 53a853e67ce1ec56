import { useT } from '../../lib/i18n/i18n.ts'
import type { ListFilter } from '../../record-kit/screen.ts'
import { ChoiceFilter } from '../../ui/inputs/choice-filter.tsx'
import { useDepartments } from './use-departments.ts'

/**
 * Filters a list of people by department.
 *
 * label  accessible name of the filter
 */
export function useDepartmentFilter(label: string): ListFilter<{ DepartmentID?: string | undefined }> {
  const t = useT()
  const departments = useDepartments()
  const chosen = (id: string) => departments.find(({ DepartmentID }) => DepartmentID === id)
  return {
    params: ['dept'],
    read: (get) => {
      const DepartmentID = chosen(get('dept'))?.DepartmentID
      return DepartmentID === undefined ? {} : { DepartmentID }
    },
    render: (get, change) => (
      <ChoiceFilter
        searches
        value={chosen(get('dept'))?.DepartmentID}
        label={label}
        placeholder={t('lists:anyDepartment')}
        options={departments.map((one) => ({ value: one.DepartmentID, label: one.Department }))}
        onChange={(dept) => change({ dept })}
      />
    ),
    inWords: (get) => [chosen(get('dept'))?.Department],
  }
}
