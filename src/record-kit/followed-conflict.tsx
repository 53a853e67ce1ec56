import { Alert } from 'antd'
import type { ReactElement } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import { changesBetween, RecordConflict, type FieldWords } from './record-conflict.tsx'
import type { TrackedRecord } from './use-tracked-record.ts'

interface Props<T> {
  tracked: TrackedRecord<T>
  /** Current record. */
  record: T | undefined
  /** Labels and texts of the form's fields. */
  words: FieldWords<T>
}

/** Shows the changes of another user that conflict with the form, above the button that they block. */
export function FollowedConflict<T>({ tracked, record, words }: Props<T>): ReactElement | null {
  const t = useT()
  const { base, conflicting, stale, takeRemote, keepLocal } = tracked
  if (base && record && conflicting.length > 0)
    return (
      <RecordConflict
        changes={changesBetween(base, record, words)}
        takeRemote={takeRemote}
        keepLocal={keepLocal}
      />
    )
  return stale ? (
    <Alert
      showIcon
      type="warning"
      role="alert"
      style={{ marginBottom: 16 }}
      message={t('errors:fields.changed')}
    />
  ) : null
}
