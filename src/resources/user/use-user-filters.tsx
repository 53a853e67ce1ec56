import { useDepartmentFilter } from '../../domain/department/use-department-filter.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter } from '../../record-kit/screen.ts'
import { ChoiceFilter } from '../../ui/inputs/choice-filter.tsx'
import { oneOf } from '../../ui/page/use-address.ts'

const STATES = ['on', 'invited', 'off'] as const
const ASKED = {
  on: { enabled: true, Invited: false },
  invited: { enabled: true, Invited: true },
  off: { enabled: false },
}

/** How the list of people is narrowed: by department, and by whether they may sign in. */
export function useUserFilters(): readonly ListFilter<FilterOf<'user'>>[] {
  const t = useT()
  const options = STATES.map((value) => ({ value, label: t(`resources:user.${value}`) }))
  return [
    useDepartmentFilter(t('resources:user.fields.DepartmentID')),
    {
      params: ['state'],
      read: (get) => {
        const state = oneOf(STATES, get('state'))
        return state ? ASKED[state] : {}
      },
      render: (get, change) => (
        <ChoiceFilter
          value={oneOf(STATES, get('state'))}
          placeholder={t('people:list.anyState')}
          label={t('resources:user.fields.enabled')}
          options={options}
          onChange={(state) => change({ state })}
        />
      ),
      inWords: (get) => [options.find(({ value }) => value === get('state'))?.label],
    },
  ]
}
