import { Collapse, Input, Radio } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { catchingOf } from '../rules/draft.ts'
import styles from './editor.module.css'
import { Field, type PartProps } from './field.tsx'
import type { RuleKind } from '../rules/kinds.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** Maximum delay of a missed run, minutes. */
const LATEST = 1440

/** Advanced settings: the description, and the handling of runs missed while the gateway was down. */
export const Advanced: FC<PartProps & { kind: RuleKind; facts: RuleFacts }> = (props) => {
  const t = useT()
  const { draft, change, reasons, disabled, kind } = props
  return (
    <Collapse
      items={[
        {
          key: 'advanced',
          label: t('automation:rule.edit.advanced'),
          forceRender: reasons['Description'] !== undefined,
          children: (
            <>
              <Field
                label={t('resources:automation.fields.Description')}
                path="Description"
                reasons={reasons}
              >
                <Input.TextArea
                  aria-label={t('resources:automation.fields.Description')}
                  autoSize
                  disabled={disabled}
                  maxLength={500}
                  value={draft.Description}
                  onChange={({ target }) => change({ Description: target.value })}
                />
              </Field>
              {kind === 'schedule' && <Missed {...props} />}
            </>
          ),
        },
      ]}
    />
  )
}

function Missed({ draft, change, reasons, disabled, facts }: PartProps & { facts: RuleFacts }) {
  const t = useT()
  const catching = catchingOf(draft, facts.actions)
  return (
    <div className={styles.fields}>
      <Field label={t('automation:rule.edit.missed')} hint={t('automation:rule.edit.missedHint')} wide>
        <Radio.Group
          aria-label={t('automation:rule.edit.missed')}
          disabled={disabled}
          value={catching}
          options={(['latest', 'skip'] as const).map((value) => ({
            value,
            label: t(`automation:rule.edit.catching.${value}`),
          }))}
          onChange={({ target }) => change({ Catching: target.value as 'latest' | 'skip' })}
        />
      </Field>
      {catching === 'latest' && (
        <Field label={t('automation:rule.edit.grace')} path="Grace" reasons={reasons}>
          <NumberWithUnit
            aria-label={t('automation:rule.edit.grace')}
            disabled={disabled}
            min={0}
            max={LATEST}
            precision={0}
            value={Math.round(draft.Grace / 60)}
            unit={t('automation:rule.edit.minutes')}
            onChange={(minutes) => change({ Grace: (minutes ?? 0) * 60 })}
          />
        </Field>
      )}
    </div>
  )
}
