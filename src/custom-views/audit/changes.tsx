import type { FC } from 'react'
import type { AuditRow } from '../../../contract/people/audit-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import styles from './audit.module.css'
import { changedFields } from './changed-fields.ts'
import { useAuditFieldWords, useAuditValueWords } from './field-words.ts'

/** One row of the log in full: its fields before and after, those that changed marked by more than colour. */
export const Changes: FC<{ row: AuditRow }> = ({ row }) => {
  const t = useT()
  const { when } = useFormatWhen()
  const wordsOf = useAuditFieldWords()
  const textOf = useAuditValueWords()
  const fields = changedFields(row)
  return (
    <>
      <dl className={`${page.facts} ${page.below16}`}>
        <dt>{t('audit:person')}</dt>
        <dd>{row.ByName}</dd>
        <dt>{t('audit:time')}</dt>
        <dd>{when(row.At)}</dd>
        <dt>{t('audit:from')}</dt>
        <dd>{row.Ip}</dd>
        <dt>{t('audit:call')}</dt>
        <dd>{row.Path}</dd>
        <dt>{t('audit:request')}</dt>
        <dd>{row.RequestId}</dd>
      </dl>
      {fields.length === 0 ? (
        <p className={page.muted}>{t('audit:nothingMore')}</p>
      ) : (
        <table className={`${page.table} ${styles.changes}`}>
          <thead>
            <tr>
              <th scope="col">{t('audit:field')}</th>
              <th scope="col">{t('audit:before')}</th>
              <th scope="col">{t('audit:after')}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ field, before, after, changed }) => (
              <tr key={field} className={changed ? styles.changed : ''}>
                <th scope="row">
                  {wordsOf(field) ?? field}
                  {wordsOf(field) !== undefined && <small>{field}</small>}
                </th>
                <td>{textOf(field, before) ?? '–'}</td>
                <td>{textOf(field, after) ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
