import type { FC } from 'react'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { difference } from './permission-matrix-rules.ts'
import page from '../../../ui/page/page.module.css'
import type { User } from '../../../../contract/people/user.ts'

/** Added and removed rights between two permission lists, one line per feature. */
export const RightsChange: FC<{ before: readonly Permission[]; after: readonly Permission[] }> = (props) => {
  const t = useT()
  const { added, removed } = difference(props.before, props.after)
  const lines = (title: string, list: readonly Permission[]) =>
    list.length > 0 && (
      <>
        <strong>{title}</strong>
        <ul className={`${page.bullets} ${page.below8}`}>
          {list.map(({ FeatureKey, OperationList }) => (
            <li key={FeatureKey}>
              {t('people:rights.line', {
                feature: t(`shell:features.${FeatureKey}`),
                operations: OperationList.map((operation) => t(`shell:operations.${operation}`)).join(
                  t('people:comma'),
                ),
              })}
            </li>
          ))}
        </ul>
      </>
    )
  return (
    <>
      {lines(t('people:rights.added'), added)}
      {lines(t('people:rights.removed'), removed)}
    </>
  )
}

/** Access that a user has not used yet: an invitation or an initial password; it ends when their rights change. */
export function pendingAccess(
  { InvitedUntil, HasInitialPassword }: Pick<User, 'InvitedUntil' | 'HasInitialPassword'>,
  now: number,
): 'invitation' | 'initialPassword' | undefined {
  if (InvitedUntil !== null) return InvitedUntil > now ? 'invitation' : undefined
  return HasInitialPassword ? 'initialPassword' : undefined
}

export function hasDifference(before: readonly Permission[], after: readonly Permission[]): boolean {
  const { added, removed } = difference(before, after)
  return added.length + removed.length > 0
}
