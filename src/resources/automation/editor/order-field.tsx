import { Checkbox, Radio } from 'antd'
import { ORDERS } from '../../../../contract/automation/action.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import type { RuleDraft } from '../rules/draft.ts'
import type { PartProps } from './field.tsx'

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
