import { Input, Radio, Checkbox } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { NumberWithUnit } from '../../../ui/inputs/number-with-unit.tsx'
import { catchingOf, hasAdvanced, type RuleDraft } from '../rules/draft.ts'
import page from '../../../ui/page/page.module.css'
import { Field, type PartProps } from './field.tsx'
import { Fold } from '../../../record-kit/fold.tsx'
import type { RuleKind } from '../rules/kinds.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { ORDERS } from '../../../../contract/automation/action.ts'

/** Maximum delay of a missed run, minutes. */
const MAX_DELAY_MINUTES = 1440

/** Advanced settings: the description, and the handling of runs missed while the gateway was down. */
export const Advanced: FC<PartProps & { kind: RuleKind; facts: RuleFacts }> = (props) => {
  const t = useT()
  const { draft, change, reasons, disabled, kind } = props
  return (
    <Fold
      label={t('automation:rule.edit.advanced')}
      isOpenAtFirst={hasAdvanced(draft, kind)}
      isForcedOpen={reasons['Description'] !== undefined || reasons['Grace'] !== undefined}
    >
      <Field label={t('resources:automation.fields.Description')} path="Description" reasons={reasons}>
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
    </Fold>
  )
}

function Missed({ draft, change, reasons, disabled, facts }: PartProps & { facts: RuleFacts }) {
  const t = useT()
  const catchUp = catchingOf(draft, facts.actions)
  return (
    <div className={page.fields}>
      <Field label={t('automation:rule.edit.missed')} hint={t('automation:rule.edit.missedHint')} isWide>
        <Radio.Group
          aria-label={t('automation:rule.edit.missed')}
          disabled={disabled}
          value={catchUp}
          options={(['latest', 'skip'] as const).map((value) => ({
            value,
            label: t(`automation:rule.edit.catching.${value}`),
          }))}
          onChange={({ target }) => change({ Catching: target.value as 'latest' | 'skip' })}
        />
      </Field>
      {catchUp === 'latest' && (
        <Field label={t('automation:rule.edit.grace')} path="Grace" reasons={reasons}>
          <NumberWithUnit
            aria-label={t('automation:rule.edit.grace')}
            disabled={disabled}
            min={0}
            max={MAX_DELAY_MINUTES}
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

/** Whether actions run at the same time or in sequence, and whether a failed one then ends the run. */
export function OrderField({ draft, change, disabled }: Omit<PartProps, 'reasons'>) {
  const t = useT()
  return (
    <>
      <Radio.Group
        aria-label={t('resources:automation.fields.Order')}
        disabled={disabled}
        value={draft.Order}
        options={ORDERS.map((value) => ({ value, label: t(`automation:scene.orders.${value}`) }))}
        onChange={({ target }) => change({ Order: target.value as RuleDraft['Order'] })}
      />
      {draft.Order === 'inOrder' && (
        <Checkbox
          disabled={disabled}
          checked={draft.StopOnFailure}
          onChange={({ target }) => change({ StopOnFailure: target.checked })}
        >
          {t('automation:actions.stopOnFailure')}
        </Checkbox>
      )}
    </>
  )
}
