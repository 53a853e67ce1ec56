import { Input } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { Field, type PartProps } from './field.tsx'
import { RecipientsField } from './recipients-field.tsx'

/** Recipients of a notification, and its additional text. */
export const NotificationFields: FC<PartProps> = ({ draft: { Notify }, change, reasons, disabled }) => {
  const t = useT()
  return (
    <>
      <Field label={t('automation:rule.tell.to')} wide>
        <RecipientsField
          label={t('automation:rule.tell.to')}
          path="Notify.To"
          value={Notify.To}
          reasons={reasons}
          disabled={disabled}
          onChange={(To) => change({ Notify: { ...Notify, To } })}
        />
      </Field>
      <Field
        wide
        label={t('automation:rule.tell.text')}
        path="Notify.Text"
        reasons={reasons}
        hint={t('automation:rule.tell.textHint')}
      >
        <Input.TextArea
          autoSize
          aria-label={t('automation:rule.tell.text')}
          disabled={disabled}
          maxLength={500}
          value={Notify.Text}
          onChange={({ target }) => change({ Notify: { ...Notify, Text: target.value } })}
        />
      </Field>
    </>
  )
}
