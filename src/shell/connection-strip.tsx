import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { useStore } from '../lib/store.ts'
import { useT } from '../providers/i18n.ts'
import { connection, useConnection } from '../providers/live/live.ts'

/** A short break repairs itself unseen; only a longer one is worth a person's attention. */
const SHOW_AFTER_MS = 2000

/** Says when live data is not live: values may be old and commands are refused. */
export function ConnectionStrip() {
  const t = useT()
  const state = useConnection()
  const next = useStore(connection.nextAttemptAt)
  const down = state === 'reconnecting' || state === 'offline' || state === 'error'
  const [shown, setShown] = useState(false)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!down) {
      setShown(false)
      return
    }
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS)
    const clock = setInterval(() => setNow(Date.now()), 1000)
    return () => {
      clearTimeout(timer)
      clearInterval(clock)
    }
  }, [down])
  const seconds = next === undefined ? 0 : Math.max(0, Math.ceil((next - now) / 1000))
  const text =
    state === 'offline'
      ? t('shell:connection.offline')
      : seconds > 0
        ? t('shell:connection.waiting', { seconds })
        : t(state === 'error' ? 'shell:connection.error' : 'shell:connection.reconnecting')
  return (
    <div className="connection-strip" role="status" aria-live={seconds > 0 ? 'off' : 'polite'}>
      {shown && down && (
        <div>
          <span>{text}</span>
          <Button size="small" onClick={connection.retryNow}>
            {t('shell:connection.now')}
          </Button>
        </div>
      )}
    </div>
  )
}
