import { DeleteOutlined } from '@ant-design/icons'
import { Button, InputNumber, Select } from 'antd'
import type { FC } from 'react'
import { HOME_SUBJECT } from '../../../../contract/rules/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { EditedCondition, Reasons } from './draft.ts'
import { DurationField } from './duration-field.tsx'
import styles from './editor.module.css'
import { Field } from './field.tsx'
import { limitsOf, withLimits } from './limits.ts'
import { SubjectSelect } from './subject-select.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

interface Props {
  condition: EditedCondition
  /** Which one it is, from 1. */
  number: number
  facts: RuleFacts
  reasons: Reasons
  disabled: boolean
  /** One of several is about a device or a sum: the home as a whole stands alone. */
  isOneOfSeveral: boolean
  onChange: (condition: EditedCondition) => void
  /** Undefined for the only one. */
  remove: (() => void) | undefined
}

/** What no limit is set on: what only counts up, and how long nothing was reported, which has a field of its own. */
const SILENT = 'SilentFor'

/** One measure of an alarm: of which meter or of the home, its upper and lower limit, and where it is well again. */
export const LimitRow: FC<Props> = (props) => {
  const { condition, number, facts, reasons, disabled, isOneOfSeveral, onChange, remove } = props
  const t = useT()
  const { PeripheralUID: uid, Field: path } = condition
  const { subjects } = facts
  const fields = uid === undefined ? [] : subjects.fieldsOf(uid).filter(({ shape }) => shape === 'number')
  const at = (name: string) => `Conditions.PeripheralUIDs.${number - 1}.${name}`
  const label = (name: string) => t('automation:rule.edit.ofCondition', { name, number })
  const choose = (Field: string | undefined, PeripheralUID = uid) =>
    onChange({
      ...condition,
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
            onChange={(Status) => onChange({ ...condition, Status })}
          />
        </Field>
      ) : (
        <Limits {...{ condition, facts, reasons, disabled, onChange, at, label }} />
      )}
      {remove && !disabled && (
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('automation:rule.edit.removeCondition', { number })}
          onClick={remove}
        />
      )}
    </>
  )
}

/** Figures that say how much: not addresses, signal strengths and the like, which devices report beside them. */
const MEASURES =
  /^(Power|Voltage|Current)\d?$|^AvgElectricCurrent$|^PowerFactor$|Kwh$|^Demand|Temperature|Humidity|^PM|CO2|TVOC|^Value$|^ModbusValues\./i

interface LimitsProps extends Pick<Props, 'condition' | 'facts' | 'reasons' | 'disabled' | 'onChange'> {
  at: (name: string) => string
  label: (name: string) => string
}

function Limits({ condition, facts, reasons, disabled, onChange, at, label }: LimitsProps) {
  const t = useT()
  const { PeripheralUID: uid, Field: path } = condition
  const unit = uid && path ? facts.subjects.unitName(uid, path) : undefined
  const { upper, lower } = limitsOf(condition)
  const isRange = upper !== null && lower !== null
  const figure = (name: string, value: number | null, put: (next: number | null) => void) => (
    <InputNumber<number>
      aria-label={label(name)}
      className={styles.input ?? ''}
      disabled={disabled || path === undefined}
      value={value}
      {...(unit !== undefined && { suffix: unit })}
      onChange={put}
    />
  )
  const [above, below] = [t('automation:rule.alarm.upper'), t('automation:rule.alarm.lower')]
  // What is wrong with the limits stands below the one that is there.
  const reasonAt = (isHere: boolean) => (isHere ? { path: at('Status'), reasons } : {})
  return (
    <>
      <Field label={above} {...reasonAt(lower === null || isRange)}>
        {figure(above, upper, (next) => onChange(withLimits(condition, { upper: next, lower })))}
      </Field>
      <Field label={below} {...reasonAt(lower !== null && !isRange)}>
        {figure(below, lower, (next) => onChange(withLimits(condition, { upper, lower: next })))}
      </Field>
      {!isRange && (
        <Field
          className={styles.clear}
          label={t('automation:rule.edit.clear')}
          path={at('Clear')}
          reasons={reasons}
          hint={t('automation:rule.alarm.clearHint')}
        >
          {figure(t('automation:rule.edit.clear'), condition.Clear, (Clear) =>
            onChange({ ...condition, Clear }),
          )}
        </Field>
      )}
    </>
  )
}
