import { PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Radio, Select } from 'antd'
import type { FC } from 'react'
import { MAX_CONDITIONS, RETRIGGER_INTERVALS } from '../../../../contract/rules/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ConditionRow, nextCondition } from './condition-row.tsx'
import { DurationField } from './duration-field.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './editor.module.css'
import { Field, PartFault, type PartProps } from './field.tsx'
import { say } from '../../../custom-views/automation/words/phrase.ts'
import { durationOf } from '../../../custom-views/automation/words/duration.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** Which conditions make a smart link act, how long they must hold, and how often it acts while they do. */
export const WhenConditions: FC<PartProps & { facts: RuleFacts }> = (props) => {
  const { draft, change, reasons, disabled, facts } = props
  const t = useT()
  const { conditions } = draft
  return (
    <>
      {conditions.length > 1 && (
        <Radio.Group
          aria-label={t('automation:rule.edit.joined')}
          disabled={disabled}
          value={draft.joined}
          options={(['AND', 'OR'] as const).map((value) => ({
            value,
            label: t(`automation:rule.edit.joins.${value}`),
          }))}
          onChange={({ target }) => change({ joined: target.value as 'AND' | 'OR' })}
        />
      )}
      <PartFault path="Conditions.Logical" reasons={reasons} />
      <ol className={page.tightStack}>
        {conditions.map((condition, i) => (
          <li key={condition.id} className={`${styles.row} ${styles.condition}`}>
            <ConditionRow
              condition={condition}
              number={i + 1}
              facts={facts}
              reasons={reasons}
              disabled={disabled}
              onChange={(next) =>
                change({ conditions: conditions.map((one) => (one.id === next.id ? next : one)) })
              }
              remove={
                conditions.length > 1
                  ? () => change({ conditions: conditions.filter(({ id }) => id !== condition.id) })
                  : undefined
              }
            />
          </li>
        ))}
      </ol>
      <PartFault path="Conditions.PeripheralUIDs" reasons={reasons} />
      {!disabled && (
        <div>
          <Button
            icon={<PlusOutlined />}
            disabled={conditions.length >= MAX_CONDITIONS}
            onClick={() => change({ conditions: [...conditions, nextCondition(conditions.at(-1))] })}
          >
            {t('automation:rule.edit.addCondition', { count: conditions.length, most: MAX_CONDITIONS })}
          </Button>
        </div>
      )}
      <HowOften {...props} />
    </>
  )
}

function HowOften({ draft, change, reasons, disabled }: PartProps) {
  const t = useT()
  return (
    <div className={styles.fields}>
      <Field
        label={t('automation:rule.edit.holds')}
        path="Conditions.For"
        reasons={reasons}
        hint={t('automation:rule.edit.holdsHint')}
      >
        <DurationField
          label={t('automation:rule.edit.holds')}
          disabled={disabled}
          value={draft.For}
          onChange={(For) => change({ For })}
        />
      </Field>
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
          options={RETRIGGER_INTERVALS.map((value) => ({ value, label: say(t, durationOf(value)) }))}
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
    </div>
  )
}
