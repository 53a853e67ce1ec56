import { useQuery } from '@tanstack/react-query'
import { runs as calls } from '../../../../contract/automation/run-calls.ts'
import { callQuery, queryClient } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { StateTag } from '../../../ui/tags/state-tag.tsx'

interface Props {
  HomeID: string
  Subject: 'group' | 'scene'
  ID: string
}

/** Note in a delete confirmation: the users that block the deletion, or that there are none. */
export function UsedBy({ HomeID, Subject, ID }: Props) {
  const t = useT()
  // The dialog renders outside the page's query provider.
  const { data, isPending } = useQuery(callQuery(calls.listUsedBy, { HomeID, Subject, ID }), queryClient)
  if (isPending) return <p role="status">{t('automation:usedBy.loading')}</p>
  const rows = data?.Rows.filter(({ Role }) => Role !== 'member') ?? []
  const hidden = data?.Hidden ?? 0
  if (rows.length + hidden === 0) return <>{t(`automation:usedBy.final.${Subject}`)}</>
  return (
    <div className={page.stack}>
      <StateTag tone="warning">{t(`automation:usedBy.refused.${Subject}`)}</StateTag>
      <ul>
        {rows.map(({ Kind, ID: id, Name }) => (
          <li key={`${Kind} ${id}`}>
            {t('automation:usedBy.one', {
              kind: t(`automation:usedBy.kinds.${Kind as 'scene'}`),
              name: Name,
            })}
          </li>
        ))}
        {hidden > 0 && <li>{t('automation:usedBy.hidden', { count: hidden })}</li>}
      </ul>
    </div>
  )
}
