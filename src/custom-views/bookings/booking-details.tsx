import { Button, Radio } from 'antd'
import { useState, type FC } from 'react'
import {
  bookings,
  SCOPES,
  type Scope,
  type BookingWithDetails,
  MAX_BOOKING_RANGE_MS,
} from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { CHECK_IN_LEAD_MS } from '../../../contract/bookings/door-display.ts'
import { call, callQuery } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useMay, useMe } from '../../data/session.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import { useNow } from '../../ui/page/use-now.ts'
import BookingDialog from './booking-dialog.tsx'
import { periodText } from './booking-words.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { Drawer } from '../../ui/page/dialog.tsx'
import { useQuery } from '@tanstack/react-query'
import { gatewayNow } from '../../lib/gateway-clock.ts'

/** Number of upcoming bookings of a series, within the range of one call. */
const SeriesCount: FC<{ booking: BookingWithDetails }> = ({ booking }) => {
  const t = useT()
  const [from] = useState(gatewayNow)
  const { data } = useQuery(
    callQuery(bookings.getByStartTimestamp, {
      ConferenceRoomID: booking.ConferenceRoomID,
      StartTimestamp: from,
      EndTimestamp: from + MAX_BOOKING_RANGE_MS,
    }),
  )
  const count = data?.filter(({ SeriesID }) => SeriesID === booking.SeriesID).length
  if (count === undefined) return null
  return <p>{t('bookings:cancel.inSeries', { count, days: MAX_BOOKING_RANGE_MS / 86_400_000 })}</p>
}

interface Props {
  booking: BookingWithDetails
  rooms: readonly ConferenceRoomWithClock[]
  close: () => void
}

export default function BookingDetails({ booking, rooms, close }: Props) {
  const t = useT()
  const language = useLanguage()
  const me = useMe()
  const now = useNow()
  const [editing, setEditing] = useState(false)
  const isOwn = booking.BookedBy !== null && booking.BookedBy === me?.CognitoId
  const mayChange = useMay('conference_room', 'Update') || isOwn
  const mayCancel = useMay('conference_room', 'Delete') || isOwn
  const isAttending = me !== undefined && booking.Attendees.includes(me.Email)
  const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === booking.ConferenceRoomID)
  const isOver = booking.EndTimestamp <= now
  const checkInOpen =
    !isOver && booking.StartTimestamp - CHECK_IN_LEAD_MS <= now && booking.CheckedInAt === null
  const title = booking.Hidden ? t('bookings:private') : booking.Subject

  const run = async (work: () => Promise<unknown>, successText: () => string) => {
    try {
      await work()
      notices.success(successText)
    } catch (error) {
      notices.error(() => describeFailure(error))
    }
  }
  const cancel = () => {
    let scope: Scope = 'one'
    confirm({
      title: t('bookings:cancel.title', { subject: title }),
      content: (
        <>
          <p>{t('bookings:cancel.text')}</p>
          {booking.SeriesID !== null && (
            <>
              <SeriesCount booking={booking} />
              <Radio.Group
                defaultValue="one"
                onChange={(event) => (scope = event.target.value as Scope)}
                options={SCOPES.map((value) => ({ value, label: t(`bookings:scopes.${value}`) }))}
              />
            </>
          )}
        </>
      ),
      okText: t('bookings:cancel.ok'),
      okButtonProps: { danger: true },
      cancelText: t('bookings:cancel.keep'),
      onOk: async () => {
        let count = 1
        await run(
          async () => {
            count = (await call(bookings.remove, { RecordID: booking.RecordID, Scope: scope })).length
          },
          () => t('bookings:cancel.done', { count }),
        )
        close()
      },
    })
  }
  const lines: [string, string][] = [
    [t('bookings:form.room'), room?.ConferenceRoomName ?? ''],
    [t('bookings:when'), periodText(booking, room?.TimeZone ?? DEFAULT_ZONE, language)],
    [t('bookings:form.host'), booking.Host],
    [t('bookings:bookedBy'), booking.BookedByEmail],
    [t('bookings:form.attendees'), booking.Attendees.join(t('screens:listComma'))],
    [t('bookings:form.description'), booking.Description],
  ]
  if (editing)
    return (
      <BookingDialog
        rooms={rooms}
        room={room}
        period={booking}
        booking={booking}
        close={() => setEditing(false)}
        onDone={() => close()}
      />
    )
  return (
    <Drawer focusAtFirst="dialog" open title={title} onClose={close}>
      {booking.Hidden && <p className={page.hint}>{t('bookings:hiddenNote')}</p>}
      <dl className={`${page.tightStack} ${page.below16} ${styles.details}`}>
        {lines
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {booking.SeriesID !== null && <p>{t('bookings:repeatedNote')}</p>}
      {booking.CheckedInAt !== null && <p>{t('bookings:checkedIn')}</p>}
      {booking.ReleasedAt !== null && <p>{t('bookings:released')}</p>}
      <div className={page.actions}>
        {checkInOpen && (mayChange || isAttending) && (
          <Button
            onClick={() =>
              void run(
                () => call(bookings.checkIn, { RecordID: booking.RecordID }),
                () => t('bookings:checkedIn'),
              )
            }
          >
            {t('bookings:checkIn')}
          </Button>
        )}
        {!isOver && mayChange && <Button onClick={() => setEditing(true)}>{t('bookings:edit')}</Button>}
        {!isOver && mayCancel && (
          <Button danger onClick={cancel}>
            {t('bookings:cancel.ok')}
          </Button>
        )}
      </div>
    </Drawer>
  )
}
