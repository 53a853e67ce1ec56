import { Alert, Button } from 'antd'
import type { FC, ReactNode, ReactElement } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import page from '../ui/page/page.module.css'
import type { TrackedRecord } from './use-tracked-record.ts'

/** A field that another user has changed: its previous and current value, or a description of the difference. */
export type FieldChange = { label: string } & (
  { before: ReactNode; remote: ReactNode } | { difference: ReactNode }
)

/** Labels and texts of a record's fields in a form. */
export type FieldWords<T> = readonly { label: string; of: (record: T) => string | null }[]

/** Fields whose texts differ between two versions of a record. */
export const changesBetween = <T,>(base: T, remote: T, fields: FieldWords<T>): FieldChange[] =>
  fields
    .map(({ label, of }) => ({ label, before: of(base) || '–', remote: of(remote) || '–' }))
    .filter((change) => change.before !== change.remote)

interface Props {
  changes: readonly FieldChange[]
  /** Puts the remote values into the form. */
  takeRemote: () => void
  /** Keeps the form's values: the next save overwrites the remote ones. */
  keepLocal: () => void
}

/** Shows the changes that another user has made to the same record; nothing is overwritten until the user decides. */
export const RecordConflict: FC<Props> = ({ changes, takeRemote, keepLocal }) => {
  const t = useT()
  return (
    <Alert
      showIcon
      type="warning"
      role="alert"
      style={{ marginBottom: 16 }}
      message={t('errors:fields.changed')}
      description={
        <>
          {t('screens:conflict.text')}
          {changes.length > 0 && (
            <table className={`${page.table} ${page.words} ${page.below8}`}>
              <thead>
                <tr>
                  <th scope="col">{t('screens:conflict.field')}</th>
                  <th scope="col">{t('screens:conflict.before')}</th>
                  <th scope="col">{t('screens:conflict.remote')}</th>
                </tr>
              </thead>
              <tbody>
                {changes.map((change) => (
                  <tr key={change.label}>
                    <th scope="row">{change.label}</th>
                    {'difference' in change ? (
                      <td colSpan={2}>{change.difference}</td>
                    ) : (
                      <>
                        <td>{change.before}</td>
                        <td>{change.remote}</td>
                      </>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          <div className={page.tightRow}>
            <Button type="primary" onClick={takeRemote}>
              {t('screens:conflict.take')}
            </Button>
            <Button onClick={keepLocal}>{t('screens:conflict.keep')}</Button>
          </div>
        </>
      }
    />
  )
}

interface FollowedConflictProps<T> {
  tracked: TrackedRecord<T>
  /** Current record. */
  record: T | undefined
  /** Labels and texts of the form's fields. */
  words: FieldWords<T>
}

/** Shows the changes of another user that conflict with the form, above the button that they block. */
export function FollowedConflict<T>({
  tracked,
  record,
  words,
}: FollowedConflictProps<T>): ReactElement | null {
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
