import { Select } from 'antd'
import type { FC } from 'react'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ClearField, ConditionFigure, type ConditionProps } from './condition-list.tsx'
import { DurationField } from './duration-field.tsx'
import { Field } from './field.tsx'
import { limitsOf, withLimits } from './limits.ts'
import { SubjectSelect } from './subject-select.tsx'

interface Props extends ConditionProps {
  /** Whether there are several conditions; these must be about devices or virtual meters, because the whole home only occurs alone. */
  isOneOfSeveral: boolean
}

/** Time without a report; its limit is entered as a duration. */
const SILENT = 'SilentFor'

/** One measure of an alarm: its subject, upper and lower limit, and clear value. */
export const LimitRow: FC<Props> = (props) => {
  const { condition, facts, reasons, disabled, isOneOfSeveral, at, label, put } = props
  const t = useT()
  const { PeripheralUID: uid, Field: path } = condition
  const { subjects } = facts
  const fields = uid === undefined ? [] : subjects.fieldsOf(uid).filter(({ shape }) => shape === 'number')
  const choose = (Field: string | undefined, PeripheralUID = uid) =>
    put({
      PeripheralUID,
      Field,
      Logical: '>',
      Status: Field === SILENT ? 900 : null,
      Upper: null,
      Clear: null,
    })
  return (
    <>
      <Field label={t('automation:rule.alarm.subject')} path={at('PeripheralUID')} reasons={reasons}>
        <SubjectSelect
          facts={facts}
          label={label(t('automation:rule.alarm.subject'))}
          disabled={disabled}
          value={uid}
          withSums
          notHome={isOneOfSeveral && uid !== HOME_SUBJECT}
          only={(paths) => paths.some((one) => MEASURES.test(one))}
          onChange={(next) =>
            choose(
              next === undefined
                ? undefined
                : subjects
                    .fieldsOf(next)
                    .find(({ field, shape }) => shape === 'number' && MEASURES.test(field))?.field,
              next,
            )
          }
        />
      </Field>
      <Field label={t('automation:rule.alarm.measure')} path={at('Field')} reasons={reasons}>
        <Select
          aria-label={label(t('automation:rule.alarm.measure'))}
          disabled={disabled || uid === undefined}
          value={path ?? null}
          options={fields.map(({ field }) => ({
            value: field,
            label: subjects.fieldName(uid ?? '', field),
          }))}
          onChange={(next) => choose(next)}
        />
      </Field>
      {path === SILENT ? (
        <Field label={t('automation:rule.alarm.silentFor')} path={at('Status')} reasons={reasons}>
          <DurationField
            label={label(t('automation:rule.alarm.silentFor'))}
            disabled={disabled}
            value={condition.Status ?? 0}
            onChange={(Status) => put({ Status })}
          />
        </Field>
      ) : (
        <Limits {...props} />
      )}
    </>
  )
}

/** Fields that measure a quantity, unlike addresses, signal strength and the like. */
const MEASURES =
  /^(Power|Voltage|Current)\d?$|^AvgElectricCurrent$|^PowerFactor$|Kwh$|^Demand|Temperature|Humidity|^PM|CO2|TVOC|^Value$|^ModbusValues\./i

function Limits(props: ConditionProps) {
  const t = useT()
  const { condition, reasons, at, label, put } = props
  const { upper, lower } = limitsOf(condition)
  const isRange = upper !== null && lower !== null
  const figure = (name: string, value: number | null, onChange: (next: number | null) => void) => (
    <ConditionFigure {...props} label={label(name)} value={value} onChange={onChange} />
  )
  const [above, below] = [t('automation:rule.alarm.upper'), t('automation:rule.alarm.lower')]
  // The error of the limits is shown below the limit that is set.
  const reasonAt = (isHere: boolean) => (isHere ? { path: at('Status'), reasons } : {})
  return (
    <>
      <Field label={above} {...reasonAt(lower === null || isRange)}>
        {figure(above, upper, (next) => put(withLimits(condition, { upper: next, lower })))}
      </Field>
      <Field label={below} {...reasonAt(lower !== null && !isRange)}>
        {figure(below, lower, (next) => put(withLimits(condition, { upper, lower: next })))}
      </Field>
      {!isRange && <ClearField {...props} hint={t('automation:rule.alarm.clearHint')} />}
    </>
  )
}
