import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { describeFailure } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'

export const NotLoaded: FC<{ query: { error: unknown; refetch: () => unknown } }> = ({ query }) => {
  const t = useT()
  return (
    <Alert
      type="warning"
      showIcon
      message={describeFailure(query.error)}
      action={
        <Button size="small" onClick={() => void query.refetch()}>
          {t('screens:retry')}
        </Button>
      }
    />
  )
}
