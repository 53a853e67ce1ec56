import { CopyOutlined } from '@ant-design/icons'
import { useState, type FC } from 'react'
import { useNavigate } from 'react-router'
import { automation } from '../../../../contract/automation/automation.ts'
import { group } from '../../../../contract/automation/group.ts'
import { scene } from '../../../../contract/automation/scene.ts'
import { CopyDialog, type CopyPlan } from '../../../domain/automation/parts/copy-dialog.tsx'
import { useHomes } from '../../../data/homes.ts'
import { notices } from '../../../data/notices.ts'
import { mayNow, useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as words, useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { IconButton } from '../../../ui/page/icon-button.tsx'
import { copiedDraft, uidsIn } from './copied-rule.ts'
import { ruleOf, typeOf } from '../rules/draft.ts'
import { KINDS, kindOf, type ListedRule } from '../rules/kinds.ts'

/** Copies a rule, also to another home, and opens the copy; it is disabled until a user enables it. */
export const CopyRule: FC<{ rule: ListedRule }> = ({ rule }) => {
  const t = useT()
  const navigate = useNavigate()
  const kind = kindOf(rule)
  const mayCreate = useMay(KINDS[kind].feature, 'Create')
  const mayControl = useMay('device_control', 'Control')
  const homes = useHomes()
  const [isOpen, setOpen] = useState(false)
  const copying = useAction(async ({ HomeID, name, deviceOf }: CopyPlan, send) => {
    const placeOf = async (id: string) => ({
      rooms: homes?.find((home) => home.HomeID === id)?.RoomList ?? [],
      groups: mayNow('group', 'Read') ? await send(group.operations.list, { HomeID: id }) : [],
      scenes: mayNow('scene', 'Read') ? await send(scene.operations.list, { HomeID: id }) : [],
    })
    const here = await placeOf(rule.HomeID)
    const isHere = HomeID === rule.HomeID
    const { draft, leftOut } = copiedDraft(
      rule,
      isHere ? (uid) => uid : deviceOf,
      here,
      isHere ? here : await placeOf(HomeID),
    )
    const made = await send(automation.operations.create, {
      ...ruleOf({ ...draft, AutomationName: name, Enabled: false }, kind),
      HomeID,
      AutomationType: typeOf(draft, kind),
      // The copy is disabled, and its original runs despite a loop.
      AcceptLoop: true,
    })
    return { made, leftOut }
  })
  if (!mayCreate || (!mayControl && kind !== 'alarm')) return null
  const copy = async (plan: CopyPlan) => {
    const done = await copying.run(plan, () => words('screens:created'))
    if (!done) return
    if (done.leftOut > 0) notices.info(() => words('automation:rule.copyLeftOut', { count: done.leftOut }))
    setOpen(false)
    const { HomeID, AutomationID: automationID } = done.made
    void navigate(pathTo(KINDS[kind].edit, { HomeID, automationID }))
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span onClick={(event) => event.stopPropagation()}>
      <IconButton
        icon={<CopyOutlined />}
        label={t('automation:copy.of', { name: rule.AutomationName })}
        onPress={() => setOpen(true)}
      />
      {isOpen && (
        <CopyDialog
          title={t('automation:copy.of', { name: rule.AutomationName })}
          name={rule.AutomationName}
          HomeID={rule.HomeID}
          uids={uidsIn(rule)}
          note={t('automation:rule.copyNote')}
          busy={copying.busy}
          close={() => setOpen(false)}
          copy={(plan) => void copy(plan)}
        />
      )}
    </span>
  )
}
