import { Switch } from 'antd'
import type { FC } from 'react'
import { automations } from '../../../../contract/automation/calls.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { KINDS, kindOf, type ListedRule } from '../kinds.ts'
import styles from './rule-list.module.css'

/** Switches a rule on and off. */
export const RuleSwitch: FC<{ rule: ListedRule }> = ({ rule }) => {
  const t = useT()
  const may = useMay(KINDS[kindOf(rule)].feature, 'Update')
  const mayControl = useMay('device_control', 'Control')
  const switching = useAction(automations.setAutomationEnabled)
  if (!may) return null
  const { AutomationType, AutomationID } = rule
  const setsDevices =
    rule.Actions.length > 0 || Array.isArray(rule.EndActions) || rule.Alarm?.Shed !== undefined
  const isRefused = rule.Enabled === false && setsDevices && !mayControl
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span className={styles.switch} onClick={(event) => event.stopPropagation()}>
      <Switch
        aria-label={t('automation:rule.switchOf', { name: rule.AutomationName })}
        checked={rule.Enabled !== false}
        disabled={isRefused}
        title={isRefused ? t('automation:rule.switchNeedsControl') : undefined}
        loading={switching.busy}
        onChange={(Enabled) => void switching.run({ AutomationType, AutomationID, Enabled })}
      />
    </span>
  )
}
