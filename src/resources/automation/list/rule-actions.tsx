import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import type { FC } from 'react'
import { useNavigate } from 'react-router'
import { automation } from '../../../../contract/automation/automation.ts'
import { useMay } from '../../../data/session.ts'
import { createSend, useAction } from '../../../data/use-action.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import { IconButton } from '../../../ui/page/icon-button.tsx'
import { CopyRule } from './copy-rule.tsx'
import { KINDS, kindOf, type ListedRule } from '../rules/kinds.ts'
import { RuleRuns } from './last-run.tsx'
import styles from './rule-list.module.css'
import { RunNow } from './run-now.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { Switch } from 'antd'
import { automations } from '../../../../contract/automation/calls.ts'

const RuleSwitch: FC<{ rule: ListedRule }> = ({ rule }) => {
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

/** Actions on a rule in the list that the user may perform. */
export const RuleActions: FC<{ rule: ListedRule; facts: RuleFacts; showsWord: boolean }> = (props) => {
  const { rule, facts, showsWord } = props
  return (
    <div className={styles.actions}>
      <RuleSwitch rule={rule} />
      <RunNow small rule={rule} facts={facts} showsWord={showsWord} />
      <RuleRuns small rule={rule} />
      <CopyRule rule={rule} />
      <EditAndRemove rule={rule} />
    </div>
  )
}

const send = createSend()

function EditAndRemove({ rule }: { rule: ListedRule }) {
  const t = useT()
  const navigate = useNavigate()
  const { feature, edit } = KINDS[kindOf(rule)]
  const mayUpdate = useMay(feature, 'Update')
  const mayRemove = useMay(feature, 'Delete')
  const { HomeID, AutomationType, AutomationID: automationID, AutomationName: name } = rule
  return (
    <>
      {mayUpdate && (
        <IconButton
          icon={<EditOutlined />}
          label={t('screens:list.edit', { name })}
          onPress={() => void navigate(pathTo(edit, { HomeID, automationID }))}
        />
      )}
      {mayRemove && (
        <IconButton
          danger
          icon={<DeleteOutlined />}
          label={t('screens:list.remove', { name })}
          onPress={() =>
            confirmRemoval({
              name,
              consequence: t('automation:rule.removeNote'),
              remove: () =>
                send(automation.operations.remove, { AutomationType, AutomationID: automationID }),
            })
          }
        />
      )}
    </>
  )
}
