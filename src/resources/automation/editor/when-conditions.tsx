import { Checkbox, Select } from 'antd'
import type { FC } from 'react'
import { RETRIGGER_INTERVALS } from '../../../../contract/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ConditionList } from './condition-list.tsx'
import { ConditionRow, nextCondition } from './condition-row.tsx'
import { DurationField } from './duration-field.tsx'
import styles from './editor.module.css'
import { Field, type PartProps } from './field.tsx'
import { formatPhrase, durationOf } from '../../../domain/automation/words/phrase.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** Conditions of a smart link, how long they must be true, and how often it repeats. */
export const WhenConditions: FC<PartProps & { facts: RuleFacts }> = (props) => {
  const t = useT()
  return (
    <>
      <ConditionList
        {...props}
        joins={['AND', 'OR']}
        layout="condition"
        addWords={(counts) => t('automation:rule.edit.addCondition', counts)}
        next={nextCondition}
        render={(row) => <ConditionRow {...row} />}
      />
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
    </div>
  )
}
