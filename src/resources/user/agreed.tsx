import type { User } from '../../../contract/resources/user.ts'
import { displayName } from '../../../contract/rules/access/display-name.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { difference } from './permission-matrix-rules.ts'
import { RightsChange } from './rights-change.tsx'

/** Asks before rights of a person change: what is added, what is taken away, and that it signs them out. */
export function agreed(person: User | undefined, next: Partial<User>): Promise<boolean> {
  return new Promise((resolve) => {
    const change = person && next.Permissions && difference(person.Permissions, next.Permissions)
    const disables = person?.enabled === true && next.enabled === false
    if (!person || !((change && change.added.length + change.removed.length > 0) || disables))
      return resolve(true)
    confirm({
      title: t('people:rights.confirm', { name: displayName(person) }),
      content: (
        <>
          {next.Permissions && <RightsChange before={person.Permissions} after={next.Permissions} />}
          <p>{t(disables ? 'people:rights.disables' : 'resources:user.signOutNote')}</p>
        </>
      ),
      okText: t('screens:save'),
      cancelText: t('screens:cancel'),
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    })
  })
}
