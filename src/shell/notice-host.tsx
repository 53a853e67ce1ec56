import { App, Button } from 'antd'
import { useEffect, useRef } from 'react'
import { describeRight } from '../data/failure.ts'
import { t } from '../lib/i18n/i18n.ts'
import { isPhone } from '../ui/page/use-screen.ts'
import { showNoticesWith, TOAST_SECONDS } from '../data/notices.ts'

interface Props {
  /** Whether the notification panel is open, which contains urgent notices. */
  atBell: boolean
}

/** Duration in s of an urgent notice over the page of a phone. */
const ON_A_PHONE = 8

/** Shows notices over the page: a success for 2 s, errors until they are closed, with a button to copy them. */
export default function NoticeHost(props: Props) {
  return (
    <App component={false}>
      <Shower {...props} />
    </App>
  )
}

function Shower({ atBell }: Props) {
  const { message, notification } = App.useApp()
  const isAtBell = useRef(atBell)
  const places = useRef(new Set<string>())
  const closersRef = useRef(new Map<string, () => void>())
  useEffect(() => {
    isAtBell.current = atBell
    if (atBell) for (const place of places.current) notification.destroy(place)
  }, [atBell, notification])
  useEffect(() => {
    const all = closersRef.current
    return () => {
      for (const stopEnding of all.values()) stopEnding()
      all.clear()
    }
  }, [])
  useEffect(
    () =>
      showNoticesWith(({ id, kind, text, detail, act, place, endsBy }) => {
        if (kind === 'success' || kind === 'info') {
          void message[kind](text(), TOAST_SECONDS)
          return
        }
        if (place !== undefined) {
          if (isAtBell.current) return
          places.current.add(place)
        }
        const key = place ?? String(id)
        const stopEnding = () => {
          closersRef.current.get(key)?.()
          closersRef.current.delete(key)
        }
        // Stops the timer of the previous notice in the same place.
        stopEnding()
        if (endsBy)
          closersRef.current.set(
            key,
            endsBy(() => notification.destroy(key)),
          )
        const fullText = [text(), detail].filter(Boolean).join('\n')
        notification[kind]({
          key,
          message: text(),
          description: detail && <span style={{ whiteSpace: 'pre-line' }}>{detail}</span>,
          duration: place && isPhone() ? ON_A_PHONE : 0,
          // A notice that stays long must not cover the bell, nor on phones the area of the thumb; the bell contains it anyway.
          placement: !place ? 'topRight' : isPhone() ? 'top' : 'bottomRight',
          role: 'alert',
          onClose: stopEnding,
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
            <Button size="small" onClick={() => void navigator.clipboard?.writeText(fullText)}>
              {t('shell:copy')}
            </Button>
          ),
        })
      }, describeRight),
    [message, notification],
  )
  return null
}
