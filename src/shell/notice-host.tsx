import { App, Button } from 'antd'
import { useEffect } from 'react'
import { describeRight } from '../data/failure.ts'
import { t } from '../lib/i18n/i18n.ts'
import { showNoticesWith, TOAST_SECONDS } from '../data/notices.ts'

/** Shows notices over the page: a success for 2 s, errors and refusals until they are closed, with a way to copy them. */
export default function NoticeHost() {
  return (
    <App component={false}>
      <Shower />
    </App>
  )
}

function Shower() {
  const { message, notification } = App.useApp()
  useEffect(
    () =>
      showNoticesWith(({ id, kind, text, detail }) => {
        if (kind === 'success' || kind === 'info') {
          void message[kind](text(), TOAST_SECONDS)
          return
        }
        const whole = [text(), detail].filter(Boolean).join('\n')
        notification[kind]({
          key: String(id),
          message: text(),
          description: detail,
          duration: 0,
          placement: 'topRight',
          role: 'alert',
          actions: (
            <Button size="small" onClick={() => void navigator.clipboard?.writeText(whole)}>
              {t('shell:copy')}
            </Button>
          ),
        })
      }, describeRight),
    [message, notification],
  )
  return null
}
