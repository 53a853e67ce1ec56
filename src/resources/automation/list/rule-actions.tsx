import { DeleteOutlined, EditOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC } from 'react'
import { useNavigate } from 'react-router'
import { automation } from '../../../../contract/resources/automation.ts'
import { useMay } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../paths.ts'
import { useConfirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import { createSend } from '../../../data/use-action.ts'
import { CopyRule } from './copy-rule.tsx'
import { KINDS, kindOf, type ListedRule } from '../kinds.ts'
import { RuleSwitch } from './rule-switch.tsx'
import { RunNow } from './run-now.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'

/** What can be done with a rule of the list; only what the person may do. */
export const RuleActions: FC<{ rule: ListedRule; facts: RuleFacts }> = ({ rule, facts }) => (
  <>
    <RuleSwitch rule={rule} />
    <RunNow rule={rule} facts={facts} />
    <CopyRule rule={rule} />
    <EditAndRemove rule={rule} />
  </>
)

const send = createSend()

function EditAndRemove({ rule }: { rule: ListedRule }) {
  const t = useT()
  const navigate = useNavigate()
  const { feature, edit } = KINDS[kindOf(rule)]
  const mayUpdate = useMay(feature, 'Update')
  const mayRemove = useMay(feature, 'Delete')
  const ask = useConfirmRemoval()
  const { HomeID, AutomationType, AutomationID: automationID, AutomationName: name } = rule
  return (
    <>
      {mayUpdate && (
        <Button
          type="text"
          icon={<EditOutlined />}
          aria-label={t('screens:list.edit', { name })}
          onClick={(event) => {
            event.stopPropagation()
            void navigate(pathTo(edit, { HomeID, automationID }))
          }}
        />
      )}
      {mayRemove && (
        <Button
          type="text"
          danger
          icon={<DeleteOutlined />}
          aria-label={t('screens:list.remove', { name })}
          onClick={(event) => {
            event.stopPropagation()
            ask({
              name,
              consequence: t('automation:rule.removeNote'),
              remove: () =>
                send(automation.operations.remove, { AutomationType, AutomationID: automationID }),
            })
          }}
        />
      )}
    </>
  )
}
