import {
  Alert,
  Button,
  Checkbox,
  DatePicker,
  Form,
  Input,
  InputNumber,
  Radio,
  Switch,
  TimePicker,
} from 'antd'
import type { Dayjs } from 'dayjs'
import { useEffect, useRef, useState, type FC, type KeyboardEvent } from 'react'
import {
  reservations,
  Reservation,
  SCOPES,
  type Scope,
  type SeenReservation,
} from '../../../contract/procedures/reservations.ts'
import type { ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { DEFAULT_ZONE, MINUTE, type Period } from '../../../contract/rules/booking.ts'
import { onWall } from '../../../contract/rules/booking-clock.ts'
import { occurrencesOf } from '../../../contract/rules/booking-series.ts'
import { displayName } from '../../../contract/rules/display-name.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { call } from '../../providers/api.ts'
import { describeFailure, describeField } from '../../providers/failure.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { callErrorIn } from '../../providers/post.ts'
import { useMe } from '../../providers/session.ts'
import { reasonFor } from '../../ui/crud/field-rules.ts'
import { FormSelect } from '../../ui/form-select.tsx'
import { siteToday } from '../../ui/site-today.tsx'
import { useNow } from '../../ui/use-now.ts'
import {
  alongWith,
  type BookingValues,
  changesOf,
  leftOut,
  overnight,
  periodOf,
  repeatOf,
  sameTimes,
  valuesFor,
} from './booking-values.ts'
import { periodText, timeText } from './booking-words.ts'
import styles from './bookings.module.css'
import { refreshBookings } from '../../domain/booking/use-bookings.ts'
import { whatIsThere } from './what-is-there.ts'

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  /** Where and when; what comes later is taken over, and what was typed stays. */
  room?: ConferenceRoomWithClock | undefined
  period?: Period | undefined
  /** The booking to change; a new one without. */
  booking?: SeenReservation | undefined
  /** It is booked or changed. */
  done: () => void
  cancel: () => void
  onDirty?: ((dirty: boolean) => void) | undefined
}

const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

/** What went wrong, and what stands in the way. */
interface Refusal {
  text: string
  /** Whether leaving taken days out would help. */
  skippable: boolean
}

/** Books a room, or changes a booking: room, period, subject and who attends are required (§5). */
export const BookingForm: FC<Props> = ({ rooms, room, period, booking: shown, done, cancel, onDirty }) => {
  const t = useT()
  const language = useLanguage()
  const me = useMe()
  // As it was when the form began: what others change meanwhile is theirs.
  const [booking] = useState(shown)
  const [form] = Form.useForm<BookingValues>()
  const [scope, setScope] = useState<Scope>('one')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [initial] = useState(() =>
    valuesFor(room, period ?? nextHour(), room?.TimeZone ?? rooms[0]?.TimeZone ?? DEFAULT_ZONE, booking, {
      email: me?.Email ?? '',
      name: me ? displayName(me) : '',
    }),
  )
  const date = useRef(initial.date)
  /** Takes over another date, and what follows it. */
  const follow = (next: Dayjs) => {
    form.setFieldsValue(alongWith(next, date.current, form.getFieldsValue(true) as BookingValues))
    date.current = next
  }
  // Another time that is taken of those on offer leaves what was typed already.
  useEffect(() => {
    if (booking || !room || !period) return
    const taken = valuesFor(room, period, room.TimeZone, undefined, { email: '', name: '' })
    const { ConferenceRoomID, date: day, start, end } = taken
    form.setFieldsValue({ ConferenceRoomID, date: day, start, end })
    form.setFieldsValue(alongWith(day, date.current, form.getFieldsValue(true) as BookingValues))
    date.current = day
  }, [form, room, period, booking])
  const values = (Form.useWatch([], form) as BookingValues | undefined) ?? initial
  const chosen = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === values.ConferenceRoomID)
  const today = onWall(useNow(), chosen?.TimeZone ?? rooms[0]?.TimeZone ?? DEFAULT_ZONE).day
  const crowded = chosen && values.Attendees && values.Attendees.length > chosen.Capacity

  const meant =
    chosen && values.date && values.start && values.end ? periodOf(values, chosen.TimeZone) : undefined
  /** Says which time is booked instead where clocks that go forward leave out the one that was picked. */
  const unlessThere = (picked: Dayjs, timestamp: number | undefined) =>
    chosen && timestamp !== undefined && leftOut(picked, timestamp, chosen.TimeZone)
      ? t('bookings:form.leftOut', { time: timeText(timestamp, chosen.TimeZone, language) })
      : undefined

  const save = async (SkipTaken: boolean) => {
    const now = form.getFieldsValue(true) as BookingValues
    const at = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === now.ConferenceRoomID)
    if (!at) return
    const sent = {
      ConferenceRoomID: at.ConferenceRoomID,
      // What was not touched stays: of a time that comes twice the form knows only one.
      ...(booking && sameTimes(now, initial)
        ? { StartTimestamp: booking.StartTimestamp, EndTimestamp: booking.EndTimestamp }
        : periodOf(now, at.TimeZone)),
      Subject: now.Subject ?? '',
      Attendees: now.Attendees,
      Host: now.Host ?? '',
      Description: now.Description ?? '',
      Private: now.Private,
    }
    const repeat = repeatOf(now)
    setBusy(true)
    setRefusal(undefined)
    try {
      if (booking) {
        const changes = changesOf(booking, sent)
        if (Object.keys(changes).length > 0) {
          const { RecordID } = booking
          const changed = await call(reservations.update, { RecordID, Scope: scope, ...changes })
          notices.success(() => t('bookings:changed', { count: changed.length }))
        }
      } else {
        const made = await call(reservations.add, {
          ...sent,
          ...(repeat && { Repeat: repeat }),
          ...(SkipTaken && { SkipTaken }),
        })
        notices.success(() => t('bookings:booked', { count: made.length }))
      }
      refreshBookings()
      onDirty?.(false)
      done()
    } catch (error) {
      const fields = callErrorIn(error)?.fields ?? {}
      const taken = fields['StartTimestamp'] === 'booked'
      const wanted = repeat ? occurrencesOf(sent, repeat, at.TimeZone) : [sent]
      const there = taken ? await whatIsThere(at.ConferenceRoomID, wanted, booking) : []
      const reason = Object.values(fields)[0]
      const names = there.map((one) => {
        const when = periodText(one, at.TimeZone, language)
        return one.Hidden
          ? t('bookings:privateAt', { when })
          : t('bookings:takenBy', { when, subject: one.Subject, who: one.Host || one.BookedByEmail })
      })
      setRefusal({
        text: [reason ? describeField(reason) : describeFailure(error), ...names].join(' · '),
        skippable: taken && repeat !== undefined,
      })
      form.setFields(
        Object.entries(fields).flatMap(([path, why]) => {
          const name = FIELD_OF[path] ?? path.split('.')[0]
          return name && name in initial
            ? [{ name: name as keyof BookingValues, errors: [describeField(why)] }]
            : []
        }),
      )
    } finally {
      setBusy(false)
    }
  }

  const by = (field: 'Subject' | 'Attendees' | 'Host' | 'Description') => ({
    validator: (_: unknown, value: unknown) => {
      const reason = reasonFor(
        Reservation.shape[field],
        Array.isArray(value) && value.length === 0 ? undefined : value,
      )
      return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
    },
  })
  const addresses = {
    validator: (_: unknown, value: readonly string[]) => {
      const wrong = value.filter((one) => reasonFor(Reservation.shape.Attendees.element, one))
      return wrong.length > 0
        ? Promise.reject(
            new Error(t('bookings:form.noAddress', { texts: wrong.join(t('screens:listComma')) })),
          )
        : by('Attendees').validator(_, value)
    },
  }
  const weekdays = Array.from({ length: 7 }, (_, i) => (i + 1) % 7).map((value) => ({
    value,
    label: new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
      Date.UTC(2026, 0, 4 + value),
    ),
  }))

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={initial}
      onFinish={() => void save(false)}
      onValuesChange={(changed: Partial<BookingValues>) => {
        if (changed.date) follow(changed.date)
        onDirty?.(true)
      }}
      scrollToFirstError
    >
      {refusal && (
        <Alert
          type="error"
          showIcon
          className={styles.alert}
          message={refusal.text}
          action={
            refusal.skippable && (
              <Button onClick={() => void save(true)}>{t('bookings:form.skipTaken')}</Button>
            )
          }
        />
      )}
      {booking && booking.SeriesID !== null && (
        <Form.Item label={t('bookings:form.scope')}>
          <Radio.Group
            value={scope}
            onChange={(event) => setScope(event.target.value as Scope)}
            options={SCOPES.map((value) => ({ value, label: t(`bookings:scopes.${value}`) }))}
          />
        </Form.Item>
      )}
      <Form.Item
        name="ConferenceRoomID"
        label={t('bookings:form.room')}
        rules={[{ required: true, message: describeField('required') }]}
        {...(crowded && {
          extra: t('bookings:form.crowded', { capacity: chosen.Capacity, count: values.Attendees.length }),
        })}
      >
        <FormSelect
          showSearch
          optionFilterProp="label"
          options={rooms
            .filter((one) => one.Active || one.ConferenceRoomID === booking?.ConferenceRoomID)
            .map((one) => ({
              value: one.ConferenceRoomID,
              label: t('bookings:roomOption', { room: one.ConferenceRoomName, count: one.Capacity }),
            }))}
        />
      </Form.Item>
      <div className={styles.when}>
        <Form.Item
          name="date"
          label={t('bookings:date')}
          rules={[{ required: true, message: describeField('required') }]}
        >
          <DatePicker {...TAKES_ENTER} allowClear={false} showNow={false} {...siteToday(today)} />
        </Form.Item>
        <Form.Item
          name="start"
          label={t('bookings:form.start')}
          rules={[{ required: true, message: describeField('required') }]}
          extra={unlessThere(values.start, meant?.StartTimestamp)}
        >
          <TimePicker {...TAKES_ENTER} format="HH:mm" minuteStep={5} allowClear={false} needConfirm={false} />
        </Form.Item>
        <Form.Item
          name="end"
          label={t('bookings:form.end')}
          rules={[{ required: true, message: describeField('required') }]}
          extra={
            unlessThere(values.end, meant?.EndTimestamp) ??
            (values.start && values.end && overnight(values) && t('bookings:form.overnight'))
          }
        >
          <TimePicker {...TAKES_ENTER} format="HH:mm" minuteStep={5} allowClear={false} needConfirm={false} />
        </Form.Item>
      </div>
      {chosen && chosen.TimeZone !== OWN_ZONE && (
        <p className={`${styles.hint} ${styles.alert}`}>
          {t('bookings:form.zone', { zone: chosen.TimeZone })}
        </p>
      )}
      <Form.Item name="Subject" label={t('bookings:form.subject')} required rules={[by('Subject')]}>
        <Input maxLength={128} />
      </Form.Item>
      <Form.Item
        name="Attendees"
        label={t('bookings:form.attendees')}
        required
        extra={t('bookings:form.attendeesHint')}
        rules={[addresses]}
      >
        <FormSelect
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', ';', ' ', '\n', '，', '、']}
        />
      </Form.Item>
      <Form.Item name="Host" label={t('bookings:form.host')} rules={[by('Host')]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="Description" label={t('bookings:form.description')} rules={[by('Description')]}>
        <Input.TextArea maxLength={2000} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      <Form.Item
        name="Private"
        label={t('bookings:form.private')}
        valuePropName="checked"
        extra={t('bookings:form.privateHint')}
      >
        <Switch />
      </Form.Item>
      {!booking && (
        <div className={styles.when}>
          <Form.Item name="every" label={t('bookings:form.repeat')}>
            <FormSelect
              options={(['never', 'day', 'week', 'month'] as const).map((value) => ({
                value,
                label: t(`bookings:every.${value}`),
              }))}
            />
          </Form.Item>
          {values.every !== 'never' && (
            <>
              <Form.Item name="interval" label={t('bookings:form.interval')}>
                <InputNumber min={1} max={12} precision={0} />
              </Form.Item>
              <Form.Item name="until" label={t('bookings:form.until')}>
                <DatePicker {...TAKES_ENTER} allowClear={false} showNow={false} {...siteToday(today)} />
              </Form.Item>
            </>
          )}
          {values.every === 'week' && (
            <Form.Item name="weekdays" label={t('bookings:form.weekdays')} className={styles.whole}>
              <Checkbox.Group options={weekdays} />
            </Form.Item>
          )}
        </div>
      )}
      <div className={styles.actions}>
        <Button onClick={cancel}>{t('screens:cancel')}</Button>
        <Button type="primary" htmlType="submit" loading={busy}>
          {t(booking ? 'screens:save' : 'bookings:form.book')}
        </Button>
      </div>
    </Form>
  )
}

/** Enter ends what was typed as a date or a time, and does not book yet. */
const TAKES_ENTER = {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') event.preventDefault()
  },
}

/** Which field of the form a path of the call is. */
const FIELD_OF: Record<string, keyof BookingValues> = {
  StartTimestamp: 'start',
  EndTimestamp: 'end',
  'Repeat.Until': 'until',
}

/** From the next quarter of an hour on. */
function nextHour(): Period {
  const StartTimestamp = Math.ceil(gatewayNow() / (15 * MINUTE)) * 15 * MINUTE
  return { StartTimestamp, EndTimestamp: StartTimestamp + 60 * MINUTE }
}
