import { Button, Form } from 'antd'
import { useState, type FC } from 'react'
import { peripheralCalls, WarningThreshold, type Peripheral } from '../../../contract/devices/peripheral.ts'
import { describeField } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { firstReason } from '../../record-kit/field-rules.ts'
import { FollowedConflict } from '../../record-kit/record-conflict.tsx'
import { useTrackedRecord } from '../../record-kit/use-tracked-record.ts'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import page from '../../ui/page/page.module.css'

const PAIRS = [
  { lower: 'CurrentLower', upper: 'CurrentUpper', unit: 'A', range: 'currentRange' },
  { lower: 'VoltageLower', upper: 'VoltageUpper', unit: 'V', range: 'voltageRange' },
] as const

/** Form for the limits outside of which a meter warns (§5): all four or none. */
export const ThresholdForm: FC<{ device: Peripheral; onDirty: (dirty: boolean) => void }> = ({
  device,
  onDirty,
}) => {
  const t = useT()
  const [form] = Form.useForm<WarningThreshold>()
  const [dirty, setDirty] = useState(false)
  const mark = (now: boolean) => {
    setDirty(now)
    onDirty(now)
  }

  const tracked = useTrackedRecord<Peripheral>({
    record: device,
    parts: [['WarningThreshold']],
    read: () => {
      const limits = form.getFieldsValue(true) as Partial<WarningThreshold>
      const isEmpty = Object.values(limits).every((limit) => (limit ?? null) === null)
      return { WarningThreshold: isEmpty ? null : (limits as WarningThreshold) }
    },
    write: (remote) => form.setFieldsValue(remote.WarningThreshold ?? EMPTY),
  })

  const { busy, run: save } = useAction(async (limits: WarningThreshold | null, send) => {
    const { HomeID, PeripheralUID } = device
    const { WarningThreshold: baseThreshold } = tracked.base ?? device
    const change = {
      HomeID,
      PeripheralUID,
      WarningThreshold: limits,
      Seen: { WarningThreshold: baseThreshold },
    }
    if (!(await tracked.save(() => send(peripheralCalls.updateAdvance, change)))) return
    mark(false)
    notices.success(() => tNow('screens:updated'))
  })

  /** Text for an error: an out-of-range value gets the range, others their reason. */
  const wordsFor = (reason: string, range: (typeof PAIRS)[number]['range']) =>
    reason === 'tooSmall' || reason === 'tooBig' ? t(`devices:threshold.${range}`) : describeField(reason)

  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={device.WarningThreshold ?? EMPTY}
      onValuesChange={() => mark(true)}
      onFinish={(values) => void save(values)}
    >
      <p className={`${page.hint} ${page.below8}`}>{t('devices:threshold.note')}</p>
      {PAIRS.map(({ lower, upper, unit, range }) => (
        <div key={lower} className={page.halves}>
          {[lower, upper].map((name) => (
            <Form.Item
              key={name}
              name={name}
              label={t(`devices:threshold.${name}`)}
              dependencies={name === upper ? [lower] : []}
              validateTrigger={['onBlur', 'onSubmit']}
              rules={[
                ({ getFieldsValue }) => ({
                  validator: () => {
                    const reason = firstReason(WarningThreshold, getFieldsValue(true), name)
                    return reason ? Promise.reject(new Error(wordsFor(reason, range))) : Promise.resolve()
                  },
                }),
              ]}
            >
              <NumberWithUnit unit={unit} />
            </Form.Item>
          ))}
        </div>
      ))}
      <FollowedConflict
        tracked={tracked}
        record={device}
        words={PAIRS.flatMap(({ lower, upper, unit }) =>
          [lower, upper].map((name) => ({
            label: t(`devices:threshold.${name}`),
            of: ({ WarningThreshold: limits }: Peripheral) => (limits ? `${limits[name]} ${unit}` : ''),
          })),
        )}
      />
      <Button
        type="primary"
        htmlType="submit"
        loading={busy}
        disabled={!dirty || tracked.conflicting.length > 0}
      >
        {t('devices:threshold.save')}
      </Button>{' '}
      {device.WarningThreshold && (
        <Button disabled={busy} onClick={() => void save(null)}>
          {t('devices:threshold.clear')}
        </Button>
      )}
    </Form>
  )
}

const EMPTY = {
  CurrentLower: undefined,
  CurrentUpper: undefined,
  VoltageLower: undefined,
  VoltageUpper: undefined,
}
