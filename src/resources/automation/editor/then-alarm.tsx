import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Radio } from 'antd'
import type { FC } from 'react'
import { ALARM_SEVERITIES } from '../../../../contract/kernel/severity.ts'
import { MAX_ESCALATIONS } from '../../../../contract/automation/alarm-part.ts'
import { randomId } from '../../../lib/random-id.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import page from '../../../ui/page/page.module.css'
import { ChannelsField, NotificationFields, RecipientsField } from './notification-fields.tsx'
import type { EditedAlarm } from '../rules/draft.ts'
import { DurationField, Field, PartFault, type PartProps } from './field.tsx'
import styles from './editor.module.css'

/** Severity of an alarm, its recipients, and its escalation while it is not acknowledged. */
export const ThenAlarm: FC<PartProps> = (props) => {
  const t = useT()
  const { draft, change, disabled } = props
  const { alarm } = draft
  return (
    <div className={page.fields}>
      <Field label={t('screens:severity')} isWide>
        <Radio.Group
          aria-label={t('screens:severity')}
          disabled={disabled}
          value={alarm.Severity}
          options={ALARM_SEVERITIES.map((value) => ({
            value,
            label:
              value === 'critical'
                ? t('automation:rule.alarm.toldAtOnce', { severity: t('screens:severities.critical') })
                : t(`screens:severities.${value}`),
          }))}
          onChange={({ target }) =>
            change({ alarm: { ...alarm, Severity: target.value as EditedAlarm['Severity'] } })
          }
        />
      </Field>
      <NotificationFields {...props} />
      <Escalation {...props} />
    </div>
  )
}

function Escalation({ draft: { alarm }, change, reasons, disabled }: PartProps) {
  const t = useT()
  const { Escalate } = alarm
  const put = (next: EditedAlarm['Escalate']) => change({ alarm: { ...alarm, Escalate: next } })
  const last = Escalate.at(-1)?.After ?? 0
  return (
    <Field label={t('automation:rule.alarm.escalate')} hint={t('automation:rule.alarm.escalateHint')} isWide>
      <ol className={page.tightStack}>
        {Escalate.map((step, i) => {
          const label = t('automation:rule.alarm.step', { number: i + 1 })
          const change = (next: Partial<typeof step>) =>
            put(Escalate.map((one) => (one.id === step.id ? { ...one, ...next } : one)))
          return (
            <li key={step.id} className={`${page.box} ${styles.row} ${styles.step}`}>
              <Field
                label={t('automation:rule.alarm.after')}
                path={`Alarm.Escalate.${i}.After`}
                reasons={reasons}
              >
                <NumberWithUnit
                  aria-label={`${label} ${t('automation:rule.alarm.after')}`}
                  disabled={disabled}
                  min={1}
                  max={1440}
                  precision={0}
                  value={step.After}
                  unit={t('automation:rule.edit.minutes')}
                  onChange={(After) => change({ After: After ?? 1 })}
                />
              </Field>
              <Field label={t('automation:rule.tell.to')}>
                <RecipientsField
                  label={`${label} ${t('automation:rule.tell.to')}`}
                  path={`Alarm.Escalate.${i}.To`}
                  value={step.To}
                  reasons={reasons}
                  disabled={disabled}
                  onChange={(To) => change({ To })}
                />
                <ChannelsField
                  label={`${label} ${t('automation:rule.alarm.channels')}`}
                  path={`Alarm.Escalate.${i}.Channels`}
                  value={step.Channels ?? []}
                  reasons={reasons}
                  disabled={disabled}
                  onChange={(Channels) => change({ Channels })}
                />
              </Field>
              {!disabled && (
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={t('automation:rule.alarm.removeStep', { number: i + 1 })}
                  onClick={() => put(Escalate.filter(({ id }) => id !== step.id))}
                />
              )}
            </li>
          )
        })}
      </ol>
      <PartFault path="Alarm.Escalate" reasons={reasons} />
      {!disabled && Escalate.length < MAX_ESCALATIONS && (
        <Button
          icon={<PlusOutlined />}
          {...(Escalate.length > 0 && { className: page.above16 })}
          onClick={() =>
            put([...Escalate, { id: randomId(), After: Math.min(last + 15, 1440), To: 'readers' }])
          }
        >
          {t('automation:rule.alarm.addStep', { count: Escalate.length, most: MAX_ESCALATIONS })}
        </Button>
      )}
    </Field>
  )
}

/** Time for which all conditions must be false before an alarm is cleared. */
export const ClearedAfter: FC<PartProps> = ({ draft: { alarm }, change, reasons, disabled }) => {
  const t = useT()
  return (
    <Field
      label={t('automation:rule.alarm.clearAfter')}
      path="Alarm.ClearAfter"
      reasons={reasons}
      hint={t('automation:rule.alarm.clearAfterHint')}
    >
      <DurationField
        label={t('automation:rule.alarm.clearAfter')}
        disabled={disabled}
        value={alarm.ClearAfter}
        onChange={(ClearAfter) => change({ alarm: { ...alarm, ClearAfter } })}
      />
    </Field>
  )
}
