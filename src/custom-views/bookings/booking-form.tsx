import { Alert, Button, Form, Radio, Checkbox, DatePicker, InputNumber, type FormInstance } from 'antd'
import { useEffect, useRef, useState, type FC } from 'react'
import { SCOPES, type Scope, type BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { toWallTime } from '../../../contract/time/periods.ts'
import { DEFAULT_ZONE, type Period } from '../../../contract/time/booking.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { useT, useLanguage } from '../../lib/i18n/i18n.ts'
import { useMe } from '../../data/session.ts'
import { FormActions } from '../../record-kit/form-actions.tsx'
import { MoreFields } from '../../record-kit/fold.tsx'
import { OptionalMark } from '../../record-kit/record-form.tsx'
import { FollowedConflict, type FieldWords } from '../../record-kit/record-conflict.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { BookingDetailFields, BookingPlace, PREVENT_SUBMIT_ON_ENTER, BookingText } from './booking-fields.tsx'
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
import { type NewBooking, useSaveBooking } from './use-save-booking.ts'
import { periodText } from './booking-words.ts'
import { formatWeekday } from '../../../contract/time/format-time.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { siteToday } from '../../ui/inputs/site-today.tsx'

/** Fields below "More". */
const FOLDED_FIELDS = ['Host', 'Description', 'Private', 'every', 'interval', 'until', 'weekdays'] as const

/** Whether the fields below "More" differ from those of a new booking. */
const hasFoldedValue = ({ Host, Description, Private }: BookingWithDetails, ownName: string): boolean =>
  Description !== '' || Private || (Host !== '' && Host !== ownName)

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
      <Form.Item name="every" label={t('bookings:form.repeat')} required>
        <FormSelect
          options={(['never', 'day', 'week', 'month'] as const).map((value) => ({
            value,
            label: t(`bookings:every.${value}`),
          }))}
        />
      </Form.Item>
      {repetition !== 'never' && (
        <>
          <Form.Item name="interval" label={t('bookings:form.interval')} required>
            <InputNumber min={1} max={12} precision={0} />
          </Form.Item>
          <Form.Item name="until" label={t('bookings:form.until')} required>
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
        <Form.Item name="weekdays" label={t('bookings:form.weekdays')} required className={page.wholeRow}>
          <Checkbox.Group options={weekdays} />
        </Form.Item>
      )}
    </div>
  )
}

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  /** Initial place and time. */
  room?: ConferenceRoomWithClock | undefined
  period: Period
  /** Instance of the form, for a page that reads or sets its values. */
  instance?: FormInstance<BookingValues>
  /** The booking to change, in its present state; undefined for a new one. */
  booking?: BookingWithDetails | undefined
  /** Called after saving, with the first new booking if there is one. */
  onDone: (booked?: NewBooking) => void
  cancel: () => void
  onDirty?: ((dirty: boolean) => void) | undefined
}

/** Form that books a room or changes a booking: room, period, subject and attendees are required (§5). */
export const BookingForm: FC<Props> = (props) => {
  const { rooms, room, period, instance, booking, onDone, cancel, onDirty } = props
  const t = useT()
  const me = useMe()
  const [form] = Form.useForm<BookingValues>(instance)
  const ownName = me ? displayName(me) : ''
  const [scope, setScope] = useState<Scope>('one')
  const [opened] = useState(booking)
  const zoneOf = (id: string | undefined) =>
    (rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === id) ?? rooms[0])?.TimeZone ?? DEFAULT_ZONE
  const [initial] = useState(() =>
    valuesFor(room, period, zoneOf(room?.ConferenceRoomID), booking, {
      email: me?.Email ?? '',
      name: ownName,
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
    saved: (booked) => {
      onDirty?.(false)
      onDone(booked)
    },
  })
  const values = (Form.useWatch([], form) as BookingValues | undefined) ?? initial
  const { date } = values
  const previousDate = useRef(date)
  useEffect(() => {
    const current = form.getFieldsValue(true) as BookingValues
    if (date) form.setFieldsValue(fieldsFollowingDate(date, previousDate.current, current))
    previousDate.current = date
  }, [form, date])
  const today = toWallTime(useNow(), zoneOf(values.ConferenceRoomID)).day
  const seriesChanged =
    scope !== 'one' && (base?.SeriesID !== opened?.SeriesID || base?.Sequence !== opened?.Sequence)

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={OptionalMark}
      initialValues={initial}
      onFinish={() => void save(false)}
      onValuesChange={() => onDirty?.(true)}
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
        <Form.Item label={t('bookings:form.scope')} required>
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
      <MoreFields
        names={FOLDED_FIELDS}
        isOpenAtFirst={booking !== undefined && hasFoldedValue(booking, ownName)}
      >
        {!booking && <BookingRepetition repetition={values.every} today={today} />}
        <BookingDetailFields />
      </MoreFields>
      <FollowedConflict tracked={tracked} record={booking} words={words} />
      <FormActions
        cancel={cancel}
        saveText={booking ? undefined : t('bookings:form.book')}
        busy={busy}
        disabled={conflicting.length > 0}
      />
    </Form>
  )
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
