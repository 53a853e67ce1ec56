import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, InputNumber, Radio } from 'antd'
import type { ReactNode } from 'react'
import { MAX_CONDITIONS } from '../../../../contract/automation/condition.ts'
import { fromShownUnit, inShownUnit } from '../../../../contract/kernel/quantity.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import type { EditedCondition, Reasons } from './draft.ts'
import styles from './editor.module.css'
import { Field, PartFault, type PartProps } from './field.tsx'

/** What a row of the list sets of its condition. */
export interface ConditionProps {
  condition: EditedCondition
  facts: RuleFacts
  reasons: Reasons
  disabled: boolean
  /** Where a field of the condition is refused. */
  at: (field: string) => string
  /** What a field is called for who hears it: of several conditions each has such a one. */
  label: (name: string) => string
  put: (next: Partial<EditedCondition>) => void
}

interface Props extends PartProps {
  facts: RuleFacts
  /** How conditions may be joined, the usual one first. */
  joins: readonly ('AND' | 'OR')[]
  /** How the fields of a row lie. */
  layout: 'condition' | 'limits'
  /** What adds one is called. */
  addWords: (counts: { count: number; most: number }) => string
  /** A further one. */
  next: (last: EditedCondition | undefined) => EditedCondition
  /** No further one may stand beside those that are there. */
  isWhole?: boolean
  render: (props: ConditionProps) => ReactNode
}

/** The conditions of a rule: one a row, each to be removed but the only one, and how several are joined. */
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
            {addWords({ count: conditions.length, most: MAX_CONDITIONS })}
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

/** A figure of what a condition is about, with its unit. */
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

/** Where a condition that is true becomes false again. */
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
