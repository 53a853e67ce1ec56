import { useQuery } from '@tanstack/react-query'
import { runs as calls } from '../../../../contract/automation/run-calls.ts'
import { callQuery } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { LoadFailed } from '../../../ui/page/states.tsx'
import { eachOnce, useUserWords } from '../parts/user-list.tsx'

/** The groups, scenes and automations that name a device and will name another. */
export function WhatMoves({ HomeID, uid }: { HomeID: string; uid: string }) {
  const t = useT()
  const wordsOf = useUserWords()
  const { data, error, refetch } = useQuery(
    callQuery(calls.listUsedBy, { HomeID, Subject: 'device', ID: uid }),
  )
  if (error && !data) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <p role="status">{t('automation:usedBy.loading')}</p>
  const rows = eachOnce(data.Rows).filter(({ Via }) => Via === undefined)
  return (
    <section aria-label={t('automation:replace.moves')}>
      <strong>{t('automation:replace.moves')}</strong>
      {rows.length + data.Hidden === 0 ? (
        <p className={page.note}>{t('automation:replace.nothing')}</p>
      ) : (
        <ul>
          {rows.map((row) => (
            <li key={`${row.Kind} ${row.ID}`}>{wordsOf(row)}</li>
          ))}
          {data.Hidden > 0 && <li>{t('automation:usedBy.hidden', { count: data.Hidden })}</li>}
        </ul>
      )}
    </section>
  )
}
