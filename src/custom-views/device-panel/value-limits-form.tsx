import { CloseOutlined } from '@ant-design/icons'
import { Button, Form, Select } from 'antd'
import { useState, type FC } from 'react'
import { limitablePaths } from '../../../contract/devices/kinds/history-fields.ts'
import {
  MAX_VALUE_LIMITS,
  peripheralCalls,
  ValueLimit,
  type Peripheral,
  type ValueLimits,
} from '../../../contract/devices/peripheral.ts'
import { fromShownUnit, inShownUnit } from '../../../contract/kernel/numbers.ts'
import { describeField } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { useStatus } from '../../data/status-store.ts'
import { useAction } from '../../data/use-action.ts'
import { namesModbus, usePathWords } from '../../domain/devices/path-words.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { firstReason } from '../../record-kit/field-rules.ts'
import { FollowedConflict } from '../../record-kit/record-conflict.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import page from '../../ui/page/page.module.css'

/** Form values of one quantity's limits: an empty side is open. */
interface Row {
  Path: string
  Lower?: number | null
  Upper?: number | null
}
const SIDES = [
  { side: 'Lower', label: 'devices:limits.lower' },
  { side: 'Upper', label: 'devices:limits.upper' },
] as const

const limitOf = ({ Lower = null, Upper = null }: Row) => ({ Lower, Upper })

/** Converts a device's limits to rows in display units, and back. */
function createRows(unitOf: (path: string) => string) {
  const convertLimit = (convert: typeof inShownUnit, Path: string, limit: ValueLimit) => {
    const side = (value: number | null) => (value === null ? null : convert(value, unitOf(Path)))
    return { Lower: side(limit.Lower), Upper: side(limit.Upper) }
  }
  return {
    rowsOf: (limits: ValueLimits | null): Row[] =>
      Object.entries(limits ?? {}).map(([Path, limit]) => ({
        Path,
        ...convertLimit(inShownUnit, Path, limit),
      })),
    limitsOf: (rows: readonly Row[]): ValueLimits | null =>
      rows.length > 0
        ? Object.fromEntries(
            rows.map((row) => [row.Path, convertLimit(fromShownUnit, row.Path, limitOf(row))]),
          )
        : null,
  }
}

/** Form for limits, possibly one-sided, of everything that a device measures except current and voltage; nothing if there is none. */
export const ValueLimitsForm: FC<{ device: Peripheral; onDirty: (dirty: boolean) => void }> = ({
  device,
  onDirty,
}) => {
  const t = useT()
  const [form] = Form.useForm<{ rows: Row[] }>()
  const [dirty, setDirty] = useState(false)
  const chosenPaths =
    Form.useWatch('rows', form)?.map(({ Path }) => Path) ?? Object.keys(device.ValueLimits ?? {})
  const measured = limitablePaths(device.PeripheralType, useStatus(device.PeripheralUID))
  const { nameOf, unitOf, shownUnitOf, limitOf } = usePathWords(
    device,
    namesModbus([...measured, ...chosenPaths]),
  )
  const { rowsOf, limitsOf } = createRows(unitOf)
  const mark = (now: boolean) => {
    setDirty(now)
    onDirty(now)
  }
  const tracked = useTrackedRecord<Peripheral>({
    record: device,
    parts: [['ValueLimits']],
    read: () => ({ ValueLimits: limitsOf(rowsIn(form.getFieldsValue(true))) }),
    write: (remote) => form.setFieldsValue({ rows: rowsOf(remote.ValueLimits) }),
  })
  const { busy, run: save } = useAction(async (limits: ValueLimits | null, send) => {
    const { HomeID, PeripheralUID } = device
    const { ValueLimits: baseLimits } = tracked.base ?? device
    const change = { HomeID, PeripheralUID, ValueLimits: limits, Seen: { ValueLimits: baseLimits } }
    if (!(await tracked.save(() => send(peripheralCalls.updateAdvance, change)))) return
    mark(false)
    notices.success(() => tNow('screens:updated'))
  })
  if (measured.length === 0 && chosenPaths.length === 0) return null
  const unusedPaths = measured.filter((path) => !chosenPaths.includes(path))
  const inWords = ([path, { Lower, Upper }]: [string, ValueLimit]) => {
    const side = (value: number | null) => (value === null ? t('devices:limits.open') : limitOf(path, value))
    return t('devices:limits.of', { name: nameOf(path), lower: side(Lower), upper: side(Upper) })
  }
  return (
    <section className={page.section}>
      <h2>{t('devices:limits.title')}</h2>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ rows: rowsOf(device.ValueLimits) }}
        onValuesChange={() => mark(true)}
        onFinish={() => void save(limitsOf(rowsIn(form.getFieldsValue(true))))}
      >
        <p className={`${page.hint} ${page.below8}`}>{t('devices:limits.note')}</p>
        <Form.List name="rows">
          {(fields, { add, remove }) => (
            <>
              {fields.map(({ key, name }) => {
                const path = chosenPaths[name] ?? ''
                return (
                  <LimitRow
                    key={key}
                    index={name}
                    name={nameOf(path)}
                    unit={shownUnitOf(path)}
                    remove={() => remove(name)}
                  />
                )
              })}
              {unusedPaths.length > 0 && fields.length < MAX_VALUE_LIMITS && (
                <Form.Item>
                  <Select<string>
                    aria-label={t('devices:limits.add')}
                    placeholder={t('devices:limits.add')}
                    // Adds the selected quantity and stays empty.
                    value={null as unknown as string}
                    options={unusedPaths.map((path) => ({ value: path, label: nameOf(path) }))}
                    onChange={(Path) => add({ Path, Lower: null, Upper: null })}
                  />
                </Form.Item>
              )}
            </>
          )}
        </Form.List>
        <FollowedConflict
          tracked={tracked}
          record={device}
          words={[
            {
              label: t('devices:limits.title'),
              of: ({ ValueLimits: limits }: Peripheral) =>
                Object.entries(limits ?? {})
                  .map(inWords)
                  .join(t('screens:listComma')),
            },
          ]}
        />
        <Button
          type="primary"
          htmlType="submit"
          loading={busy}
          disabled={!dirty || tracked.conflicting.length > 0}
        >
          {t('devices:limits.save')}
        </Button>
      </Form>
    </section>
  )
}

const rowsIn = ({ rows }: { rows?: Row[] }): Row[] => rows ?? []

const LimitRow: FC<{ index: number; name: string; unit: string | undefined; remove: () => void }> = ({
  index,
  name,
  unit,
  remove,
}) => {
  const t = useT()
  const wordsFor = (reason: string) =>
    reason === 'required' ? t('devices:limits.oneSide') : describeField(reason)
  return (
    <fieldset className={page.below16}>
      <legend>{name}</legend>
      <div className={page.halves}>
        {SIDES.map(({ side, label }) => (
          <Form.Item
            key={side}
            name={[index, side]}
            label={t(label, { name })}
            dependencies={side === 'Upper' ? [['rows', index, 'Lower']] : []}
            validateTrigger={['onBlur', 'onSubmit']}
            rules={[
              ({ getFieldValue }) => ({
                validator: () => {
                  const row = getFieldValue(['rows', index]) as Row
                  const reason = firstReason(ValueLimit, limitOf(row), side)
                  return reason ? Promise.reject(new Error(wordsFor(reason))) : Promise.resolve()
                },
              }),
            ]}
          >
            <NumberWithUnit unit={unit} />
          </Form.Item>
        ))}
      </div>
      <Button size="small" icon={<CloseOutlined />} onClick={remove}>
        {t('devices:limits.remove', { name })}
      </Button>
    </fieldset>
  )
}
