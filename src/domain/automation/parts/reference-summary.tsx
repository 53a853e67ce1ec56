import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { type User, distinctUsers, useUserWords } from './user-list.tsx'

/** Maximum number of users listed by name. */
const MAX_NAMED = 10

interface Props {
  kind: 'device' | 'hub' | 'room' | 'person' | 'meetingRoom' | 'virtualMeter'
  rows: readonly User[]
  /** Number of users that are not visible to the person; 'some' if the exact number is unknown. */
  hidden: number | 'some'
  state: 'loading' | 'failed' | 'known'
  /** Number of things whose users were not queried. */
  uncheckedCount?: number
}

/** Lists what stops working if something is removed; renders nothing if no reference exists. */
export function ReferenceSummary({ kind, rows, hidden, state, uncheckedCount = 0 }: Props) {
  const t = useT()
  const wordsOf = useUserWords()
  // Users of a group or scene keep working if it loses one device.
  const users = distinctUsers(rows.filter(({ Via }) => Via === undefined))
  if (state === 'loading') return <p role="status">{t('automation:usedBy.loading')}</p>
  const isComplete = state === 'known' && uncheckedCount === 0
  if (isComplete && users.length === 0 && hidden === 0) return null
  const moreCount = users.length - MAX_NAMED
  return (
    <div className={page.stack}>
      {(users.length > 0 || hidden !== 0) && (
        <>
          <StateTag tone="warning">{t(`automation:usedBy.breaks.${kind}`)}</StateTag>
          <ul>
            {users.slice(0, MAX_NAMED).map((user) => (
              <li key={`${user.Kind} ${user.ID}`}>{wordsOf(user)}</li>
            ))}
            {moreCount > 0 && <li>{t('automation:usedBy.more', { count: moreCount })}</li>}
            {hidden === 'some' && <li>{t('automation:usedBy.hiddenSome')}</li>}
            {hidden !== 'some' && hidden > 0 && <li>{t('automation:usedBy.hidden', { count: hidden })}</li>}
          </ul>
        </>
      )}
      {state === 'failed' && <StateTag tone="warning">{t('automation:usedBy.failed')}</StateTag>}
      {uncheckedCount > 0 && (
        <p className={page.hint}>{t('automation:usedBy.unasked', { count: uncheckedCount })}</p>
      )}
    </div>
  )
}
