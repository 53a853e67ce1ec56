import { useEffect, useState, type ReactNode } from 'react'
import { useReadinessDetails } from '../data/health.ts'
import { useStore } from '../lib/store.ts'
import { formatAge } from '../lib/format-age.ts'
import { useLanguage, useT } from '../lib/i18n/i18n.ts'
import { connection, isCutOff, useConnection } from '../live/channel.ts'
import { isDown, SHORT_BREAK_MS } from '../live/reach.ts'
import { NoControl } from '../ui/inputs/no-control.ts'
import { PlainButton } from '../ui/plain/plain-button.tsx'

/** Notice while live data is interrupted or the gateway cannot store data: values may be outdated, and commands are rejected. */
export function ConnectionStrip() {
  const state = useConnection()
  return (
    <div className="connection-strip" role="status">
      {isDown(state) && <Break state={state} />}
      <Trouble />
    </div>
  )
}

/** Provides the reason why device controls are disabled while the gateway or its database is unreachable. */
export function ControlReach({ children }: { children: ReactNode }) {
  const t = useT()
  const cutOff = useStore(isCutOff)
  const details = useReadinessDetails()
  const cutOffReason = cutOff
    ? t('shell:connection.noControl')
    : details.includes('databaseAway')
      ? t('shell:readiness.noControl')
      : undefined
  return <NoControl value={cutOffReason}>{children}</NoControl>
}

/** Problems of a reachable gateway. */
function Trouble() {
  const t = useT()
  const details = useReadinessDetails()
  const failedPart = (['databaseAway', 'writesFail', 'busAway'] as const).find((one) => details.includes(one))
  return failedPart && <div>{t(`shell:readiness.${failedPart}`)}</div>
}

function Break({ state }: { state: 'reconnecting' | 'offline' | 'error' }) {
  const t = useT()
  const next = useStore(connection.nextAttemptAt)
  const [isShown, setIsShown] = useState(false)
  const language = useLanguage()
  // Rendered only during an interruption, which begins with the first render.
  const [since] = useState(Date.now)
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), SHORT_BREAK_MS)
    const clock = setInterval(() => setNow(Date.now()), 1000)
    return () => {
      clearTimeout(timer)
      clearInterval(clock)
    }
  }, [])
  if (!isShown) return null
  const seconds = next === undefined ? 0 : Math.max(0, Math.ceil((next - now) / 1000))
  const text = {
    offline: () => t('shell:connection.offline'),
    error: () => t('shell:connection.error'),
    reconnecting: () => t('shell:connection.reconnecting'),
  }[state]()
  return (
    <div>
      <span>
        {text} {t('shell:connection.since', { age: formatAge(since, now, language) })}{' '}
        {/* Hidden from screen readers, which would announce the countdown every second. */}
        {state !== 'offline' && seconds > 0 && (
          <span aria-hidden="true">{t('shell:connection.next', { seconds })}</span>
        )}
      </span>
      <PlainButton small onClick={connection.retryNow}>
        {t('shell:connection.now')}
      </PlainButton>
    </div>
  )
}
