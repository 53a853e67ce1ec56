import { DatePicker, Form } from 'antd'
import type { Dayjs } from 'dayjs'
import type { FC } from 'react'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { describeField } from '../../data/failure.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { TimeField } from '../../ui/inputs/time-field.tsx'
import { siteToday } from '../../ui/inputs/site-today.tsx'
import { type BookingValues, isSkippedByDst, overnight, periodOf } from './booking-values.ts'
import { timeText } from './booking-words.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { PREVENT_SUBMIT_ON_ENTER } from './prevent-submit-on-enter.ts'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

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
  const selectedRoom = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === values.ConferenceRoomID)
  const isTooSmall = selectedRoom && values.Attendees && values.Attendees.length > selectedRoom.Capacity
  const meant =
    selectedRoom && values.date && values.start && values.end
      ? periodOf(values, selectedRoom.TimeZone)
      : undefined
  /** Text for the time that is booked instead if the picked one is skipped by daylight saving. */
  const skippedTimeHint = (picked: Dayjs, timestamp: number | undefined) =>
    selectedRoom && timestamp !== undefined && isSkippedByDst(picked, timestamp, selectedRoom.TimeZone)
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
              label: t('bookings:roomOption', { room: room.ConferenceRoomName, count: room.Capacity }),
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
          extra={skippedTimeHint(values.start, meant?.StartTimestamp)}
        >
          <TimeField />
        </Form.Item>
        <Form.Item
          name="end"
          label={t('bookings:form.end')}
          rules={[{ required: true, message: describeField('required') }]}
          extra={
            skippedTimeHint(values.end, meant?.EndTimestamp) ??
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
