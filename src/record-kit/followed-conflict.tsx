import { Alert } from 'antd'
import type { ReactElement } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import { changesBetween, RecordConflict, type FieldWords } from './record-conflict.tsx'
import type { TrackedRecord } from './use-tracked-record.ts'

interface Props<T> {
  followed: TrackedRecord<T>
  /** The record as it is now. */
  record: T | undefined
  /** What the form says of it, in words. */
  words: FieldWords<T>
}

/** Says what somebody else has changed of a record while the form says otherwise, above the button that it holds back. */
export function FollowedConflict<T>({ followed, record, words }: Props<T>): ReactElement | null {
  const t = useT()
  const { base, conflicting, stale, take, keep } = followed
  if (base && record && conflicting.length > 0)
    return <RecordConflict changes={changesBetween(base, record, words)} take={take} keep={keep} />
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
