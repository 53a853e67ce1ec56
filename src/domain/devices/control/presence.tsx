import { Button, Form } from 'antd'
import { useEffect, useState, type FC } from 'react'
import Fields from './fields.tsx'
import type { Face, FaceProps } from './face.ts'
import { MmWaveConfig } from '../../../../contract/devices/capabilities/sensors.ts'
import { confirms } from '../../../../contract/devices/status-order.ts'
import { describeField } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { firstReason } from '../../../record-kit/field-rules.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './faces.module.css'
import { MM_WAVE_FIELDS } from '../field-words.ts'

/**
 * Form for a radar's detection parameters, sent together. Shows the reported values until the user edits them; a note next to the button
 * says that sent values are not reported yet.
 */
const MmWaveForm: FC<FaceProps> = ({ status, send, pending }) => {
  const t = useT()
  const reason = useNoControl()
  const unitText = (unit: 'm' | 'seconds' | undefined) => (unit === 'seconds' ? t('devices:seconds') : unit)
  const [form] = Form.useForm<MmWaveConfig>()
  const [dirty, setDirty] = useState(false)
  const reported = status?.['mmWaveConfig'] as MmWaveConfig | undefined
  const requested = pending?.['mmWaveConfig']
  const isPending = requested !== undefined && !confirms(status ?? {}, { mmWaveConfig: requested })
  const reportedText = JSON.stringify(reported)
  useEffect(() => {
    if (!dirty && reportedText) form.setFieldsValue(JSON.parse(reportedText) as MmWaveConfig)
  }, [reportedText, dirty, form])

  return (
    <section className={styles.group}>
      <h3>{t('devices:mmWave.title')}</h3>
      {send ? (
        <Form
          form={form}
          layout="vertical"
          onValuesChange={() => setDirty(true)}
          onFinish={(values) => {
            send({ mmWaveConfig: values })
            setDirty(false)
          }}
        >
          <div className={page.fields}>
            {MM_WAVE_FIELDS.map(({ name, unit, min, max, step }) => (
              <Form.Item
                key={name}
                name={name}
                label={t(`devices:mmWave.${name}`)}
                dependencies={name === 'MaxDistance' ? ['MinDistance'] : []}
                validateTrigger={['onBlur', 'onSubmit']}
                rules={[
                  ({ getFieldsValue }) => ({
                    validator: () => {
                      const reason = firstReason(MmWaveConfig, getFieldsValue(true), name)
                      return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
                    },
                  }),
                ]}
              >
                {/* A value out of bounds stays as entered, with the reason below it. */}
                <NumberWithUnit step={step} unit={`${min}–${max} ${unitText(unit) ?? ''}`.trim()} />
              </Form.Item>
            ))}
          </div>
          <Button htmlType="submit" type="primary" disabled={!dirty || reason !== undefined} title={reason}>
            {t('devices:mmWave.send')}
          </Button>
          {isPending && (
            <span role="status" className={styles.waits}>
              {t('devices:mmWave.pending')}
            </span>
          )}
        </Form>
      ) : (
        <dl className={`${page.wideRow} ${page.measures} ${styles.grid}`}>
          {MM_WAVE_FIELDS.map(({ name, unit }) => (
            <div key={name}>
              <dt>{t(`devices:mmWave.${name}`)}</dt>
              <dd>
                {reported?.[name] ?? '–'} {unitText(unit)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** Presence, and the radar's detection parameters. */
const Presence: Face = (props) => (
  <>
    <Fields {...props} />
    <MmWaveForm {...props} />
  </>
)
export default Presence
