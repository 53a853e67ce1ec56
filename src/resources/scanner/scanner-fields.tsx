import { Input, Radio, Switch } from 'antd'
import type { FC } from 'react'
import { scanner } from '../../../contract/resources/scanner.ts'
import { DIRECTIONS } from '../../../contract/rules/access-pass.ts'
import { Field } from '../../domain/access/field.tsx'
import { useT } from '../../lib/i18n/i18n.ts'

const { shape } = scanner.operations.create.input

/** What may be changed of a scanner at any time. */
export const ScannerFields: FC = () => {
  const t = useT()
  return (
    <>
      <Field name="ScannerName" label={t('access:fields.ScannerName')} rule={shape.ScannerName}>
        <Input maxLength={64} />
      </Field>
      <Field
        name="Direction"
        label={t('access:fields.Direction')}
        rule={shape.Direction}
        hint={t('access:scanner.bothHint')}
      >
        <Radio.Group
          optionType="button"
          options={DIRECTIONS.map((value) => ({ value, label: t(`access:directions.${value}`) }))}
        />
      </Field>
      <Field
        name="AllEmployees"
        label={t('access:fields.AllEmployees')}
        rule={shape.AllEmployees}
        hint={t('access:scanner.allHint')}
        valuePropName="checked"
      >
        <Switch />
      </Field>
      <Field
        name="AllowVisitors"
        label={t('access:fields.AllowVisitors')}
        rule={shape.AllowVisitors}
        valuePropName="checked"
      >
        <Switch />
      </Field>
    </>
  )
}
