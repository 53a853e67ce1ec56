import { CaretRightOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { scene, type Scene } from '../../../contract/automation/scene.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { runScene } from '../../live/run-scene.ts'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import page from '../../ui/page/page.module.css'
import type { RoomCommand } from './room-command.ts'

interface Props {
  HomeID: string
  RoomID: number
  /** PeripheralUIDs of what stands in the room. */
  inside: ReadonlySet<string>
  begin: (begun: RoomCommand) => void
}

/** Scenes that set the room or something in it, each to be run. */
export function RoomScenes({ HomeID, RoomID, inside, begin }: Props) {
  const t = useT()
  const why = useNoControl()
  const enabled = useMay('scene', 'Read')
  const may = useMay('device_control', 'Control')
  const { data } = useQuery({ ...callQuery(scene.operations.list, { HomeID }), enabled })
  const running = useAction(({ SceneID }: Pick<Scene, 'SceneID'>) => runScene(HomeID, SceneID))
  const own = data?.filter(({ Actions }) =>
    Actions.some(
      (action) =>
        action.RoomID === RoomID || (action.PeripheralUID !== undefined && inside.has(action.PeripheralUID)),
    ),
  )
  if (!may || !own || own.length === 0) return null
  const run = async ({ SceneID, SceneName }: Pick<Scene, 'SceneID' | 'SceneName'>) => {
    const RunID = await running.run({ SceneID })
    if (RunID !== undefined) begin({ RunID, what: SceneName })
  }
  return (
    <section className={page.tightStack} aria-label={t('building:scenes')}>
      <h3 className={page.hint}>{t('building:scenes')}</h3>
      <div className={page.buttons}>
        {own.map((one) => (
          <Button
            key={one.SceneID}
            icon={<CaretRightOutlined />}
            disabled={running.busy || why !== undefined}
            title={why}
            aria-label={t('building:runScene', { name: one.SceneName })}
            onClick={() => void run(one)}
          >
            {one.SceneName}
          </Button>
        ))}
      </div>
    </section>
  )
}
