import { Button, Skeleton } from 'antd'
import type { ReactNode } from 'react'
import type { PersonalConfig } from '../../../contract/people/personal-calls.ts'
import { describeFailure } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  query: { data: PersonalConfig | undefined; error: unknown; refetch: () => unknown }
  children: (config: PersonalConfig) => ReactNode
}

/** Renders its children once the user's settings are loaded, so that a default does not look like their choice. */
export function Settings({ query, children }: Props) {
  const t = useT()
  if (query.data) return children(query.data)
  if (!query.error) return <Skeleton active title={false} paragraph={{ rows: 1 }} />
  return (
    <div role="alert" className={page.below16}>
      <p>{t('personal:loadFailed')}</p>
      <p className={`${page.note} ${page.below12}`}>{describeFailure(query.error)}</p>
      <Button onClick={() => void query.refetch()}>{t('personal:retry')}</Button>
    </div>
  )
}
