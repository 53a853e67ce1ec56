import { formatWeekday } from '../../lib/format-when.ts'
import { Checkbox, DatePicker, Form, InputNumber } from 'antd'
import type { FC } from 'react'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { siteToday } from '../../ui/inputs/site-today.tsx'
import type { BookingValues } from './booking-values.ts'
import page from '../../ui/page/page.module.css'
import styles from './bookings.module.css'
import { PREVENT_SUBMIT_ON_ENTER } from './prevent-submit-on-enter.ts'

interface Props {
  every: BookingValues['every']
  /** On the room's calendar, in days since 1970-01-01. */
  today: number
}

/** Whether and how a new booking is repeated. */
export const BookingRepetition: FC<Props> = ({ every, today }) => {
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
      {every !== 'never' && (
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
      {every === 'week' && (
        <Form.Item name="weekdays" label={t('bookings:form.weekdays')} className={page.wholeRow}>
          <Checkbox.Group options={weekdays} />
        </Form.Item>
      )}
    </div>
  )
}
