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
      showNoticesWith(({ id, kind, text, detail, act, place }) => {
        if (kind === 'success' || kind === 'info') {
          void message[kind](text(), TOAST_SECONDS)
          return
        }
        const key = place ?? String(id)
        const whole = [text(), detail].filter(Boolean).join('\n')
        notification[kind]({
          key,
          message: text(),
          description: detail,
          duration: 0,
          // What may lie there for long leaves the bell free.
          placement: place ? 'bottomRight' : 'topRight',
          role: 'alert',
          actions: act ? (
            <Button
              size="small"
              type="primary"
              onClick={() => {
                notification.destroy(key)
                act.run()
              }}
            >
              {act.text()}
            </Button>
          ) : (
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
