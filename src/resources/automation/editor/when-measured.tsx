import { Checkbox, Select } from 'antd'
import type { FC } from 'react'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import {
  ClearFields,
  ConditionFigure,
  ConditionList,
  type ConditionProps,
  HoldField,
} from './condition-list.tsx'
import { newCondition, mayLookAhead, type EditedCondition } from '../rules/draft.ts'
import { DurationField, Field, type PartProps } from './field.tsx'
import { MoreConditions } from './more-conditions.tsx'
import { OnlyInWindows } from './only-while.tsx'
import { ClearedAfter } from './then-alarm.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './editor.module.css'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { SubjectSelect } from './subject-select.tsx'

interface Props extends ConditionProps {
  /** Whether there are several conditions; these must be about devices or virtual meters, because the whole home only occurs alone. */
  isOneOfSeveral: boolean
}

/** Time without a report; its limit is entered as a duration. */
const SILENCE_FIELD = 'SilentFor'

/** One measure of an alarm: its subject, and its upper and lower limit. */
const LimitRow: FC<Props> = (props) => {
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
      Status: Field === SILENCE_FIELD ? 900 : null,
      Upper: null,
      Clear: null,
    })
  return (
    <>
      <Field className={styles.wide} path={at('PeripheralUID')} reasons={reasons}>
        <SubjectSelect
          facts={facts}
          label={label(t('automation:rule.alarm.subject'))}
          disabled={disabled}
          value={uid}
          withSums
          notHome={isOneOfSeveral && uid !== HOME_SUBJECT}
          acceptsFields={(paths) => paths.some((one) => MEASURES.test(one))}
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
      <Field className={styles.medium} path={at('Field')} reasons={reasons}>
        <Select
          aria-label={label(t('automation:rule.alarm.measure'))}
          disabled={disabled || uid === undefined}
          placeholder={t('automation:rule.alarm.measure')}
          value={path ?? null}
          options={fields.map(({ field }) => ({
            value: field,
            label: subjects.fieldName(uid ?? '', field),
          }))}
          onChange={(next) => choose(next)}
        />
      </Field>
      {path === SILENCE_FIELD ? (
        <Field className={styles.duration} path={at('Status')} reasons={reasons}>
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
  const figure = (
    bound: 'upper' | 'lower',
    value: number | null,
    onChange: (next: number | null) => void,
  ) => (
    <ConditionFigure
      {...props}
      label={label(t(`automation:rule.alarm.${bound}`))}
      word={t(`automation:rule.edit.bounds.${bound}`)}
      value={value}
      onChange={onChange}
    />
  )
  // The error of the limits is shown below the limit that is set.
  const reasonAt = (isHere: boolean) => (isHere ? { path: at('Status'), reasons } : {})
  return (
    <>
      <Field {...reasonAt(lower === null || isRange)}>
        {figure('upper', upper, (next) => put(withLimits(condition, { upper: next, lower })))}
      </Field>
      <Field {...reasonAt(lower !== null && !isRange)}>
        {figure('lower', lower, (next) => put(withLimits(condition, { upper, lower: next })))}
      </Field>
    </>
  )
}

/** LimitValues of a measure; null for none. */
interface LimitValues {
  upper: number | null
  lower: number | null
}

/** LimitValues that a condition of an alarm expresses. */
function limitsOf({ Logical, Status, Upper }: EditedCondition): LimitValues {
  if (Logical === 'outside') return { lower: Status, upper: Upper }
  return Logical === '<' || Logical === '<=' ? { lower: Status, upper: null } : { lower: null, upper: Status }
}

/** Condition that is true beyond the limits; without limits, an incomplete upper limit. */
function withLimits(condition: EditedCondition, { upper, lower }: LimitValues): EditedCondition {
  if (upper !== null && lower !== null)
    return { ...condition, Logical: 'outside', Status: lower, Upper: upper, Clear: null }
  const before = limitsOf(condition)
  const isSame = (before.lower === null) === (lower === null)
  return {
    ...condition,
    Logical: lower === null ? '>' : '<',
    Status: lower ?? upper,
    Upper: null,
    // The clear value would be on the wrong side of the other limit.
    Clear: isSame ? condition.Clear : null,
  }
}

/** Measures of an alarm with their limits, the time beyond them, its clearing and its hours. */
export const WhenMeasured: FC<PartProps & { facts: RuleFacts }> = (props) => {
  const t = useT()
  const { conditions } = props.draft
  const isOfHome = conditions[0]?.PeripheralUID === HOME_SUBJECT
  return (
    <>
      <ConditionList
        {...props}
        joins={['OR', 'AND']}
        addWords={({ count, max }) => t('automation:rule.alarm.addMeasure', { count, most: max })}
        // A further measure usually has the same field on another meter.
        next={(last) => newCondition({ Logical: '>', Field: last?.Field })}
        isWhole={isOfHome}
        render={(row) => <LimitRow {...row} isOneOfSeveral={conditions.length > 1} />}
      >
        <HoldField {...props} hint={t('automation:rule.alarm.holdsHint')} />
      </ConditionList>
      <MoreConditions {...props} kind="alarm">
        <FurtherLimits {...props} />
        <OnlyInWindows {...props} />
      </MoreConditions>
    </>
  )
}

/** Clearing of an alarm, missing data, and a warning ahead of time. */
function FurtherLimits(props: PartProps & { facts: RuleFacts }) {
  const t = useT()
  const { draft, change, reasons, disabled } = props
  const { alarm } = draft
  const put = (next: Partial<typeof alarm>) => change({ alarm: { ...alarm, ...next } })
  return (
    <div className={page.fields}>
      <ClearFields {...props} except={SILENCE_FIELD} hint={t('automation:rule.alarm.clearHint')} />
      <ClearedAfter {...props} />
      <Field label={t('automation:rule.alarm.noData')} path="Alarm.NoData" reasons={reasons}>
        <Select
          aria-label={t('automation:rule.alarm.noData')}
          disabled={disabled}
          value={alarm.NoData}
          options={(['keep', 'alarm'] as const).map((value) => ({
            value,
            label: t(`automation:rule.alarm.noDatas.${value}`),
          }))}
          onChange={(NoData) => put({ NoData })}
        />
      </Field>
      {mayLookAhead(draft) && (
        <Field label={t('automation:rule.alarm.ahead')} path="Alarm.Ahead" reasons={reasons}>
          <Checkbox
            disabled={disabled}
            checked={alarm.Ahead}
            onChange={({ target }) => put({ Ahead: target.checked })}
          >
            {t('automation:rule.alarm.aheadOn')}
          </Checkbox>
        </Field>
      )}
    </div>
  )
}
