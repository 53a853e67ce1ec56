import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { bookings as bookingCalls } from '../../../contract/bookings/calls.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMe } from '../../data/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { PlainSegmented } from '../../ui/plain/plain-choice.tsx'
import { Icon } from '../../ui/plain/icon.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { Agenda } from './agenda.tsx'
import { BookingExport } from './booking-export.tsx'
import { CalendarLink } from '../../domain/booking/calendar-link.tsx'
import page from '../../ui/page/page.module.css'
import { useConferenceRooms } from '../../domain/booking/use-bookings.ts'
import { useOpened } from './use-opened.ts'

const BookingDetails = lazyPart(() => import('./booking-details.tsx'), { isOverlay: true })

export default function MyBookingsPage() {
  const t = useT()
  const me = useMe()
  const now = useNow()
  const [address, setAddress] = useSearchParams()
  const showsPast = address.get('show') === 'past'
  const rooms = useConferenceRooms()
  const query = useQuery({
    ...callQuery(bookingCalls.getByEmail, { Email: me?.Email ?? '', ...(showsPast && { Past: true }) }),
    enabled: me !== undefined,
  })
  const shownBookings = query.data?.filter(({ EndTimestamp }) => EndTimestamp <= now === showsPast)
  const setParam = (name: string, value: string | undefined) =>
    setAddress(
      (all) => {
        if (value === undefined) all.delete(name)
        else all.set(name, value)
        return all
      },
      { replace: name !== 'booking' },
    )
  const opened = useOpened(query.data, address.get('booking') ?? undefined, () =>
    setParam('booking', undefined),
  )
  const error = query.error ?? rooms.error
  return (
    <Page
      title={t('shell:pages.ConferenceRoomMyBooking')}
      actions={
        <>
          <BookingExport
            name={t('shell:pages.ConferenceRoomMyBooking')}
            bookings={shownBookings}
            rooms={rooms.data}
          />
          <ButtonLink main to={pathTo('ConferenceRoomAddBooking')}>
            <Icon of={PlusOutlined} /> {t('shell:pages.ConferenceRoomAddBooking')}
          </ButtonLink>
        </>
      }
    >
      <div className={page.row}>
        <PlainSegmented
          value={showsPast ? 'past' : 'coming'}
          label={t('bookings:show')}
          onChange={(value) => setParam('show', value === 'past' ? 'past' : undefined)}
          options={[
            { value: 'coming', label: t('bookings:coming') },
            { value: 'past', label: t('bookings:past') },
          ]}
        />
      </div>
      {shownBookings && rooms.data ? (
        <Agenda
          rooms={rooms.data}
          bookings={showsPast ? shownBookings.toReversed() : shownBookings}
          open={({ RecordID }) => setParam('booking', RecordID)}
          empty={t(showsPast ? 'bookings:nothingPast' : 'bookings:nothingComing')}
          next={
            <ButtonLink main to={pathTo('ConferenceRoomAddBooking')}>
              {t('shell:pages.ConferenceRoomAddBooking')}
            </ButtonLink>
          }
        />
      ) : error ? (
        <LoadFailed
          error={error}
          retry={() => {
            void query.refetch()
            void rooms.refetch()
          }}
        />
      ) : (
        <ListSkeleton />
      )}
      <CalendarLink kind="person" />
      {opened && rooms.data && (
        <BookingDetails booking={opened} rooms={rooms.data} close={() => setParam('booking', undefined)} />
      )}
    </Page>
  )
}
