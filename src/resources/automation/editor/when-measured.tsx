import { PlusOutlined } from '@ant-design/icons'
import { Button, Checkbox, Radio, Select } from 'antd'
import type { FC } from 'react'
import { HOME_SUBJECT, MAX_CONDITIONS } from '../../../../contract/rules/automation/condition.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { aCondition, mayLookAhead } from './draft.ts'
import { DurationField } from './duration-field.tsx'
import styles from './editor.module.css'
import { Field, PartFault, type PartProps } from './field.tsx'
import { LimitRow } from './limit-row.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** Which measures are beyond their limits, for how long, and what is done when nobody knows. */
export const WhenMeasured: FC<PartProps & { facts: RuleFacts }> = (props) => {
  const { draft, change, reasons, disabled, facts } = props
  const t = useT()
  const { conditions } = draft
  const isOfHome = conditions[0]?.PeripheralUID === HOME_SUBJECT
  const field = conditions.at(-1)?.Field
  return (
    <>
      {conditions.length > 1 && (
        <Radio.Group
          aria-label={t('automation:rule.edit.joined')}
          disabled={disabled}
          value={draft.joined}
          options={(['OR', 'AND'] as const).map((value) => ({
            value,
            label: t(`automation:rule.edit.joins.${value}`),
          }))}
          onChange={({ target }) => change({ joined: target.value as 'AND' | 'OR' })}
        />
      )}
      <ol className={page.tightStack}>
        {conditions.map((condition, i) => (
          <li key={condition.id} className={`${styles.row} ${styles.limits}`}>
            <LimitRow
              condition={condition}
              number={i + 1}
              facts={facts}
              reasons={reasons}
              disabled={disabled}
              isOneOfSeveral={conditions.length > 1}
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
      {!disabled && !isOfHome && (
        <div>
          <Button
            icon={<PlusOutlined />}
            disabled={conditions.length >= MAX_CONDITIONS}
            onClick={() =>
              change({
                // Another meter, mostly of the same measure.
                conditions: [...conditions, aCondition({ Logical: '>', Field: field })],
              })
            }
          >
            {t('automation:rule.alarm.addMeasure', { count: conditions.length, most: MAX_CONDITIONS })}
          </Button>
        </div>
      )}
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
