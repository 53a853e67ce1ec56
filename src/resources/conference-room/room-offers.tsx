import type { FC } from 'react'
import { Link } from 'react-router'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import type { Action } from '../../../contract/automation/action.ts'
import type { BookingTrigger } from '../../../contract/automation/schedule.ts'
import { prefilledRuleUrl } from '../../domain/automation/prefill.ts'
import { useMay } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

/** Schedules that most meeting rooms want: they open the editor with what was chosen, and nothing is saved before a person does. */
const OFFERS = [
  { key: 'climate', trigger: { When: 'before', Minutes: 15 }, does: { Only: 'climate', Values: { On: 1 } } },
  { key: 'lights', trigger: { When: 'release', Minutes: 0 }, does: { Only: 'lights', Values: { On: 0 } } },
] as const satisfies readonly {
  key: string
  trigger: Pick<BookingTrigger, 'When' | 'Minutes'>
  does: Pick<Action, 'Only' | 'Values'>
}[]

/** What the bookings of a meeting room may set off in the room that it is. */
export const RoomOffers: FC<{ room: ConferenceRoomWithClock }> = ({ room }) => {
  const t = useT()
  const mayAdd = useMay('schedule', 'Create')
  const mayControl = useMay('device_control', 'Control')
  const { HomeID, RoomID, ConferenceRoomID, ConferenceRoomName } = room
  if (!mayAdd || !mayControl) return null
  const addressOf = (home: string, roomId: number, { key, trigger, does }: (typeof OFFERS)[number]) =>
    prefilledRuleUrl(home, {
      AutomationName: t(`bookings:rooms.offers.${key}Name`, { room: ConferenceRoomName }).slice(0, 64),
      Booking: { ConferenceRoomID, ...trigger },
      Actions: [{ RoomID: roomId, ...does, After: 0, IfOffline: 'fail' }],
    })
  return (
    <section aria-label={t('bookings:rooms.offers.title')} style={{ marginTop: 16 }}>
      <strong>{t('bookings:rooms.offers.title')}</strong>
      {HomeID === null || RoomID === null ? (
        <p className={page.hint}>{t('bookings:rooms.offers.needsRoom')}</p>
      ) : (
        <ul style={{ margin: '8px 0 0', paddingInlineStart: 20 }}>
          {OFFERS.map((offer) => (
            <li key={offer.key}>
              <Link to={addressOf(HomeID, RoomID, offer)}>{t(`bookings:rooms.offers.${offer.key}`)}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
