import { Button } from 'antd'
import { useRouteError } from 'react-router'
import { useT } from '../lib/i18n/i18n.ts'
import { MessagePage } from '../ui/page/message-page.tsx'

/** A screen that failed while drawing, or whose code could not be fetched. */
export function Crash() {
  const t = useT()
  const error = useRouteError()
  const text = error instanceof Error ? error.message : String(error)
  const notFetched = /dynamically imported module|importing a module|Failed to fetch|preload CSS/i.test(text)
  return (
    <MessagePage
      title={t('shell:crash.title')}
      text={t(notFetched ? 'shell:crash.chunk' : 'shell:crash.text')}
      detail={notFetched ? undefined : text}
      actions={
        <Button type="primary" onClick={() => location.reload()}>
          {t('shell:crash.reload')}
        </Button>
      }
    />
  )
}
