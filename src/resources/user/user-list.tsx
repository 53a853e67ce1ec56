import { user } from '../../../contract/resources/user.ts'
import { displayName } from '../../../contract/rules/display-name.ts'
import { pathTo } from '../../paths.ts'
import { t } from '../../providers/i18n.ts'
import { me } from '../../providers/session.ts'
import { definePages } from '../../ui/crud/define-pages.tsx'
import { StateTag } from '../../ui/state-tag.tsx'
import { DepartmentName } from './department-name.tsx'

const editPath = (row: { CognitoId: string }) => pathTo('editUser', { userID: row.CognitoId })

/** People of the company. The owner cannot be deleted, nor can one delete oneself. */
export default definePages(user, {
  list: {
    columns: [
      { key: 'name', text: displayName },
      'Email',
      { key: 'DepartmentID', render: (row) => <DepartmentName id={row.DepartmentID} /> },
      {
        key: 'role',
        text: (row) =>
          t(row.CognitoId === me.get()?.RootCognitoId ? 'resources:user.owner' : 'resources:user.member'),
      },
      {
        key: 'enabled',
        text: (row) => Number(row.enabled),
        render: (row) => (
          <StateTag tone={row.enabled ? 'good' : 'offline'}>
            {t(row.enabled ? 'resources:user.on' : 'resources:user.off')}
          </StateTag>
        ),
      },
    ],
    open: editPath,
    removable: (row) => row.CognitoId !== me.get()?.RootCognitoId && row.CognitoId !== me.get()?.CognitoId,
    consequence: () => t('resources:user.consequence'),
  },
  form: { as: 'page', create: 'addUser', edit: editPath },
})
