import { USER_SORTS } from '../../../contract/people/user.ts'
import { me } from '../../data/session.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { ImportButton } from './import/import-button.tsx'
import { InvitationButtons } from './invite/invitation-buttons.tsx'
import { isOwner } from './is-owner.ts'
import { useUserColumns, useUserExport } from './use-user-columns.tsx'
import { UserPage } from './user-form.tsx'
import { useDepartmentFilter } from '../../domain/department/use-department-filter.tsx'
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

/** Filters of the list of users: by department and by sign-in state. */
function useUserFilters(): readonly ListFilter<FilterOf<'user'>>[] {
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
      describe: (get) => [options.find(({ value }) => value === get('state'))?.label],
    },
  ]
}

const asPerson = ({ CognitoId }: { CognitoId: string }) => ({ Subject: 'person', ID: CognitoId }) as const

/** Users of the company; the list is paged to support ten thousand of them. The owner and the current user cannot be deleted. */
export default defineRecord({
  resource: 'user',
  columns: useUserColumns,
  filters: useUserFilters,
  search: () => t('people:list.search'),
  sort: { Sort: USER_SORTS[0], Descending: false },
  to: { list: () => pathTo('UserListing'), create: () => pathTo('addUser') },
  open: ({ CognitoId }) => pathTo('editUser', { userID: CognitoId }),
  remove: {
    when: (row) => !isOwner(row) && row.CognitoId !== me.get()?.CognitoId,
    consequence: () => t('resources:user.consequence'),
    breaks: (people) => <LazyUsersWarning kind="person" of={people.map(asPerson)} />,
  },
  many: {
    needs: [
      { feature: 'user', operation: 'Update' },
      { feature: 'user', operation: 'Delete' },
    ],
    Bar: lazyPart(() => import('./user-bulk-bar.tsx')),
  },
  Tools: ImportButton,
  Actions: InvitationButtons,
  actionsWidth: 150,
  views: 'user',
  exports: { needs: { feature: 'user', operation: 'Export' }, columns: useUserExport },
  pages: { Create: UserPage, Edit: UserPage },
})
