import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, InputNumber, Radio } from 'antd'
import type { ReactNode } from 'react'
import { MAX_CONDITIONS } from '../../../../contract/automation/condition.ts'
import { fromShownUnit, inShownUnit } from '../../../../contract/kernel/numbers.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { type EditedCondition, mayClear, type Reasons } from '../rules/draft.ts'
import styles from './editor.module.css'
import { DurationField, Field, PartFault, type PartProps } from './field.tsx'

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
  addWords: (counts: { count: number; max: number }) => string
  /** Creates a further condition. */
  next: (last: EditedCondition | undefined) => EditedCondition
  /** Whether no further condition may be added. */
  isWhole?: boolean
  render: (props: ConditionProps) => ReactNode
  /** Time for which the conditions must be true, below them. */
  children: ReactNode
}

/** Props of one of the conditions. */
const conditionProps = (
  { draft: { conditions }, change, facts, reasons, disabled }: PartProps & { facts: RuleFacts },
  condition: EditedCondition,
  i: number,
  t: ReturnType<typeof useT>,
): ConditionProps => ({
  ...{ condition, facts, reasons, disabled },
  at: (field) => `Conditions.PeripheralUIDs.${i}.${field}`,
  label: (name) => t('automation:rule.edit.ofCondition', { name, number: i + 1 }),
  put: (part) =>
    change({ conditions: conditions.map((one) => (one.id === condition.id ? { ...one, ...part } : one)) }),
})

/** Conditions of a rule, each a line that reads as a sentence, and the operator that joins them. The only condition cannot be removed. */
export function ConditionList(props: Props) {
  const { draft, change, reasons, disabled, joins, addWords, next, isWhole, render } = props
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
          <li key={condition.id} className={styles.sentence}>
            <span className={styles.word}>
              {t(i === 0 ? 'automation:rule.edit.leads.when' : `automation:rule.edit.leads.${draft.joined}`)}
            </span>
            {render(conditionProps(props, condition, i, t))}
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
      {props.children}
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
  /** Word before the figure, e.g. "above". */
  word?: string
  placeholder?: string
  value: number | null
  onChange: (value: number | null) => void
}

/** Number input for a value of the condition's subject, with its unit. */
export function ConditionFigure({
  condition,
  facts,
  disabled,
  label,
  word,
  value,
  onChange,
  ...rest
}: FigureProps) {
  const { PeripheralUID: uid, Field: path } = condition
  const unit = uid && path ? facts.subjects.unitName(uid, path) : undefined
  const reported = (uid && path && facts.subjects.fieldOf(uid, path)?.unit) || ''
  return (
    <InputNumber<number>
      {...rest}
      aria-label={label}
      className={page.fill ?? ''}
      disabled={disabled || path === undefined}
      value={value === null ? null : inShownUnit(value, reported)}
      {...(word !== undefined && { prefix: word })}
      {...(unit !== undefined && { suffix: unit })}
      onChange={(next) => onChange(next === null ? null : fromShownUnit(next, reported))}
    />
  )
}

/** Time for which the conditions must be true, as the end of their sentence. */
export function HoldField({ draft, change, reasons, disabled, hint }: PartProps & { hint: string }) {
  const t = useT()
  const label = t('automation:rule.edit.holds')
  return (
    <div className={styles.sentence}>
      <span className={styles.word}>{label}</span>
      <Field className={styles.duration} path="Conditions.For" reasons={reasons} hint={hint}>
        <DurationField
          label={label}
          disabled={disabled}
          value={draft.For}
          onChange={(For) => change({ For })}
        />
      </Field>
    </div>
  )
}

interface ClearProps extends PartProps {
  facts: RuleFacts
  hint: string
  /** Field whose limit has no such value. */
  except?: string
}

/** Values at which true conditions become false again: of each condition that compares a number with one limit. */
export function ClearFields(props: ClearProps) {
  const t = useT()
  const { draft, reasons, hint, except } = props
  const name = t('automation:rule.edit.clear')
  return draft.conditions.map((condition, i) => {
    const { facts, at, label, put, disabled } = conditionProps(props, condition, i, t)
    const { PeripheralUID: uid, Field: path, Logical } = condition
    const shape = uid && path ? facts.subjects.fieldOf(uid, path)?.shape : undefined
    if (shape !== 'number' || path === except || !mayClear(Logical)) return null
    return (
      <Field
        key={condition.id}
        label={draft.conditions.length > 1 ? label(name) : name}
        path={at('Clear')}
        reasons={reasons}
        hint={hint}
      >
        <ConditionFigure
          {...{ condition, facts, disabled }}
          label={label(name)}
          value={condition.Clear}
          onChange={(Clear) => put({ Clear })}
        />
      </Field>
    )
  })
}
