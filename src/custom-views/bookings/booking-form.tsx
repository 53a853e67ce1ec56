import { Alert, Button, Form, Radio, Checkbox, DatePicker, InputNumber } from 'antd'
import type { Dayjs } from 'dayjs'
import { useEffect, useRef, useState, type FC } from 'react'
import { SCOPES, type Scope, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { toWallTime } from '../../../contract/time/periods.ts'
import { DEFAULT_ZONE, MINUTE, type Period } from '../../../contract/time/booking.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useT, useLanguage } from '../../lib/i18n/i18n.ts'
import { useMe } from '../../data/session.ts'
import { FollowedConflict, type FieldWords } from '../../record-kit/record-conflict.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { BookingPlace, PREVENT_SUBMIT_ON_ENTER, BookingText } from './booking-fields.tsx'
import {
  fieldsFollowingDate,
  BOOKING_PARTS,
  type BookingValues,
  sentOf,
  valuesFor,
  valuesOf,
} from './booking-values.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { useSaveBooking } from './use-save-booking.ts'
import { periodText } from './booking-words.ts'
import { formatWeekday } from '../../../contract/time/format-time.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { siteToday } from '../../ui/inputs/site-today.tsx'

interface BookingRepetitionProps {
  repetition: BookingValues['every']
  /** In the room's time zone, days since 1970-01-01. */
  today: number
}

const BookingRepetition: FC<BookingRepetitionProps> = ({ repetition, today }) => {
  const t = useT()
  const language = useLanguage()
  const weekdays = Array.from({ length: 7 }, (_, i) => (i + 1) % 7).map((value) => ({
    value,
    label: formatWeekday(value, language),
  }))
  return (
    <div className={styles.when}>
      <Form.Item name="every" label={t('bookings:form.repeat')}>
        <FormSelect
          options={(['never', 'day', 'week', 'month'] as const).map((value) => ({
            value,
            label: t(`bookings:every.${value}`),
          }))}
        />
      </Form.Item>
      {repetition !== 'never' && (
        <>
          <Form.Item name="interval" label={t('bookings:form.interval')}>
            <InputNumber min={1} max={12} precision={0} />
          </Form.Item>
          <Form.Item name="until" label={t('bookings:form.until')}>
            <DatePicker
              {...PREVENT_SUBMIT_ON_ENTER}
              allowClear={false}
              showNow={false}
              {...siteToday(today)}
            />
          </Form.Item>
        </>
      )}
      {repetition === 'week' && (
        <Form.Item name="weekdays" label={t('bookings:form.weekdays')} className={page.wholeRow}>
          <Checkbox.Group options={weekdays} />
        </Form.Item>
      )}
    </div>
  )
}

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  /** Initial place and time; a later change updates the form, and other input stays. */
  room?: ConferenceRoomWithClock | undefined
  period?: Period | undefined
  /** The booking to change, in its present state; undefined for a new one. */
  booking?: BookingWithDetails | undefined
  /** Called after saving. */
  onDone: () => void
  cancel: () => void
  onDirty?: ((dirty: boolean) => void) | undefined
}

/** Form that books a room or changes a booking: room, period, subject and attendees are required (§5). */
export const BookingForm: FC<Props> = ({ rooms, room, period, booking, onDone, cancel, onDirty }) => {
  const t = useT()
  const me = useMe()
  const [form] = Form.useForm<BookingValues>()
  const [scope, setScope] = useState<Scope>('one')
  const [opened] = useState(booking)
  const zoneOf = (id: string | undefined) =>
    (rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === id) ?? rooms[0])?.TimeZone ?? DEFAULT_ZONE
  const [initial] = useState(() =>
    valuesFor(room, period ?? nextHour(), zoneOf(room?.ConferenceRoomID), booking, {
      email: me?.Email ?? '',
      name: me ? displayName(me) : '',
    }),
  )
  const tracked = useTrackedRecord<BookingWithDetails>({
    record: booking,
    parts: BOOKING_PARTS,
    read: (base) => {
      const now = form.getFieldsValue(true) as BookingValues
      return sentOf(now, zoneOf(now.ConferenceRoomID), base)
    },
    write: (remote, fields) =>
      form.setFieldsValue(valuesOf(remote, fields, zoneOf(remote.ConferenceRoomID)) as BookingValues),
  })
  const { base, conflicting } = tracked
  const words = useBookingWords(rooms)
  const { busy, refusal, save } = useSaveBooking({
    form,
    rooms,
    tracked,
    scope,
    saved: () => {
      onDirty?.(false)
      onDone()
    },
  })
  const date = useRef(initial.date)
  const onDateChange = (next: Dayjs) => {
    form.setFieldsValue(fieldsFollowingDate(next, date.current, form.getFieldsValue(true) as BookingValues))
    date.current = next
  }
  // Choosing another free slot keeps what was typed.
  useEffect(() => {
    if (opened || !room || !period) return
    const slotValues = valuesFor(room, period, room.TimeZone, undefined, { email: '', name: '' })
    const { ConferenceRoomID, date: day, start, end } = slotValues
    form.setFieldsValue({ ConferenceRoomID, date: day, start, end })
    form.setFieldsValue(fieldsFollowingDate(day, date.current, form.getFieldsValue(true) as BookingValues))
    date.current = day
  }, [form, room, period, opened])
  const values = (Form.useWatch([], form) as BookingValues | undefined) ?? initial
  const today = toWallTime(useNow(), zoneOf(values.ConferenceRoomID)).day
  const seriesChanged =
    scope !== 'one' && (base?.SeriesID !== opened?.SeriesID || base?.Sequence !== opened?.Sequence)

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={initial}
      onFinish={() => void save(false)}
      onValuesChange={(changed: Partial<BookingValues>) => {
        if (changed.date) onDateChange(changed.date)
        onDirty?.(true)
      }}
      scrollToFirstError
    >
      {refusal && (
        <Alert
          type="error"
          showIcon
          className={page.below16}
          message={refusal.text}
          action={
            refusal.skippable && (
              <Button onClick={() => void save(true)}>{t('bookings:form.skipTaken')}</Button>
            )
          }
        />
      )}
      {base && base.SeriesID !== null && (
        <Form.Item label={t('bookings:form.scope')}>
          <Radio.Group
            value={scope}
            onChange={(event) => setScope(event.target.value as Scope)}
            options={SCOPES.map((value) => ({ value, label: t(`bookings:scopes.${value}`) }))}
          />
        </Form.Item>
      )}
      {seriesChanged && (
        <Alert type="warning" showIcon className={page.below16} message={t('bookings:form.seriesChanged')} />
      )}
      <BookingPlace rooms={rooms} values={values} today={today} currentRoomId={base?.ConferenceRoomID} />
      <BookingText />
      {!booking && <BookingRepetition repetition={values.every} today={today} />}
      <FollowedConflict tracked={tracked} record={booking} words={words} />
      <div className={`${page.row} ${styles.actions}`}>
        <Button onClick={cancel}>{t('screens:cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={busy} disabled={conflicting.length > 0}>
          {t(booking ? 'screens:save' : 'bookings:form.book')}
        </Button>
      </div>
    </Form>
  )
}

/** One hour from the next quarter hour on. */
function nextHour(): Period {
  const StartTimestamp = Math.ceil(gatewayNow() / (15 * MINUTE)) * 15 * MINUTE
  return { StartTimestamp, EndTimestamp: StartTimestamp + 60 * MINUTE }
}

function useBookingWords(rooms: readonly ConferenceRoomWithClock[]): FieldWords<BookingWithDetails> {
  const t = useT()
  const language = useLanguage()
  const place = (booking: BookingWithDetails) => {
    const room = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === booking.ConferenceRoomID)
    const periodLabel = periodText(booking, room?.TimeZone ?? DEFAULT_ZONE, language)
    return `${room?.ConferenceRoomName ?? '–'} ${periodLabel}`
  }
  return [
    { label: t('bookings:when'), of: place },
    { label: t('bookings:form.subject'), of: ({ Subject }) => Subject },
    { label: t('bookings:form.attendees'), of: ({ Attendees }) => Attendees.join(t('screens:listComma')) },
    { label: t('bookings:form.host'), of: ({ Host }) => Host },
    { label: t('bookings:form.description'), of: ({ Description }) => Description },
    {
      label: t('bookings:form.private'),
      of: ({ Private }) => t(Private ? 'bookings:form.isPrivate' : 'bookings:form.isOpen'),
    },
  ]
}
