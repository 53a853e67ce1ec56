import { DatePicker, Input } from 'antd'
import { z } from 'zod'
import type { FC } from 'react'
import { visitor } from '../../../contract/resources/visitor.ts'
import { dayOf } from '../../../contract/rules/periods.ts'
import styles from '../../domain/access/access.module.css'
import { Field } from '../../domain/access/field.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { siteToday } from '../../ui/inputs/site-today.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-phone.ts'
import { HostSelect } from './host-select.tsx'
import { useFormZone } from './use-form-zone.ts'

const { shape } = visitor.operations.create.input
/** A form's window: two moments, the first before the second. */
const Window = z
  .tuple([z.custom<{ valueOf(): number }>(Boolean), z.custom<{ valueOf(): number }>(Boolean)], 'required')
  .refine(([from, until]) => from.valueOf() < until.valueOf(), 'dateOrder')

interface Props {
  /** Leaving e-mail or phone looks for former visits. */
  onContact?: (by: 'Email' | 'Phone') => void
  chosenHost: { id: string; name: string } | undefined
}

/** The fields of a visit (§3). */
export const VisitorFields: FC<Props> = ({ onContact, chosenHost }) => {
  const t = useT()
  const phone = usePhone()
  const today = dayOf(useNow(), useFormZone())
  return (
    <>
      <Field name="Email" label={t('access:fields.Email')} rule={shape.Email}>
        <Input type="email" inputMode="email" maxLength={254} onBlur={() => onContact?.('Email')} />
      </Field>
      <Field name="Phone" label={t('access:fields.Phone')} rule={shape.Phone}>
        <Input
          type="tel"
          inputMode="tel"
          maxLength={32}
          placeholder="0911-222-333"
          onBlur={() => onContact?.('Phone')}
        />
      </Field>
      <Field name="VisitorName" label={t('access:fields.VisitorName')} rule={shape.VisitorName}>
        <Input maxLength={64} />
      </Field>
      <Field name="Company" label={t('access:fields.Company')} rule={shape.Company}>
        <Input maxLength={128} />
      </Field>
      <Field name="Ext" label={t('access:fields.Ext')} rule={shape.Ext}>
        <Input maxLength={16} inputMode="tel" />
      </Field>
      <Field name="HostEmployeeID" label={t('access:fields.HostEmployeeID')} rule={shape.HostEmployeeID}>
        <HostSelect chosen={chosenHost} />
      </Field>
      <Field name="Window" label={t('access:fields.Window')} rule={Window} wide={styles.wide}>
        <DatePicker.RangePicker
          showTime={{ format: 'HH:mm', minuteStep: 5 }}
          format={phone ? 'MM-DD HH:mm' : 'YYYY-MM-DD HH:mm'}
          order={false}
          style={{ width: '100%' }}
          {...siteToday(today)}
        />
      </Field>
      <Field name="Purpose" label={t('access:fields.Purpose')} rule={shape.Purpose} wide={styles.wide}>
        <Input.TextArea maxLength={256} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Field>
    </>
  )
}
