import { Checkbox, Select } from 'antd'
import type { FC } from 'react'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ConditionList } from './condition-list.tsx'
import { newCondition, mayLookAhead } from '../rules/draft.ts'
import { DurationField } from './duration-field.tsx'
import styles from './editor.module.css'
import { Field, type PartProps } from './field.tsx'
import { LimitRow } from './limit-row.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** Measures of an alarm with their limits, the time beyond them, and the handling of missing data. */
export const WhenMeasured: FC<PartProps & { facts: RuleFacts }> = (props) => {
  const t = useT()
  const { conditions } = props.draft
  const isOfHome = conditions[0]?.PeripheralUID === HOME_SUBJECT
  return (
    <>
      <ConditionList
        {...props}
        joins={['OR', 'AND']}
        layout="limits"
        addWords={(counts) => t('automation:rule.alarm.addMeasure', counts)}
        // A further measure usually has the same field on another meter.
        next={(last) => newCondition({ Logical: '>', Field: last?.Field })}
        isWhole={isOfHome}
        render={(row) => <LimitRow {...row} isOneOfSeveral={conditions.length > 1} />}
      />
      <HowLong {...props} />
    </>
  )
}

function HowLong({ draft, change, reasons, disabled }: PartProps) {
  const t = useT()
  const { alarm } = draft
  const put = (next: Partial<typeof alarm>) => change({ alarm: { ...alarm, ...next } })
  return (
    <div className={styles.fields}>
      <Field
        label={t('automation:rule.edit.holds')}
        path="Conditions.For"
        reasons={reasons}
        hint={t('automation:rule.alarm.holdsHint')}
      >
        <DurationField
          label={t('automation:rule.edit.holds')}
          disabled={disabled}
          value={draft.For}
          onChange={(For) => change({ For })}
        />
      </Field>
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
