import { useMay } from '../../data/session.ts'
import { useDepartmentFilter } from '../../domain/department/use-department-filter.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { oneOf } from '../../ui/page/use-address.ts'
import { ChoiceFilter } from '../../ui/inputs/choice-filter.tsx'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter } from '../../record-kit/screen.ts'

const STATES = ['active', 'inactive'] as const

/** How the list of employees is narrowed: by department, for who may see these, and by whether they may pass. */
export function useEmployeeFilters(): readonly ListFilter<FilterOf<'employee'>>[] {
  const t = useT()
  const ofDepartment = useDepartmentFilter(t('access:fields.DepartmentID'))
  const maySeeDepartments = useMay('user', 'Read')
  const options = STATES.map((value) => ({ value, label: t(`access:employee.${value}`) }))
  return [
    ...(maySeeDepartments ? [ofDepartment] : []),
    {
      params: ['state'],
      read: (get) => {
        const state = oneOf(STATES, get('state'))
        return state ? { Active: state === 'active' } : {}
      },
      render: (get, change) => (
        <ChoiceFilter
          value={oneOf(STATES, get('state'))}
          placeholder={t('access:anyState')}
          label={t('access:fields.State')}
          options={options}
          onChange={(state) => change({ state })}
        />
      ),
      inWords: (get) => [options.find(({ value }) => value === get('state'))?.label],
    },
  ]
}
