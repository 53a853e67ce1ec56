import { Tag } from 'antd'
import { Link } from 'react-router'
import { USER_SORTS, type UserRow } from '../../../contract/people/user.ts'
import { me } from '../../data/session.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { ImportButton } from './import/import-users.tsx'
import { InvitationButtons } from './invite/invitation-buttons.tsx'
import { isOwner } from './use-user-fields.tsx'
import { UserPage } from './user-form.tsx'
import { useDepartmentFilter } from '../../domain/department/use-department-filter.tsx'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter } from '../../record-kit/screen.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import { oneOf } from '../../ui/page/use-address.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import type { ListColumn } from '../../record-kit/export/columns.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'

/** Sign-in state of a user: enabled, disabled, or with an open or expired invitation. */
const stateOf = ({ enabled, InvitedUntil }: UserRow, now: number) =>
  !enabled ? 'off' : InvitedUntil === null ? 'on' : InvitedUntil > now ? 'invited' : 'invitationOver'
const TONES = { on: 'good', off: 'offline', invited: 'plain', invitationOver: 'warning' } as const

function useUserColumns(): readonly ListTableColumn<UserRow>[] {
  const t = useT()
  const now = useNow()
  const roleOf = (row: UserRow) =>
    isOwner(row)
      ? t('people:list.everything')
      : t(row.Template === null ? 'people:list.custom' : `people:invite.cards.${row.Template}.name`)
  return [
    {
      key: 'name',
      sort: 'Name',
      width: 150,
      text: displayName,
      render: (row) => (
        <>
          <Link to={pathTo('editUser', { userID: row.CognitoId })}>{displayName(row)}</Link>{' '}
          {isOwner(row) && <Tag>{t('resources:user.owner')}</Tag>}
        </>
      ),
    },
    { key: 'Email', sort: 'Email', width: 250 },
    {
      key: 'Department',
      sort: 'Department',
      title: t('resources:user.fields.DepartmentID'),
      width: 110,
      minWidth: 110,
      render: (row) => row.Department ?? '–',
    },
    {
      key: 'role',
      title: t('people:list.role'),
      width: 150,
      minWidth: 120,
      omitOrder: 1,
      text: roleOf,
    },
    {
      key: 'enabled',
      onPhone: 'first',
      title: t('people:list.state'),
      width: 130,
      text: (row) => t(`resources:user.${stateOf(row, now)}`),
      render: (row) => {
        const state = stateOf(row, now)
        return <StateTag tone={TONES[state]}>{t(`resources:user.${state}`)}</StateTag>
      },
    },
  ]
}

function useUserExport(): readonly ListColumn<UserRow>[] {
  const t = useT()
  const now = useNow()
  return [
    { title: t('resources:user.fields.Email'), of: (row) => row.Email },
    { title: t('resources:user.fields.LastName'), of: (row) => row.LastName },
    { title: t('resources:user.fields.FirstName'), of: (row) => row.FirstName },
    { title: t('resources:user.fields.nickname'), of: (row) => row.nickname },
    { title: t('resources:user.fields.DepartmentID'), of: (row) => row.Department },
    { title: t('resources:user.fields.rank'), of: (row) => row.rank },
    {
      title: t('resources:user.fields.enabled'),
      of: (row) => t(`resources:user.${stateOf(row, now)}`),
    },
  ]
}

const STATES = ['on', 'invited', 'off'] as const
const CONFIRMATIONS = {
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
        return state ? CONFIRMATIONS[state] : {}
      },
      bar: (get, change) =>
        barChoice({
          key: 'state',
          value: oneOf(STATES, get('state')),
          placeholder: t('people:list.anyState'),
          label: t('resources:user.fields.enabled'),
          options,
          onChange: (state) => change({ state }),
        }),
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
  bulk: {
    requiredRights: [
      { feature: 'user', operation: 'Update' },
      { feature: 'user', operation: 'Delete' },
    ],
    Bar: lazyPart(() => import('./user-bulk-bar.tsx')),
  },
  Tools: ImportButton,
  Menu: InvitationButtons,
  views: 'user',
  exports: { requiredRight: { feature: 'user', operation: 'Export' }, columns: useUserExport },
  pages: { Create: UserPage, Edit: UserPage },
})
