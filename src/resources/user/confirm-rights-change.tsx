import type { User } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/display-name.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { differ, pendingAccess } from './pending-access.ts'
import { RightsChange } from './rights-change.tsx'

/** Asks before rights of a person change: what is added, what is taken away, and that it signs them out or ends access not used yet. */
export function confirmRightsChange(
  person: User | undefined,
  next: Partial<User> & { password?: string },
): Promise<boolean> {
  return new Promise((resolve) => {
    const changes = person && next.Permissions && differ(person.Permissions, next.Permissions)
    const disables = person?.enabled === true && next.enabled === false
    if (!person || !(changes || disables)) return resolve(true)
    const pending = changes && !next.password ? pendingAccess(person, Date.now()) : undefined
    confirm({
      title: t('people:rights.confirm', { name: displayName(person) }),
      content: (
        <>
          {next.Permissions && <RightsChange before={person.Permissions} after={next.Permissions} />}
          {disables && <p>{t('people:rights.disables')}</p>}
          {pending ? (
            <p>{t(`people:pending.${pending}`)}</p>
          ) : (
            !disables && <p>{t('resources:user.signOutNote')}</p>
          )}
        </>
      ),
      okText: t('screens:save'),
      cancelText: t('screens:cancel'),
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    })
  })
}
