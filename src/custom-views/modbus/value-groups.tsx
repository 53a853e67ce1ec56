import { Button, Form, Popover } from 'antd'
import { EditOutlined } from '@ant-design/icons'
import { useRef, useState, type ComponentRef, type FC } from 'react'
import type { ModbusRow } from '../../../contract/devices/modbus/modbus-table.ts'
import { settleValue } from '../../../contract/devices/modbus/modbus-values.ts'
import {
  amountText,
  formatDecimals,
  formatReading,
  type FormattedAmount,
  shownUnit,
} from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import { AmountValue } from '../../ui/tags/power-value.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { onOff, SwitchControl } from '../../ui/inputs/switch-control.tsx'
import { useRowWords } from '../../domain/modbus-table/use-row-words.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import page from '../../ui/page/page.module.css'
import styles from './modbus.module.css'

interface Props {
  rows: readonly ModbusRow[]
  /** Values by row key; undefined before the first report, null if unreadable. */
  values: Readonly<Record<string, number | null>> | undefined
  /** Requested values that are not reported yet. */
  pending: Readonly<Record<string, number>> | undefined
  /** Undefined if the user may not control the device. */
  write: ((key: string, value: number) => void) | undefined
}

/** Values of a Modbus device in the groups of its table: address, value and, if writable, control. */
export const ValueGroups: FC<Props> = ({ rows, values, pending, write }) => {
  const t = useT()
  const names = [...new Set(rows.map(({ Group }) => Group))]
  return (
    <>
      {names.map((name) => (
        <section key={name} className={styles.group}>
          {names.length > 1 && <h2 className={page.muted}>{name || t('modbus:values.ungrouped')}</h2>}
          <ul>
            {rows
              .filter(({ Group }) => Group === name)
              .map((row) => (
                <Value
                  key={row.Key}
                  row={row}
                  value={values?.[row.Key]}
                  requested={pending?.[row.Key]}
                  write={row.Access === 'rw' ? write : undefined}
                />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

interface ValueProps {
  row: ModbusRow
  value: number | null | undefined
  requested: number | undefined
  write: ((key: string, value: number) => void) | undefined
}

/** A value with the decimals of its row in the table; power in kW. */
const amountOf = ({ Unit, Decimals }: ModbusRow, value: number): FormattedAmount =>
  shownUnit(Unit) === 'kW'
    ? formatReading(value, Unit, String)
    : { figure: formatDecimals(value, Decimals), unit: Unit }

const Value: FC<ValueProps> = ({ row, value, requested, write }) => {
  const t = useT()
  const place = useRowWords().place(row)
  const optionText = (of: number) =>
    row.DataType === 'bool'
      ? onOff(t, of)
      : amountText({ figure: formatDecimals(of, row.Decimals), unit: row.Unit })
  const requestValue = (next: number) =>
    confirm({
      title: t('modbus:values.confirm', { label: row.Label, value: optionText(next) }),
      content: t('modbus:values.confirmNote'),
      okText: t('modbus:values.write'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () => write?.(row.Key, next),
    })

  return (
    <li className={`${page.spread} ${page.tall} ${styles.value}`}>
      <span className={page.words}>
        {row.Label}
        <small className={page.block}>{place}</small>
      </span>
      <span className={page.row}>
        {value === undefined ? (
          <StateTag tone="offline">{t('modbus:values.waiting')}</StateTag>
        ) : value === null ? (
          <StateTag tone="warning">{t('modbus:values.failed')}</StateTag>
        ) : row.DataType !== 'bool' ? (
          <AmountValue amount={amountOf(row, value)} />
        ) : (
          !write && <StateTag tone={value ? 'on' : 'plain'}>{onOff(t, value)}</StateTag>
        )}
        {write &&
          (row.DataType === 'bool' ? (
            <SwitchControl
              name={row.Label}
              value={value ?? undefined}
              requested={requested}
              onChange={requestValue}
            />
          ) : (
            <>
              {requested !== undefined && requested !== value && (
                <span className={page.muted} aria-live="polite">
                  {t('modbus:values.pending', { value: optionText(requested) })}
                </span>
              )}
              <WriteValue row={row} value={value} requestValue={requestValue} />
            </>
          ))}
      </span>
    </li>
  )
}

/** Input for a register; shows the value that it will actually store before it is sent. */
const WriteValue: FC<{
  row: ModbusRow
  value: number | null | undefined
  requestValue: (next: number) => void
}> = ({ row, value, requestValue }) => {
  const t = useT()
  const reason = useNoControl()
  const opener = useRef<HTMLButtonElement>(null)
  const field = useRef<ComponentRef<typeof NumberWithUnit>>(null)
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState<number | null>(null)
  const settled = typed === null ? undefined : settleValue(row, typed)
  const refused = typed !== null && settled === undefined
  const limits =
    row.Min !== null && row.Max !== null && t('modbus:values.range', { min: row.Min, max: row.Max })
  return (
    <Popover
      open={open}
      trigger="click"
      destroyOnHidden
      placement="bottomRight"
      afterOpenChange={(next) => {
        if (next) field.current?.focus()
      }}
      onOpenChange={(next) => {
        setOpen(next)
        setTyped(value ?? null)
      }}
      content={
        <Form
          layout="vertical"
          className={styles.write}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            setOpen(false)
            opener.current?.focus()
          }}
          onFinish={() => {
            if (settled === undefined) return
            setOpen(false)
            requestValue(settled)
          }}
        >
          <Form.Item
            label={t('modbus:values.newValue', { label: row.Label })}
            extra={limits || undefined}
            {...(refused && { validateStatus: 'error' as const, help: t('modbus:values.refused') })}
          >
            <NumberWithUnit
              ref={field}
              value={typed}
              onChange={setTyped}
              step={Math.abs(row.Scale)}
              unit={row.Unit || undefined}
              aria-label={t('modbus:values.newValue', { label: row.Label })}
            />
          </Form.Item>
          <Button
            type="primary"
            htmlType="submit"
            disabled={settled === undefined || reason !== undefined}
            title={reason}
            block
          >
            {t('modbus:values.write')}
          </Button>
        </Form>
      }
    >
      <Button
        ref={opener}
        icon={<EditOutlined />}
        aria-label={t('modbus:values.writeOne', { label: row.Label })}
      />
    </Popover>
  )
}
