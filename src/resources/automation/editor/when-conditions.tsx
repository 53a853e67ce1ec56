import { Checkbox, Select } from 'antd'
import type { FC } from 'react'
import { RETRIGGER_INTERVALS } from '../../../../contract/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import {
  ClearFields,
  ConditionFigure,
  ConditionList,
  type ConditionProps,
  HoldField,
} from './condition-list.tsx'
import { Field, type PartProps } from './field.tsx'
import { MoreConditions } from './more-conditions.tsx'
import { OnlyInWindows } from './only-while.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './editor.module.css'
import { formatPhrase, durationOf, COMPARED } from '../../../domain/automation/words/phrase.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import type { Comparison } from '../../../../contract/automation/comparison.ts'
import { comparisonsOf, type SubjectField } from '../../../../contract/automation/subject-fields.ts'
import { newCondition, type EditedCondition, isRange } from '../rules/draft.ts'
import { SubjectSelect } from './subject-select.tsx'

/** Default comparison and value for a field. */
function firstOf(field: SubjectField): Partial<EditedCondition> {
  const Logical = comparisonsOf(field.shape)[0] ?? '='
  const first =
    field.shape === 'onOff' ? 1 : field.shape === 'choice' ? (field.choices?.[0]?.[0] ?? null) : null
  return { Logical, Status: first, Upper: null, Clear: null }
}

/** One condition: subject, field and comparison. */
const ConditionRow: FC<ConditionProps> = (props) => {
  const { condition, facts, reasons, disabled, at, label, put } = props
  const t = useT()
  const { PeripheralUID: uid, Field: path } = condition
  const { subjects } = facts
  const fields = uid === undefined ? [] : subjects.fieldsOf(uid)
  const field = uid !== undefined && path !== undefined ? subjects.fieldOf(uid, path) : undefined
  const choose = (next: SubjectField | undefined, of = uid) =>
    put({ PeripheralUID: of, Field: next?.field, ...(next && firstOf(next)) })
  return (
    <>
      <Field className={styles.wide} path={at('PeripheralUID')} reasons={reasons}>
        <SubjectSelect
          facts={facts}
          label={label(t('automation:rule.edit.device'))}
          disabled={disabled}
          value={uid}
          onChange={(next) => choose(next === undefined ? undefined : subjects.fieldsOf(next)[0], next)}
        />
      </Field>
      <Field className={styles.medium} path={at('Field')} reasons={reasons}>
        <Select
          aria-label={label(t('automation:rule.edit.field'))}
          disabled={disabled || uid === undefined}
          placeholder={t('automation:rule.edit.field')}
          value={path ?? null}
          options={[
            ...fields.map((one) => ({ value: one.field, label: subjects.fieldName(uid ?? '', one.field) })),
            ...(path !== undefined && !fields.some((one) => one.field === path)
              ? [{ value: path, label: subjects.fieldName(uid ?? '', path) }]
              : []),
          ]}
          onChange={(next) => choose(fields.find((one) => one.field === next))}
        />
      </Field>
      <Field className={styles.medium} path={at('Logical')} reasons={reasons}>
        <Select<Comparison>
          aria-label={label(t('automation:rule.edit.comparison'))}
          disabled={disabled || path === undefined}
          placeholder={t('automation:rule.edit.comparison')}
          value={path === undefined ? null : condition.Logical}
          options={(field ? comparisonsOf(field.shape) : [condition.Logical]).map((value) => ({
            value,
            label: t(`automation:rule.edit.comparisons.${COMPARED[value]}`),
          }))}
          onChange={(Logical) => put({ Logical })}
        />
      </Field>
      {condition.Logical !== 'changed' && (
        <Field
          className={isRange(condition.Logical) ? styles.wide : undefined}
          path={at('Status')}
          reasons={reasons}
        >
          <ValueInput
            {...{ condition, field, facts, disabled, put, name: label(t('automation:rule.edit.value')) }}
          />
        </Field>
      )}
    </>
  )
}

interface ValueProps extends Pick<ConditionProps, 'condition' | 'facts' | 'disabled' | 'put'> {
  field: SubjectField | undefined
  /** Accessible label of the value. */
  name: string
}

/** A select if the field has named values, otherwise a number, or two numbers for a range. */
function ValueInput({ condition, field, facts, name, disabled, put }: ValueProps) {
  const t = useT()
  const { PeripheralUID: uid = '', Field: path = '', Logical, Status, Upper } = condition
  if (field?.shape === 'onOff' || field?.shape === 'choice') {
    const values = field.shape === 'onOff' ? [1, 0] : (field.choices ?? []).map(([value]) => value)
    return (
      <Select<number>
        aria-label={name}
        disabled={disabled}
        value={Status}
        options={values.map((value) => ({ value, label: facts.subjects.valueName(uid, path, value) }))}
        onChange={(next) => put({ Status: next })}
      />
    )
  }
  const figure = (label: string, value: number | null, onChange: (next: number | null) => void) => (
    <ConditionFigure
      {...{ condition, facts, label, value, onChange }}
      placeholder={t('automation:rule.edit.value')}
      disabled={disabled || !field}
    />
  )
  const status = figure(name, Status, (next) => put({ Status: next }))
  if (!isRange(Logical)) return status
  return (
    <div className={styles.pair}>
      {status}
      <span>{t('automation:rule.edit.to')}</span>
      {figure(t('automation:rule.edit.upper', { label: name }), Upper, (next) => put({ Upper: next }))}
    </div>
  )
}

/** A further condition on the subject of the last one. */
const nextCondition = (last: EditedCondition | undefined): EditedCondition =>
  newCondition(last?.PeripheralUID === undefined ? {} : { PeripheralUID: last.PeripheralUID })

/** Conditions of a smart link, how long they must be true, how often it repeats, and its hours. */
export const WhenConditions: FC<PartProps & { facts: RuleFacts }> = (props) => {
  const t = useT()
  return (
    <>
      <ConditionList
        {...props}
        joins={['AND', 'OR']}
        addWords={({ count, max }) => t('automation:rule.edit.addCondition', { count, most: max })}
        next={nextCondition}
        render={(row) => <ConditionRow {...row} />}
      >
        <HoldField {...props} hint={t('automation:rule.edit.holdsHint')} />
      </ConditionList>
      <MoreConditions {...props} kind="smartLink">
        <HowOften {...props} />
        <OnlyInWindows {...props} />
      </MoreConditions>
    </>
  )
}

/** Minimum interval between runs, repetition, and values at which conditions become false again. */
function HowOften(props: PartProps & { facts: RuleFacts }) {
  const t = useT()
  const { draft, change, reasons, disabled } = props
  return (
    <div className={page.fields}>
      <Field
        label={t('automation:rule.edit.retrigger')}
        path="Conditions.RetriggerInterval"
        reasons={reasons}
        hint={t('automation:rule.edit.retriggerHint')}
      >
        <Select
          aria-label={t('automation:rule.edit.retrigger')}
          disabled={disabled}
          value={draft.RetriggerInterval}
          options={RETRIGGER_INTERVALS.map((value) => ({ value, label: formatPhrase(t, durationOf(value)) }))}
          onChange={(RetriggerInterval) => change({ RetriggerInterval })}
        />
      </Field>
      <Field label={t('automation:rule.edit.whileTrue')} path="Conditions.Repeat" reasons={reasons}>
        <Checkbox
          disabled={disabled}
          checked={draft.Repeat}
          onChange={({ target }) => change({ Repeat: target.checked })}
        >
          {t('automation:rule.edit.repeat')}
        </Checkbox>
      </Field>
      <ClearFields {...props} hint={t('automation:rule.edit.clearHint')} />
    </div>
  )
}
