import { useQuery } from '@tanstack/react-query'
import { runs as calls } from '../../../../contract/procedures/runs.ts'
import { callQuery, queryClient } from '../../../data/api.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import { eachOnce } from './user-list.tsx'

export interface Props {
  HomeID: string
  Subject: 'device' | 'room'
  ID: string | number
}

/** In the question before a device or room is removed: what names it and breaks without it; nothing where none does. */
export default function UsersWarning(props: Props) {
  const t = useT()
  // A question stands outside of the page.
  const { data, isPending, error } = useQuery(callQuery(calls.listUsedBy, props), queryClient)
  if (isPending) return <p role="status">{t('automation:usedBy.loading')}</p>
  if (error || !data) return <StateTag tone="warning">{t('automation:usedBy.failed')}</StateTag>
  if (data.Rows.length + data.Hidden === 0) return null
  return (
    <div className={page.stack}>
      <StateTag tone="warning">{t(`automation:usedBy.breaks.${props.Subject}`)}</StateTag>
      <ul>
        {eachOnce(data.Rows).map(({ Kind, ID, Name }) => (
          <li key={`${Kind} ${ID}`}>
            {t('automation:usedBy.one', { kind: t(`automation:usedBy.kinds.${Kind}`), name: Name })}
          </li>
        ))}
        {data.Hidden > 0 && <li>{t('automation:usedBy.hidden', { count: data.Hidden })}</li>}
      </ul>
    </div>
  )
}
