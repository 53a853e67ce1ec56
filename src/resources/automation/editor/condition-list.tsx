import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, InputNumber, Radio } from 'antd'
import type { ReactNode } from 'react'
import { MAX_CONDITIONS } from '../../../../contract/automation/condition.ts'
import { fromShownUnit, inShownUnit } from '../../../../contract/kernel/numbers.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import type { EditedCondition, Reasons } from '../rules/draft.ts'
import styles from './editor.module.css'
import { Field, PartFault, type PartProps } from './field.tsx'

export interface ConditionProps {
  condition: EditedCondition
  facts: RuleFacts
  reasons: Reasons
  disabled: boolean
  /** Path of a field of the condition, for its error message. */
  at: (field: string) => string
  /** Accessible label of a field, unique among several conditions. */
  label: (name: string) => string
  put: (next: Partial<EditedCondition>) => void
}

interface Props extends PartProps {
  facts: RuleFacts
  /** Operators that may join conditions, the usual one first. */
  joins: readonly ('AND' | 'OR')[]
  layout: 'condition' | 'limits'
  addWords: (counts: { count: number; max: number }) => string
  /** Creates a further condition. */
  next: (last: EditedCondition | undefined) => EditedCondition
  /** Whether no further condition may be added. */
  isWhole?: boolean
  render: (props: ConditionProps) => ReactNode
}

/** Conditions of a rule, one per row, and the operator that joins them. The only condition cannot be removed. */
export function ConditionList(props: Props) {
  const { draft, change, reasons, disabled, facts, joins, layout, addWords, next, isWhole, render } = props
  const t = useT()
  const { conditions } = draft
  return (
    <>
      {conditions.length > 1 && (
        <Radio.Group
          aria-label={t('automation:rule.edit.joined')}
          disabled={disabled}
          value={draft.joined}
          options={joins.map((value) => ({ value, label: t(`automation:rule.edit.joins.${value}`) }))}
          onChange={({ target }) => change({ joined: target.value as 'AND' | 'OR' })}
        />
      )}
      <PartFault path="Conditions.Logical" reasons={reasons} />
      <ol className={page.tightStack}>
        {conditions.map((condition, i) => (
          <li
            key={condition.id}
            className={`${styles.row} ${layout === 'limits' ? styles.limits : styles.condition}`}
          >
            {render({
              condition,
              facts,
              reasons,
              disabled,
              at: (field) => `Conditions.PeripheralUIDs.${i}.${field}`,
              label: (name) => t('automation:rule.edit.ofCondition', { name, number: i + 1 }),
              put: (part) =>
                change({
                  conditions: conditions.map((one) => (one.id === condition.id ? { ...one, ...part } : one)),
                }),
            })}
            {conditions.length > 1 && !disabled && (
              <Button
                type="text"
                danger
                icon={<DeleteOutlined />}
                aria-label={t('automation:rule.edit.removeCondition', { number: i + 1 })}
                onClick={() => change({ conditions: conditions.filter(({ id }) => id !== condition.id) })}
              />
            )}
          </li>
        ))}
      </ol>
      <PartFault path="Conditions.PeripheralUIDs" reasons={reasons} />
      {!disabled && !isWhole && (
        <div>
          <Button
            icon={<PlusOutlined />}
            disabled={conditions.length >= MAX_CONDITIONS}
            onClick={() => change({ conditions: [...conditions, next(conditions.at(-1))] })}
          >
            {addWords({ count: conditions.length, max: MAX_CONDITIONS })}
          </Button>
        </div>
      )}
    </>
  )
}

interface FigureProps extends Pick<ConditionProps, 'condition' | 'facts' | 'disabled'> {
  label: string
  value: number | null
  onChange: (value: number | null) => void
}

/** Number input for a value of the condition's subject, with its unit. */
export function ConditionFigure({ condition, facts, disabled, label, value, onChange }: FigureProps) {
  const { PeripheralUID: uid, Field: path } = condition
  const unit = uid && path ? facts.subjects.unitName(uid, path) : undefined
  const reported = (uid && path && facts.subjects.fieldOf(uid, path)?.unit) || ''
  return (
    <InputNumber<number>
      aria-label={label}
      className={styles.input ?? ''}
      disabled={disabled || path === undefined}
      value={value === null ? null : inShownUnit(value, reported)}
      {...(unit !== undefined && { suffix: unit })}
      onChange={(next) => onChange(next === null ? null : fromShownUnit(next, reported))}
    />
  )
}

/** Value at which a true condition becomes false again. */
export function ClearField({ hint, ...props }: ConditionProps & { hint: string }) {
  const t = useT()
  const { condition, reasons, at, label, put } = props
  const name = t('automation:rule.edit.clear')
  return (
    <Field className={styles.clear} label={name} path={at('Clear')} reasons={reasons} hint={hint}>
      <ConditionFigure
        {...props}
        label={label(name)}
        value={condition.Clear}
        onChange={(Clear) => put({ Clear })}
      />
    </Field>
  )
}
