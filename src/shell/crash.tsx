import { Button, Result } from 'antd'
import { useRouteError } from 'react-router'
import { useT } from '../providers/i18n.ts'

/** A screen that failed while drawing, or whose code could not be fetched. */
export function Crash() {
  const t = useT()
  const error = useRouteError()
  const text = error instanceof Error ? error.message : String(error)
  const notFetched = /dynamically imported module|importing a module|Failed to fetch/i.test(text)
  return (
    <Result
      status="error"
      title={t('shell:crash.title')}
      subTitle={t(notFetched ? 'shell:crash.chunk' : 'shell:crash.text')}
      extra={
        <Button type="primary" onClick={() => location.reload()}>
          {t('shell:crash.reload')}
        </Button>
      }
    >
      {!notFetched && <code>{text}</code>}
    </Result>
  )
}
