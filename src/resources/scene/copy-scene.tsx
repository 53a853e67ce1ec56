import { CopyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { group, type Group } from '../../../contract/automation/group.ts'
import { scene as resource, type Scene } from '../../../contract/automation/scene.ts'
import { CopyDialog, type CopyPlan } from '../../domain/automation/parts/copy-dialog.tsx'
import { useHomes } from '../../data/homes.ts'
import { notices } from '../../data/notices.ts'
import { mayNow, useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import type { ListedScene } from './listed-scene.ts'
import type { Room } from '../../../contract/homes/room.ts'
import type { EditedAction } from '../../domain/automation/targets/target.ts'

interface There {
  deviceOf: (uid: string) => string | undefined
  rooms: readonly Room[]
  groups: readonly Group[]
}
interface Here {
  rooms: readonly Room[]
  groups: readonly Group[]
}

/**
 * Actions of a scene's copy for another home: devices are mapped by the user, rooms and groups by name; actions without a counterpart are
 * left out.
 */
const copiedActions = (
  actions: readonly EditedAction[],
  here: Here,
  { deviceOf, rooms, groups }: There,
): EditedAction[] =>
  actions.flatMap((action): EditedAction[] => {
    if (action.PeripheralUID !== undefined) {
      const PeripheralUID = deviceOf(action.PeripheralUID)
      return PeripheralUID === undefined ? [] : [{ ...action, PeripheralUID }]
    }
    if (action.RoomID !== undefined) {
      const own = here.rooms.find(({ RoomID }) => RoomID === action.RoomID)
      const same =
        action.RoomID === 0
          ? rooms.find(({ RoomID }) => RoomID === 0)
          : rooms.find(({ RoomName }) => RoomName === own?.RoomName)
      return same ? [{ ...action, RoomID: same.RoomID }] : []
    }
    const own = here.groups.find(({ GroupID }) => GroupID === action.GroupID)
    const same = groups.find(
      ({ GroupName, GroupType }) => GroupName === own?.GroupName && GroupType === own?.GroupType,
    )
    return same ? [{ ...action, GroupID: same.GroupID }] : []
  })

/** Button that copies a scene and opens the copy. Needs the right to control, like every scene that sets devices. */
export function CopyScene({ scene }: { scene: ListedScene }) {
  const t = useT()
  const navigate = useNavigate()
  const mayCreate = useMay('scene', 'Create')
  const mayControl = useMay('device_control', 'Control')
  const homes = useHomes()
  const [isOpen, setOpen] = useState(false)
  const copying = useAction(async ({ HomeID, name, deviceOf }: CopyPlan, send) => {
    const groupsOf = async (id: string) =>
      mayNow('group', 'Read') ? send(group.operations.list, { HomeID: id }) : []
    const roomsOf = (id: string) => homes?.find((home) => home.HomeID === id)?.RoomList ?? []
    const isHere = HomeID === scene.HomeID
    const Actions = isHere
      ? scene.Actions
      : copiedActions(
          scene.Actions,
          { rooms: roomsOf(scene.HomeID), groups: await groupsOf(scene.HomeID) },
          { deviceOf, rooms: roomsOf(HomeID), groups: await groupsOf(HomeID) },
        )
    const { Icon, Order, StopOnFailure } = scene
    const made = await send(resource.operations.create, {
      HomeID,
      SceneName: name,
      Icon,
      Order,
      StopOnFailure,
      Actions: Actions as Scene['Actions'],
    })
    return { made, leftOut: scene.Actions.length - Actions.length }
  })
  if (!mayCreate || !mayControl) return null
  const copy = async (plan: CopyPlan) => {
    const done = await copying.run(plan, () => t('screens:created'))
    if (!done) return
    if (done.leftOut > 0) notices.info(() => words('automation:copy.leftOut', { count: done.leftOut }))
    setOpen(false)
    void navigate(pathTo('updateScene', { HomeID: done.made.HomeID, SceneID: done.made.SceneID }))
  }
  const uids = scene.Actions.flatMap(({ PeripheralUID }) => PeripheralUID ?? [])
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span onClick={(event) => event.stopPropagation()}>
      <IconButton
        icon={<CopyOutlined />}
        label={t('automation:copy.of', { name: scene.SceneName })}
        onPress={() => setOpen(true)}
      />
      {isOpen && (
        <CopyDialog
          title={t('automation:copy.of', { name: scene.SceneName })}
          name={scene.SceneName}
          HomeID={scene.HomeID}
          uids={[...new Set(uids)]}
          note={t('automation:copy.byName')}
          busy={copying.busy}
          close={() => setOpen(false)}
          copy={(plan) => void copy(plan)}
        />
      )}
    </span>
  )
}
