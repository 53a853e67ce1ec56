import { Button, Form } from 'antd'
import { useState, type FC } from 'react'
import { peripheralCalls, WarningThreshold, type Peripheral } from '../../../contract/resources/peripheral.ts'
import { call } from '../../data/api.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { firstReason } from '../../record-kit/field-rules.ts'
import { FollowedConflict } from '../../record-kit/followed-conflict.tsx'
import { useFollowed } from '../../record-kit/use-followed.ts'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import styles from './device-panel.module.css'

const PAIRS = [
  { lower: 'CurrentLower', upper: 'CurrentUpper', unit: 'A', range: 'currentRange' },
  { lower: 'VoltageLower', upper: 'VoltageUpper', unit: 'V', range: 'voltageRange' },
] as const

/** The limits outside of which a meter warns (§5): all four or none. */
export const ThresholdForm: FC<{ device: Peripheral; onDirty: (dirty: boolean) => void }> = ({
  device,
  onDirty,
}) => {
  const t = useT()
  const [form] = Form.useForm<WarningThreshold>()
  const [dirty, setDirty] = useState(false)
  const [busy, setBusy] = useState(false)
  const mark = (now: boolean) => {
    setDirty(now)
    onDirty(now)
  }

  const followed = useFollowed<Peripheral>({
    record: device,
    parts: [['WarningThreshold']],
    read: () => {
      const limits = form.getFieldsValue(true) as Partial<WarningThreshold>
      const isEmpty = Object.values(limits).every((limit) => (limit ?? null) === null)
      return { WarningThreshold: isEmpty ? null : (limits as WarningThreshold) }
    },
    write: (remote) => form.setFieldsValue(remote.WarningThreshold ?? EMPTY),
  })

  const save = async (limits: WarningThreshold | null) => {
    const { HomeID, PeripheralUID } = device
    const { WarningThreshold: seen } = followed.base ?? device
    setBusy(true)
    try {
      const isSaved = await followed.save(() =>
        call(peripheralCalls.updateAdvance, {
          HomeID,
          PeripheralUID,
          WarningThreshold: limits,
          Seen: { WarningThreshold: seen },
        }),
      )
      if (isSaved) {
        mark(false)
        notices.success(() => t('screens:updated'))
      }
    } catch (error) {
      notices.error(() => describeFailure(error))
    } finally {
      setBusy(false)
    }
  }

  /** A figure out of its range is told the range, anything else its own reason. */
  const wordsFor = (reason: string, range: (typeof PAIRS)[number]['range']) =>
    reason === 'tooSmall' || reason === 'tooBig' ? t(`devices:threshold.${range}`) : describeField(reason)

  return (
    <Form
      form={form}
      layout="vertical"
      requiredMark={false}
      initialValues={device.WarningThreshold ?? EMPTY}
      onValuesChange={() => mark(true)}
      onFinish={(values) => void save(values)}
    >
      <p className={styles.note}>{t('devices:threshold.note')}</p>
      {PAIRS.map(({ lower, upper, unit, range }) => (
        <div key={lower} className={styles.pair}>
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
        followed={followed}
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
        disabled={!dirty || followed.conflicting.length > 0}
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
