import { AutoComplete, Button, Form, Input, InputNumber, Select } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import { fieldErrors } from '../../../contract/kernel/envelope.ts'
import {
  ModbusRow,
  ModbusRowFields,
  DEFAULT_SENTINELS,
  isBitArea,
  isWritableArea,
  MODBUS_AREAS,
  MODBUS_TYPES,
  registersOf,
  sentinelsOf,
} from '../../../contract/devices/modbus/modbus-table.ts'
import { METER_FIELDS } from '../../../contract/devices/modbus/modbus-meter.ts'
import { describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import page from '../../ui/page/page.module.css'
import type { RowField } from './table-file.ts'
import { Drawer } from '../../ui/page/dialog.tsx'

interface Props {
  row: ModbusRow
  isNew: boolean
  /** The other rows: keys and meter fields must be unique; their groups are offered. */
  otherRows: readonly ModbusRow[]
  close: () => void
  apply: (row: ModbusRow) => void
}

const BIT_TYPES = new Set(['bool'])
const NULLABLE: readonly RowField[] = ['Bit', 'Min', 'Max', 'Field']
const BITS = Array.from({ length: 16 }, (_, bit) => bit)

/** Form for one row of a table: label, register, meaning and access. */
export const RowForm: FC<Props> = ({ row, isNew, otherRows, close, apply }) => {
  const t = useT()
  const [form] = Form.useForm<ModbusRow>()
  const [now, setNow] = useState(row)
  const isBit = isBitArea(now.Area)
  const mayWrite = isWritableArea(now.Area) && now.Bit === null

  /** Resets fields that the area or data type does not support, so that no hidden field is invalid. */
  const settle = (changed: Partial<ModbusRow>, all: ModbusRow) => {
    const next = { ...row, ...all, ...changed }
    if (isBitArea(next.Area)) next.DataType = 'bool'
    if (next.DataType !== 'bool' || isBitArea(next.Area)) next.Bit = null
    if (changed.DataType && next.Sentinels?.length)
      next.Sentinels = next.Field === null ? [] : [...DEFAULT_SENTINELS[next.DataType]]
    if (changed.Field && !next.Sentinels?.length) next.Sentinels = [...DEFAULT_SENTINELS[next.DataType]]
    if (!isWritableArea(next.Area) || (next.Bit ?? null) !== null) next.Access = 'r'
    form.setFieldsValue(next)
    setNow(next)
  }

  const finish = (values: ModbusRow) => {
    const fullRow = { ...row, ...values }
    for (const field of NULLABLE) fullRow[field] = (fullRow[field] ?? null) as never
    const parsed = ModbusRow.safeParse(fullRow)
    const faults: Record<string, string> = parsed.success ? {} : fieldErrors(parsed.error)
    for (const field of ['Key', 'Field'] as const)
      if (fullRow[field] !== null && otherRows.some((otherRow) => otherRow[field] === fullRow[field]))
        faults[field] ??= 'taken'
    if (!parsed.success || Object.keys(faults).length > 0)
      return form.setFields(
        Object.entries(faults).map(([name, reason]) => ({
          name: name as RowField,
          errors: [describeField(reason)],
        })),
      )
    apply(parsed.data)
    close()
  }

  const item = (name: RowField, input: ReactNode, hint?: string) => (
    <Form.Item
      name={name}
      label={t(`modbus:fields.${name}`)}
      extra={hint}
      validateTrigger={['onBlur', 'onSubmit']}
      rules={[
        {
          validator: (_, value: unknown) => {
            const reason = reasonFor(ModbusRowFields.shape[name], value)
            return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
          },
        },
      ]}
    >
      {input}
    </Form.Item>
  )
  const number = (name: RowField, props: object = {}, hint?: string) =>
    item(name, <InputNumber style={{ width: '100%' }} {...props} />, hint)
  const choice = <V extends string>(
    name: RowField,
    values: readonly V[],
    label: (value: V) => string,
    props: object = {},
  ) => item(name, <FormSelect options={values.map((value) => ({ value, label: label(value) }))} {...props} />)
  const groups = [...new Set(otherRows.map(({ Group }) => Group).filter(Boolean))]

  return (
    <Drawer
      open
      title={t(isNew ? 'modbus:row.new' : 'modbus:row.edit')}
      onClose={close}
      footer={
        <div className={page.actions}>
          <Button onClick={close}>{t('screens:cancel')}</Button>
          <Button type="primary" onClick={() => form.submit()}>
            {t('modbus:row.done')}
          </Button>
        </div>
      }
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={{ ...row, Sentinels: [...sentinelsOf(row)] }}
        onFinish={finish}
        onValuesChange={settle}
      >
        <div className={page.fields}>
          {item('Label', <Input maxLength={64} />)}
          {item('Group', <AutoComplete options={groups.map((value) => ({ value }))} maxLength={64} />)}
        </div>
        {item(
          'Key',
          <Input maxLength={32} autoCapitalize="none" spellCheck={false} />,
          t('modbus:row.keyHint'),
        )}
        <h3>{t('modbus:row.place')}</h3>
        <div className={page.fields}>
          {choice('Area', MODBUS_AREAS, (area) => t(`modbus:area.${area}`))}
          {number('Address', { min: 0, max: 65_535, precision: 0 }, t('modbus:row.addressHint'))}
          {choice(
            'DataType',
            MODBUS_TYPES.filter((type) => !isBit || BIT_TYPES.has(type)),
            (type) => (type === 'bool' ? t('modbus:type.bool') : type),
          )}
          {now.DataType === 'bool' && !isBit
            ? item(
                'Bit',
                <FormSelect
                  allowClear
                  placeholder={t('modbus:row.wholeRegister')}
                  options={BITS.map((value) => ({ value, label: String(value) }))}
                />,
              )
            : null}
        </div>
        {!isBit && now.DataType !== 'bool' && (
          <div className={page.fields}>
            {choice('ByteOrder', ['big', 'little'] as const, (order) => t(`modbus:byteOrder.${order}`))}
            {registersOf(now) > 1 &&
              choice('WordOrder', ['big', 'little'] as const, (order) => t(`modbus:wordOrder.${order}`))}
          </div>
        )}
        {now.DataType !== 'bool' && (
          <>
            <h3>{t('modbus:row.meaning')}</h3>
            <div className={page.fields}>
              {number('Scale', {}, t('modbus:row.scaleHint'))}
              {number('Offset')}
              {item('Unit', <Input maxLength={16} />)}
              {number('Decimals', { min: 0, max: 9, precision: 0 })}
            </div>
            {item(
              'Field',
              <FormSelect
                allowClear
                placeholder={t('modbus:row.notMeter')}
                options={METER_FIELDS.map((value) => ({ value, label: t(`modbus:meter.${value}`) }))}
              />,
              t('modbus:row.fieldHint'),
            )}
            {item(
              'Sentinels',
              <Select
                mode="tags"
                tokenSeparators={[' ', ',', ';']}
                options={DEFAULT_SENTINELS[now.DataType].map((value) => ({ value, label: value }))}
              />,
              t('modbus:row.sentinelHint'),
            )}
          </>
        )}
        {mayWrite && (
          <>
            <h3>{t('modbus:row.writing')}</h3>
            {choice('Access', ['r', 'rw'] as const, (access) => t(`modbus:access.${access}`))}
            {now.Access === 'rw' && now.DataType !== 'bool' && (
              <div className={page.fields}>
                {number('Min')}
                {number('Max')}
              </div>
            )}
          </>
        )}
      </Form>
    </Drawer>
  )
}
