import { DatePicker, Form, Input, Switch, type SelectProps } from 'antd'
import type { Dayjs } from 'dayjs'
import { type FC, type KeyboardEvent, useDeferredValue, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { describeField } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { TimeField } from '../../ui/inputs/time-field.tsx'
import { siteToday } from '../../ui/inputs/site-today.tsx'
import { type BookingValues, isSkippedByDst, overnight, periodOf } from './booking-values.ts'
import { timeText } from './booking-words.ts'
import { useMeetingRoomWords } from '../../domain/booking/use-meeting-room-words.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { holdsLabel } from '../../lib/match-words.ts'
import { Booking, bookings } from '../../../contract/bookings/calls.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { callQuery } from '../../data/api.ts'

/** Makes Enter confirm a date or time without submitting the form. */
export const PREVENT_SUBMIT_ON_ENTER = {
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Enter') event.preventDefault()
  },
}

const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  values: BookingValues
  /** In the room's time zone, days since 1970-01-01. */
  today: number
  /** Room that stays selectable although it can no longer be booked. */
  currentRoomId: string | undefined
}

/** Fields for room, day and times, in the room's time zone. */
export const BookingPlace: FC<Props> = ({ rooms, values, today, currentRoomId }) => {
  const t = useT()
  const language = useLanguage()
  const { optionOf } = useMeetingRoomWords(rooms)
  const selectedRoom = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === values.ConferenceRoomID)
  const isTooSmall = selectedRoom && values.Attendees && values.Attendees.length > selectedRoom.Capacity
  const enteredPeriod =
    selectedRoom && values.date && values.start && values.end
      ? periodOf(values, selectedRoom.TimeZone)
      : undefined
  /** Text for the time that is booked instead if the picked one is skipped by daylight saving. */
  const skippedTimeHint = (date: Dayjs, timestamp: number | undefined) =>
    selectedRoom && timestamp !== undefined && isSkippedByDst(date, timestamp, selectedRoom.TimeZone)
      ? t('bookings:form.leftOut', { time: timeText(timestamp, selectedRoom.TimeZone, language) })
      : undefined
  return (
    <>
      <Form.Item
        name="ConferenceRoomID"
        label={t('bookings:form.room')}
        rules={[{ required: true, message: describeField('required') }]}
        {...(isTooSmall && {
          extra: t('bookings:form.crowded', {
            capacity: selectedRoom.Capacity,
            count: values.Attendees.length,
          }),
        })}
      >
        <FormSelect
          showSearch
          filterOption={holdsLabel}
          options={rooms
            .filter((room) => room.Active || room.ConferenceRoomID === currentRoomId)
            .map((room) => ({
              value: room.ConferenceRoomID,
              label: optionOf(room),
            }))}
        />
      </Form.Item>
      <div className={styles.when}>
        <Form.Item
          name="date"
          label={t('bookings:date')}
          rules={[{ required: true, message: describeField('required') }]}
        >
          <DatePicker {...PREVENT_SUBMIT_ON_ENTER} allowClear={false} showNow={false} {...siteToday(today)} />
        </Form.Item>
        <Form.Item
          name="start"
          label={t('bookings:form.start')}
          rules={[{ required: true, message: describeField('required') }]}
          extra={skippedTimeHint(values.start, enteredPeriod?.StartTimestamp)}
        >
          <TimeField />
        </Form.Item>
        <Form.Item
          name="end"
          label={t('bookings:form.end')}
          rules={[{ required: true, message: describeField('required') }]}
          extra={
            skippedTimeHint(values.end, enteredPeriod?.EndTimestamp) ??
            (values.start && values.end && overnight(values) && t('bookings:form.overnight'))
          }
        >
          <TimeField />
        </Form.Item>
      </div>
      {selectedRoom && selectedRoom.TimeZone !== OWN_ZONE && (
        <p className={`${page.hint} ${page.below16}`}>
          {t('bookings:form.zone', { zone: selectedRoom.TimeZone })}
        </p>
      )}
    </>
  )
}

/** Separators between typed addresses; not a blank, which names contain. */
const SEPARATORS = [',', ';', '\n', '，', '、']

/** Selects attendees: colleagues by name, address or department, others by their address. */
const AttendeeSelect: FC<SelectProps<string[]>> = (props) => {
  const t = useT()
  const [input, setInput] = useState('')
  const Search = useDeferredValue(input.trim().slice(0, 100))
  const suggestions = useQuery({
    ...callQuery(bookings.searchColleague, { Search }),
    enabled: Search !== '',
  })
  const options = (Search === '' ? [] : (suggestions.data ?? [])).map(({ Email, Name, Department }) => ({
    value: Email,
    // Matching colleagues take precedence: the typed text is an option only if there are none.
    search: input,
    label: (
      <>
        {Name} <span className={page.small}>{[Email, Department].filter(Boolean).join(' · ')}</span>
      </>
    ),
  }))
  return (
    <FormSelect
      {...props}
      mode="tags"
      open={input !== '' && options.length > 0}
      suffixIcon={null}
      tokenSeparators={input.includes('@') ? [...SEPARATORS, ' '] : SEPARATORS}
      optionFilterProp="search"
      filterOption={false}
      options={options}
      optionLabelProp="value"
      searchValue={input}
      onSearch={setInput}
      onSelect={() => setInput('')}
      onBlur={() => setInput('')}
      placeholder={t('bookings:form.attendeesPlaceholder')}
    />
  )
}

const by = (field: 'Subject' | 'Attendees' | 'Host' | 'Description') => ({
  validator: (_: unknown, value: unknown) => {
    const reason = reasonFor(
      Booking.shape[field],
      Array.isArray(value) && value.length === 0 ? undefined : value,
    )
    return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
  },
})

export const BookingText: FC = () => {
  const t = useT()
  const addresses = {
    validator: (_: unknown, value: readonly string[]) => {
      const invalidAddresses = value.filter((address) => reasonFor(Booking.shape.Attendees.element, address))
      return invalidAddresses.length > 0
        ? Promise.reject(
            new Error(t('bookings:form.noAddress', { texts: invalidAddresses.join(t('screens:listComma')) })),
          )
        : by('Attendees').validator(_, value)
    },
  }
  return (
    <>
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
        <AttendeeSelect />
      </Form.Item>
    </>
  )
}

/** Fields that most bookings leave as they are. */
export const BookingDetailFields: FC = () => {
  const t = useT()
  return (
    <>
      <Form.Item name="Host" label={t('bookings:form.host')} rules={[by('Host')]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="Description" label={t('bookings:form.description')} rules={[by('Description')]}>
        <Input.TextArea maxLength={2000} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      <Form.Item
        name="Private"
        label={t('bookings:form.private')}
        required
        valuePropName="checked"
        extra={t('bookings:form.privateHint')}
      >
        <Switch />
      </Form.Item>
    </>
  )
}
