import { useParams, useNavigate } from 'react-router'
import { CopyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useActionFacts } from '../../domain/automation/targets/use-action-facts.ts'
import { useActionWords } from '../../domain/automation/actions/use-action-words.ts'
import { UsedBy } from '../../domain/automation/parts/used-by.tsx'
import { actionsOf } from '../../domain/automation/words/actions-sentence.ts'
import { capitalized, formatPhrase } from '../../domain/automation/words/phrase.ts'
import { useMay, mayNow } from '../../data/session.ts'
import { useT, t as words } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { AfterScene, type ListedScene, RunScene, SceneRun, SceneRuns } from './run-cell.tsx'
import { SceneIcon, ScenePage } from './scene-page.tsx'
import styles from './scene.module.css'
import { group, type Group } from '../../../contract/automation/group.ts'
import { scene as resource, type Scene } from '../../../contract/automation/scene.ts'
import { CopyDialog, type CopyPlan } from '../../domain/automation/parts/copy-dialog.tsx'
import { useHomes } from '../../data/homes.ts'
import { notices } from '../../data/notices.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { useAction } from '../../data/use-action.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import type { Room } from '../../../contract/homes/room.ts'
import type { EditedAction } from '../../domain/automation/targets/target.ts'
import page from '../../ui/page/page.module.css'

interface There {
  deviceOf: (uid: string) => string | undefined
  rooms: readonly Room[]
  groups: readonly Group[]
}
interface HomeEntities {
  rooms: readonly Room[]
  groups: readonly Group[]
}

/**
 * Actions of a scene's copy for another home: devices are mapped by the user, rooms and groups by name; actions without a counterpart are
 * left out.
 */
const copiedActions = (
  actions: readonly EditedAction[],
  source: HomeEntities,
  { deviceOf, rooms, groups }: There,
): EditedAction[] =>
  actions.flatMap((action): EditedAction[] => {
    if (action.PeripheralUID !== undefined) {
      const PeripheralUID = deviceOf(action.PeripheralUID)
      return PeripheralUID === undefined ? [] : [{ ...action, PeripheralUID }]
    }
    if (action.RoomID !== undefined) {
      const sourceRoom = source.rooms.find(({ RoomID }) => RoomID === action.RoomID)
      const targetRoom =
        action.RoomID === 0
          ? rooms.find(({ RoomID }) => RoomID === 0)
          : rooms.find(({ RoomName }) => RoomName === sourceRoom?.RoomName)
      return targetRoom ? [{ ...action, RoomID: targetRoom.RoomID }] : []
    }
    const sourceGroup = source.groups.find(({ GroupID }) => GroupID === action.GroupID)
    const targetGroup = groups.find(
      ({ GroupName, GroupType }) =>
        GroupName === sourceGroup?.GroupName && GroupType === sourceGroup?.GroupType,
    )
    return targetGroup ? [{ ...action, GroupID: targetGroup.GroupID }] : []
  })

/** Button that copies a scene and opens the copy. Needs the right to control, like every scene that sets devices. */
function CopyScene({ scene }: { scene: ListedScene }) {
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
    const created = await send(resource.operations.create, {
      HomeID,
      SceneName: name,
      Icon,
      Order,
      StopOnFailure,
      Actions: Actions as Scene['Actions'],
    })
    return { made: created, leftOut: scene.Actions.length - Actions.length }
  })
  if (!mayCreate || !mayControl) return null
  const copy = async (plan: CopyPlan) => {
    const isDone = await copying.run(plan, () => t('screens:created'))
    if (!isDone) return
    if (isDone.leftOut > 0) notices.info(() => words('automation:copy.leftOut', { count: isDone.leftOut }))
    setOpen(false)
    void navigate(pathTo('updateScene', { HomeID: isDone.made.HomeID, SceneID: isDone.made.SceneID }))
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

const edit = ({ HomeID, SceneID }: { HomeID: string; SceneID: string }) =>
  pathTo('updateScene', { HomeID, SceneID })

/** Scenes, which set several devices at once, with the outcome of their last run. */
export default defineRecord({
  resource: 'scene',
  columns: () => {
    const t = useT()
    const { HomeID = '' } = useParams()
    const words = useActionWords(useActionFacts(HomeID))
    const does = ({ Actions }: ListedScene): string => capitalized(formatPhrase(t, actionsOf(Actions, words)))
    const lastRun = {
      key: 'lastRun',
      width: 148,
      text: () => '',
      render: (scene: ListedScene) => <SceneRun scene={scene} />,
    }
    const isPhone = usePhone()
    return [
      {
        key: 'SceneName',
        width: 116,
        render: (scene) => (
          <span className={`${page.tightRow} ${styles.name}`}>
            <SceneIcon icon={scene.Icon} />
            {scene.SceneName}
          </span>
        ),
      },
      // On a phone, the first of the facts is not cut off.
      ...(isPhone ? [lastRun] : []),
      {
        key: 'does',
        width: 180,
        text: does,
        render: (scene) => <span className={styles.sentence}>{does(scene)}</span>,
      },
      ...(isPhone ? [] : [lastRun]),
    ]
  },
  to: {
    list: ({ HomeID }) => pathTo('SceneList', { HomeID }),
    create: ({ HomeID }) => pathTo('updateScene', { HomeID }),
    edit,
  },
  open: edit,
  Actions: ({ row }) => <RunScene scene={row} />,
  actionsWidth: 100,
  Menu: ({ row }) => {
    const mayReadRuns = useMay('device', 'Read')
    const isPhone = usePhone()
    return (
      <>
        {isPhone && <AfterScene scene={row} />}
        {mayReadRuns && <SceneRuns scene={row} />}
        <CopyScene scene={row} />
      </>
    )
  },
  remove: { consequence: ({ HomeID, SceneID }) => <UsedBy HomeID={HomeID} Subject="scene" ID={SceneID} /> },
  pages: { Create: ScenePage, Edit: ScenePage },
})
