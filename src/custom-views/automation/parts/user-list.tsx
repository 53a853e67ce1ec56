import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { runs as calls } from '../../../../contract/procedures/runs.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { pathOfUser, type User } from './path-of-user.ts'

/** Each once, whether it watches or sets it or both. */
export const eachOnce = (rows: readonly User[]): User[] => [
  ...new Map(rows.map((row) => [`${row.Kind} ${row.ID}`, row])).values(),
]

/** Which groups, scenes and automations name something, each a link; nothing where none does. */
export function UserList(asked: { HomeID: string; Subject: 'device' | 'room'; ID: string | number }) {
  const t = useT()
  const { data } = useQuery(callQuery(calls.listUsedBy, asked))
  if (!data || data.Rows.length + data.Hidden === 0) return null
  return (
    <section className={page.section} aria-label={t('automation:usedBy.title')}>
      <h2>{t('automation:usedBy.title')}</h2>
      <ul>
        {eachOnce(data.Rows).map((row) => (
          <li key={`${row.Kind} ${row.ID}`}>
            <Link to={pathOfUser(row)}>
              {t('automation:usedBy.one', { kind: t(`automation:usedBy.kinds.${row.Kind}`), name: row.Name })}
            </Link>
          </li>
        ))}
        {data.Hidden > 0 && <li>{t('automation:usedBy.hidden', { count: data.Hidden })}</li>}
      </ul>
    </section>
  )
}
