import { useCallback, useEffect, useState } from 'react'
import type { Period } from '../../../contract/time/booking.ts'
import { toWallTime } from '../../../contract/time/periods.ts'
import {
  CHECK_IN_LEAD_MS,
  RoomDoor as Door,
  type DoorAction,
} from '../../../contract/bookings/door-display.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { LanguageChoice } from '../../ui/inputs/language-choice.tsx'
import { useBriefly } from '../../ui/page/use-briefly.ts'
import { periodText, timeText } from './booking-words.ts'
import styles from './room-door.module.css'

/** Polling interval: the display has no session, so it receives no events. */
const POLL_INTERVAL_MS = 15_000

/** Text shown while no room can be shown. */
const NOTES = {
  loading: 'bookings:door.loading',
  shown: 'bookings:door.loading',
  away: 'bookings:door.away',
  gone: 'bookings:door.gone',
} as const

/** Page for a tablet at a room's door: the present and the next booking in large type, with check-in and release. */
export default function DoorDisplayPage() {
  const t = useT()
  const language = useLanguage()
  const token = location.pathname.split('/')[2] ?? ''
  const [door, setDoor] = useState<Door>()
  const [state, setState] = useState<'loading' | 'shown' | 'away' | 'gone'>('loading')
  const callDoor = useCallback(
    async (action?: DoorAction) => {
      try {
        const answer = await fetch(`/room-door/${encodeURIComponent(token)}`, {
          cache: 'no-store',
          ...(action && {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(action),
          }),
        })
        if (answer.status === 404) return setState('gone')
        if (!answer.ok && answer.status !== 409) return setState('away')
        // Another user was faster; the next poll shows the result.
        if (answer.ok) setDoor(Door.parse(((await answer.json()) as { results: unknown }).results))
        setState('shown')
      } catch {
        setState('away')
      }
    },
    [token],
  )
  useEffect(() => {
    let timer = setTimeout(poll, 0)
    function poll() {
      void callDoor().finally(() => {
        timer = setTimeout(poll, POLL_INTERVAL_MS)
      })
    }
    return () => clearTimeout(timer)
  }, [callDoor])

  if (state === 'gone' || !door)
    return (
      <main className={styles.note} aria-busy={state === 'loading'}>
        <p>{t(NOTES[state])}</p>
        <LanguageChoice className={styles.languages} />
      </main>
    )
  const current = door.Bookings.find(({ StartTimestamp }) => StartTimestamp <= door.Now)
  const upcoming = door.Bookings.filter(({ StartTimestamp }) => StartTimestamp > door.Now)
  const checkInBooking = upcoming.find(({ StartTimestamp }) => StartTimestamp - CHECK_IN_LEAD_MS <= door.Now)
  const forCheckIn = [current, checkInBooking].find((booking) => booking && booking.CheckedInAt === null)
  const time = (timestamp: number) => timeText(timestamp, door.TimeZone, language)
  const dayAt = (timestamp: number) => toWallTime(timestamp, door.TimeZone).day
  const isToday = ({ StartTimestamp, EndTimestamp }: Period) =>
    [StartTimestamp, EndTimestamp].every((timestamp) => dayAt(timestamp) === dayAt(door.Now))
  const formatTimes = (booking: Period) =>
    isToday(booking)
      ? `${time(booking.StartTimestamp)} – ${time(booking.EndTimestamp)}`
      : periodText(booking, door.TimeZone, language)
  const titleOf = (booking: Door['Bookings'][number]) => booking.Subject || t('bookings:private')
  return (
    <main className={`${styles.door} ${current ? styles.busy : ''}`}>
      <header>
        <h1>{door.ConferenceRoomName}</h1>
        <time>{time(door.Now)}</time>
      </header>
      <section aria-live="polite">
        <p className={styles.state}>{t(current ? 'bookings:door.busy' : 'bookings:door.free')}</p>
        {!current && upcoming[0] && dayAt(upcoming[0].StartTimestamp) === dayAt(door.Now) && (
          <p>{t('bookings:door.until', { time: time(upcoming[0].StartTimestamp) })}</p>
        )}
        {current && (
          <>
            <h2>{titleOf(current)}</h2>
            <p>{[formatTimes(current), current.Host].filter(Boolean).join(' · ')}</p>
            {current.CheckedInAt !== null && <p>{t('bookings:checkedIn')}</p>}
          </>
        )}
        {state === 'away' && <p role="alert">{t('bookings:door.away')}</p>}
        <div className={styles.buttons}>
          {forCheckIn && (
            <button
              type="button"
              onClick={() => void callDoor({ RecordID: forCheckIn.RecordID, Action: 'checkIn' })}
            >
              {t('bookings:door.checkIn', { subject: titleOf(forCheckIn) })}
            </button>
          )}
          {current && (
            <Release
              key={current.RecordID}
              release={() => void callDoor({ RecordID: current.RecordID, Action: 'release' })}
            />
          )}
        </div>
      </section>
      <footer>
        <div>
          <h3>{t('bookings:door.next')}</h3>
          {upcoming.length === 0 ? (
            <p>{t('bookings:door.nothing')}</p>
          ) : (
            <ol>
              {upcoming.slice(0, 3).map((booking) => (
                <li key={booking.RecordID}>
                  <strong>{formatTimes(booking)}</strong> {titleOf(booking)}
                </li>
              ))}
            </ol>
          )}
        </div>
        <LanguageChoice className={styles.languages} />
      </footer>
    </main>
  )
}

/** Time in which the second press must follow the first. */
const CONFIRM_WITHIN_MS = 10_000

/** Button that ends a meeting; it needs two presses. */
function Release({ release }: { release: () => void }) {
  const t = useT()
  const [isConfirming, setIsConfirming] = useBriefly(CONFIRM_WITHIN_MS)
  return (
    <button
      type="button"
      className={styles.quiet}
      onClick={isConfirming ? release : () => setIsConfirming(true)}
    >
      {t(isConfirming ? 'bookings:door.releaseSure' : 'bookings:door.release')}
    </button>
  )
}
