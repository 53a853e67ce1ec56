import { CaretRightOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC } from 'react'
import { automations } from '../../../../contract/automation/calls.ts'
import { targetOf } from '../../../../contract/automation/action.ts'
import { confirmationFor } from '../../../../contract/devices/kinds/command-checks.ts'
import { type EditedAction, targetTypeOf } from '../../../domain/automation/targets/target.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { gatewayNow } from '../../../lib/gateway-clock.ts'
import { t as words, useT } from '../../../lib/i18n/i18n.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { confirm } from '../../../ui/page/dialogs.ts'
import { IconButton } from '../../../ui/page/icon-button.tsx'
import { KINDS, kindOf, type ListedRule } from '../rules/kinds.ts'
import type { RuleFacts } from '../words/use-rule-facts.ts'

interface Props {
  rule: ListedRule
  facts: RuleFacts
  /** Renders as an item of a row's menu. */
  small?: boolean
}

/** Button that runs a rule's actions now, regardless of its conditions; asks for a confirmation if they may hurt people. */
export const RunNow: FC<Props> = ({ rule, facts, small = false }) => {
  const t = useT()
  const mayUpdate = useMay(KINDS[kindOf(rule)].feature, 'Update')
  const mayControl = useMay('device_control', 'Control')
  const reason = useNoControl()
  const running = useAction(automations.runAutomation)
  // An alarm that only notifies has nothing to run.
  if (!mayUpdate || !mayControl || rule.Actions.length === 0) return null
  const { AutomationName: name, AutomationType, AutomationID } = rule
  const dangerous = dangerousIn(rule, facts)
  const run = () =>
    void running.run({ AutomationType, AutomationID, At: gatewayNow() }, ({ Actions }) =>
      words('automation:rule.begun', { name, count: Actions }),
    )
  const confirmRun = () => {
    if (dangerous.length === 0) return run()
    confirm({
      title: t('automation:rule.runAsk', { name }),
      content: t('automation:rule.runNote', { names: dangerous.join(t('screens:listComma')) }),
      okText: t('automation:rule.runOk'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: run,
    })
  }
  const shared = { icon: <CaretRightOutlined />, loading: running.busy, disabled: reason !== undefined }
  const [label, word] = [t('automation:rule.runOf', { name }), t('automation:rule.run')]
  if (small) return <IconButton {...shared} label={label} reason={reason} onPress={confirmRun} />
  return (
    <Button {...shared} title={reason} aria-label={label} onClick={confirmRun}>
      {word}
    </Button>
  )
}

/** Names of the targets whose values need a confirmation, including those set by scenes. */
function dangerousIn({ Actions }: ListedRule, { actions, names, sceneActions }: RuleFacts): string[] {
  const ownActions = (Actions as EditedAction[]).flatMap((action) =>
    action.SceneID === undefined ? [action] : sceneActions(action.SceneID),
  )
  return ownActions.flatMap((action) => {
    const knownType = targetTypeOf(targetOf(action), actions)
    return knownType && confirmationFor(knownType.type, action.Values) ? [names.actionOf(action).name] : []
  })
}
