import { useParams } from 'react-router'
import { useActionFacts } from '../../domain/automation/targets/use-action-facts.ts'
import { useActionWords } from '../../domain/automation/actions/use-action-words.ts'
import { UsedBy } from '../../domain/automation/parts/used-by.tsx'
import { actionsOf } from '../../domain/automation/words/actions-sentence.ts'
import { formatPhrase } from '../../domain/automation/words/phrase.ts'
import { useMay } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CopyScene } from './copy-scene.tsx'
import type { ListedScene } from './listed-scene.ts'
import { RunScene, SceneRun, SceneRuns } from './run-cell.tsx'
import { SceneIcon } from './scene-icon.tsx'
import styles from './scene.module.css'
import { ScenePage } from './scene-page.tsx'

const edit = ({ HomeID, SceneID }: { HomeID: string; SceneID: string }) =>
  pathTo('updateScene', { HomeID, SceneID })

/** Scenes, which set several devices at once, with the outcome of their last run. */
export default defineRecord({
  resource: 'scene',
  columns: () => {
    const t = useT()
    const { HomeID = '' } = useParams()
    const words = useActionWords(useActionFacts(HomeID))
    const does = ({ Actions }: ListedScene): string => {
      const said = formatPhrase(t, actionsOf(Actions, words))
      return said.charAt(0).toUpperCase() + said.slice(1)
    }
    return [
      {
        key: 'SceneName',
        width: 116,
        render: (scene) => (
          <span className={styles.name}>
            <SceneIcon icon={scene.Icon} />
            {scene.SceneName}
          </span>
        ),
      },
      {
        key: 'does',
        width: 180,
        text: does,
        render: (scene) => <span className={styles.sentence}>{does(scene)}</span>,
      },
      { key: 'lastRun', width: 148, text: () => '', render: (scene) => <SceneRun scene={scene} /> },
    ]
  },
  to: {
    list: ({ HomeID }) => pathTo('SceneList', { HomeID }),
    create: ({ HomeID }) => pathTo('updateScene', { HomeID }),
    edit,
  },
  open: edit,
  Actions: ({ row }) => {
    const mayReadRuns = useMay('device', 'Read')
    return (
      <>
        <RunScene scene={row} />
        {mayReadRuns && <SceneRuns scene={row} />}
        <CopyScene scene={row} />
      </>
    )
  },
  actionsWidth: 282,
  remove: { consequence: ({ HomeID, SceneID }) => <UsedBy HomeID={HomeID} Subject="scene" ID={SceneID} /> },
  pages: { Create: ScenePage, Edit: ScenePage },
})
