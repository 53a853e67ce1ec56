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
  keeps: string | undefined
}

/** Fields for room, day and times, in the room's time zone. */
export const BookingPlace: FC<Props> = ({ rooms, values, today, keeps }) => {
  const t = useT()
  const language = useLanguage()
  const chosen = rooms.find(({ ConferenceRoomID }) => ConferenceRoomID === values.ConferenceRoomID)
  const crowded = chosen && values.Attendees && values.Attendees.length > chosen.Capacity
  const meant =
    chosen && values.date && values.start && values.end ? periodOf(values, chosen.TimeZone) : undefined
  /** Text for the time that is booked instead if the picked one is skipped by daylight saving. */
  const unlessThere = (picked: Dayjs, timestamp: number | undefined) =>
    chosen && timestamp !== undefined && isSkippedByDst(picked, timestamp, chosen.TimeZone)
      ? t('bookings:form.leftOut', { time: timeText(timestamp, chosen.TimeZone, language) })
      : undefined
  return (
    <>
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
          filterOption={holdsLabel}
          options={rooms
            .filter((one) => one.Active || one.ConferenceRoomID === keeps)
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
          <DatePicker {...PREVENT_SUBMIT_ON_ENTER} allowClear={false} showNow={false} {...siteToday(today)} />
        </Form.Item>
        <Form.Item
          name="start"
          label={t('bookings:form.start')}
          rules={[{ required: true, message: describeField('required') }]}
          extra={unlessThere(values.start, meant?.StartTimestamp)}
        >
          <TimeField />
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
          <TimeField />
        </Form.Item>
      </div>
      {chosen && chosen.TimeZone !== OWN_ZONE && (
        <p className={`${page.hint} ${page.below16}`}>{t('bookings:form.zone', { zone: chosen.TimeZone })}</p>
      )}
    </>
  )
}
