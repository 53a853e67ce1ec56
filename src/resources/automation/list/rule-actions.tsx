import { DeleteOutlined, EditOutlined, CopyOutlined } from '@ant-design/icons'
import { type FC, useState } from 'react'
import { useNavigate } from 'react-router'
import { Switch } from 'antd'
import { automation } from '../../../../contract/automation/automation.ts'
import { useMay, mayNow } from '../../../data/session.ts'
import { createSend, useAction } from '../../../data/use-action.ts'
import { useT, t as words } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import { IconButton } from '../../../ui/page/icon-button.tsx'
import { KINDS, kindOf, type ListedRule, actionsIn, loadsIn } from '../rules/kinds.ts'
import { RuleRuns, TakeOver } from './rule-state.tsx'
import styles from './rule-list.module.css'
import { RunNow } from './run-now.tsx'
import type { RuleFacts } from '../words/use-rule-facts.ts'
import { automations } from '../../../../contract/automation/calls.ts'
import { group, type Group } from '../../../../contract/automation/group.ts'
import { scene } from '../../../../contract/automation/scene.ts'
import { CopyDialog, type CopyPlan } from '../../../domain/automation/parts/copy-dialog.tsx'
import { useHomes } from '../../../data/homes.ts'
import { notices } from '../../../data/notices.ts'
import { ruleOf, typeOf, draftOf, type RuleDraft } from '../rules/draft.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import type { Room } from '../../../../contract/homes/room.ts'
import type { EditedAction } from '../../../domain/automation/targets/target.ts'

interface HomeEntities {
  rooms: readonly Pick<Room, 'RoomID' | 'RoomName'>[]
  groups: readonly Pick<Group, 'GroupID' | 'GroupName' | 'GroupType'>[]
  scenes: readonly { SceneID: string; SceneName: string }[]
}

/** All devices that a rule references, without duplicates. */
const uidsIn = (rule: ListedRule): string[] =>
  [
    ...new Set([
      ...(rule.Conditions?.PeripheralUIDs ?? []).flatMap(({ PeripheralUID }) =>
        PeripheralUID === HOME_SUBJECT ? [] : [PeripheralUID],
      ),
      ...(rule.Booking?.Presence ? [rule.Booking.Presence.PeripheralUID] : []),
      ...actionsIn(rule).flatMap(({ PeripheralUID }) => PeripheralUID ?? []),
      ...loadsIn(rule).flatMap(({ PeripheralUID }) => PeripheralUID ?? []),
    ]),
  ].filter((uid) => !uid.startsWith(VIRTUAL_PREFIX))

/**
 * Draft of a rule's copy for another home: devices are mapped by the user; rooms, groups and scenes by name.
 *
 * returns  the draft without parts that have no counterpart, and the number of those parts
 */
function copiedDraft(
  rule: ListedRule,
  deviceOf: (uid: string) => string | undefined,
  source: HomeEntities,
  target: HomeEntities,
): { draft: RuleDraft; excludedCount: number } {
  const before = draftOf(rule, kindOf(rule))
  const subjectOf = (uid: string | undefined) =>
    uid === undefined || uid === HOME_SUBJECT ? uid : deviceOf(uid)
  const conditions = before.conditions.flatMap((one) => {
    const PeripheralUID = subjectOf(one.PeripheralUID)
    return PeripheralUID === undefined ? [] : [{ ...one, PeripheralUID }]
  })
  const copied = (action: EditedAction) => copiedAction(action, deviceOf, source, target)
  const [Actions, EndActions] = [before.Actions.flatMap(copied), before.EndActions.flatMap(copied)]
  const Loads = before.alarm.Loads.flatMap((load) =>
    copied({ PeripheralUID: load.PeripheralUID, GroupID: load.GroupID } as EditedAction).map(
      ({ PeripheralUID, GroupID }) => ({ ...load, PeripheralUID, GroupID }),
    ),
  )
  const presence = subjectOf(before.booking.Presence?.PeripheralUID)
  const draft = {
    ...before,
    conditions,
    Actions,
    EndActions,
    alarm: { ...before.alarm, Loads },
    booking: {
      ...before.booking,
      Presence: presence === undefined ? undefined : { ...before.booking.Presence, PeripheralUID: presence },
    },
  }
  const isOf = rule.Conditions !== undefined
  const count = ({ conditions: all, Actions: actions, EndActions: end, alarm }: RuleDraft) =>
    (isOf ? all.length : 0) + actions.length + end.length + alarm.Loads.length
  return { draft, excludedCount: count(before) - count(draft) }
}

function copiedAction(
  action: EditedAction,
  deviceOf: (uid: string) => string | undefined,
  source: HomeEntities,
  target: HomeEntities,
): EditedAction[] {
  if (action.PeripheralUID !== undefined) {
    const PeripheralUID = deviceOf(action.PeripheralUID)
    return PeripheralUID === undefined ? [] : [{ ...action, PeripheralUID }]
  }
  if (action.RoomID !== undefined) {
    const name = source.rooms.find(({ RoomID }) => RoomID === action.RoomID)?.RoomName
    const targetRoom = target.rooms.find(({ RoomID, RoomName }) =>
      action.RoomID === 0 ? RoomID === 0 : RoomName === name,
    )
    return targetRoom ? [{ ...action, RoomID: targetRoom.RoomID }] : []
  }
  if (action.SceneID !== undefined) {
    const name = source.scenes.find(({ SceneID }) => SceneID === action.SceneID)?.SceneName
    const targetScene = target.scenes.find(({ SceneName }) => SceneName === name)
    return targetScene ? [{ ...action, SceneID: targetScene.SceneID }] : []
  }
  const sourceGroup = source.groups.find(({ GroupID }) => GroupID === action.GroupID)
  const targetGroup = target.groups.find(
    ({ GroupName, GroupType }) =>
      GroupName === sourceGroup?.GroupName && GroupType === sourceGroup?.GroupType,
  )
  return targetGroup ? [{ ...action, GroupID: targetGroup.GroupID }] : []
}

/** Copies a rule, also to another home, and opens the copy; it is disabled until a user enables it. */
const CopyRule: FC<{ rule: ListedRule }> = ({ rule }) => {
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
    const source = await placeOf(rule.HomeID)
    const isHere = HomeID === rule.HomeID
    const { draft, excludedCount: leftOut } = copiedDraft(
      rule,
      isHere ? (uid) => uid : deviceOf,
      source,
      isHere ? source : await placeOf(HomeID),
    )
    const created = await send(automation.operations.create, {
      ...ruleOf({ ...draft, AutomationName: name, Enabled: false }, kind),
      HomeID,
      AutomationType: typeOf(draft, kind),
      // The copy is disabled, and its original runs despite a loop.
      AcceptLoop: true,
    })
    return { made: created, leftOut }
  })
  if (!mayCreate || (!mayControl && kind !== 'alarm')) return null
  const copy = async (plan: CopyPlan) => {
    const isDone = await copying.run(plan, () => words('screens:created'))
    if (!isDone) return
    if (isDone.leftOut > 0)
      notices.info(() => words('automation:rule.copyLeftOut', { count: isDone.leftOut }))
    setOpen(false)
    const { HomeID, AutomationID: automationID } = isDone.made
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

/** Switch that enables a rule. */
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

/** Further actions on a rule in the list that the user may perform. */
export const RuleMenu: FC<{ rule: ListedRule; facts: RuleFacts }> = ({ rule, facts }) => (
  <>
    {/* The rows of a phone show no buttons of cells. */}
    {rule.State === 'suspended' && <TakeOver small rule={rule} />}
    <RunNow small rule={rule} facts={facts} />
    <RuleRuns small rule={rule} />
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
