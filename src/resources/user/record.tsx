import { USER_SORTS } from '../../../contract/people/user.ts'
import { me } from '../../data/session.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { ImportButton } from './import/import-button.tsx'
import { InvitationButtons } from './invite/invitation-buttons.tsx'
import { isOwner } from './is-owner.ts'
import { useUserColumns, useUserExport } from './use-user-columns.tsx'
import { useUserFilters } from './use-user-filters.tsx'
import { UserPage } from './user-form.tsx'

const asPerson = ({ CognitoId }: { CognitoId: string }) => ({ Subject: 'person', ID: CognitoId }) as const

/** People of the company, ten thousand of them as soon as ten. The owner stays, and nobody deletes themselves. */
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
    breaks: (people) => <LazyUsersWarning what="person" of={people.map(asPerson)} />,
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
