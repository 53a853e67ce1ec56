import { CaretRightOutlined, RedoOutlined, RollbackOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import type { Run } from '../../../contract/automation/run-calls.ts'
import { isRetriable, isUndoable, progressOf, toneOfRun } from '../../domain/automation/runs/run-state.ts'
import { RunButton } from '../../domain/automation/runs/run-button.tsx'
import { useLiveRun, useRetry, useRuns, useUndo } from '../../domain/automation/runs/use-runs.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { runScene } from '../../live/run-scene.ts'
import { isFinished } from '../../live/runs.ts'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import styles from './scene.module.css'
import type { RowOf } from '../../record-kit/resource-types.ts'

/** Number of recent runs of a home that are searched for the last run of each scene. */
const MAX_CHECKED_RUNS = 200

/** Last run of a scene, updated live; null if none was found, undefined while loading. */
function useLastRun({ HomeID, SceneID }: Pick<ListedScene, 'HomeID' | 'SceneID'>): Run | null | undefined {
  const { data } = useRuns({ HomeID }, { limit: MAX_CHECKED_RUNS })
  const run = useLiveRun(data?.Rows.find((run) => run.SceneID === SceneID))
  return run ?? (data && null)
}

/** Actions after a run that the user may take: undo it, or repeat it for the devices that failed. */
function useAfterRun(run: Run | null | undefined) {
  const t = useT()
  const now = useNow()
  const may = useMay('device_control', 'Control')
  const { busy: undoing, undo } = useUndo()
  const { busy: retrying, retry } = useRetry()
  if (!run || !may || !isFinished(run)) return []
  return [
    ...(isUndoable(run, now)
      ? [
          {
            key: 'undo',
            icon: <RollbackOutlined />,
            label: t('automation:run.undo'),
            busy: undoing,
            press: () => void undo(run),
          },
        ]
      : []),
    ...(isRetriable(run)
      ? [
          {
            key: 'retry',
            icon: <RedoOutlined />,
            label: t('screens:retry'),
            busy: retrying,
            press: () => void retry(run),
          },
        ]
      : []),
  ]
}

/** State of a scene's last run: its progress, or its outcome with buttons to undo or retry. */
export function SceneRun({ scene }: { scene: ListedScene }) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const run = useLastRun(scene)
  const reason = useNoControl()
  const after = useAfterRun(run)
  if (run === undefined) return null
  if (run === null) return <small>{t('automation:scene.notLately')}</small>
  const { confirmed, failed, total } = progressOf(run)
  if (!isFinished(run))
    return (
      <span className={styles.running} role="status">
        <Progress
          size="small"
          showInfo={false}
          percent={total === 0 ? 0 : Math.round(((confirmed + failed) / total) * 100)}
          aria-label={t('automation:scene.progressOf', { name: scene.SceneName })}
        />
        {t('automation:run.progress', { confirmed, total })}
      </span>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span className={styles.ended} onClick={(event) => event.stopPropagation()}>
      <span role="status">
        <StateTag tone={toneOfRun(run.State)}>
          {run.Cause === 'undo' ? t('automation:run.causes.undo') : t(`automation:run.states.${run.State}`)}
        </StateTag>
      </span>
      {failed > 0 && <small>{t('automation:scene.failed', { count: failed })}</small>}
      <small>{formatAge(run.BeganAt, now, language)}</small>
      <span className={styles.after}>
        {after.map(({ key, icon, label, busy, press }) => (
          <Button
            key={key}
            icon={icon}
            loading={busy}
            disabled={reason !== undefined}
            title={reason}
            onClick={press}
          >
            {label}
          </Button>
        ))}
        {failed > 0 && <RunButton HomeID={scene.HomeID} runId={run.RunID} name={scene.SceneName} />}
      </span>
    </span>
  )
}

/** Button that runs a scene; shows the outcome even if the user leaves the page. */
export function RunScene({ scene }: { scene: ListedScene }) {
  const t = useT()
  const may = useMay('device_control', 'Control')
  const reason = useNoControl()
  const run = useLastRun(scene)
  const running = useAction(({ HomeID, SceneID }: ListedScene) => runScene(HomeID, SceneID))
  if (!may) return null
  return (
    <Button
      icon={<CaretRightOutlined />}
      disabled={reason !== undefined}
      title={reason}
      loading={running.busy || (run?.Cause === 'person' && !isFinished(run))}
      aria-label={t('automation:scene.runOf', { name: scene.SceneName })}
      onClick={(event) => {
        event.stopPropagation()
        void running.run(scene)
      }}
    >
      {t('automation:scene.run')}
    </Button>
  )
}

/** Items of a phone's menu, whose rows show no buttons of cells. */
export function AfterScene({ scene }: { scene: ListedScene }) {
  const reason = useNoControl()
  return useAfterRun(useLastRun(scene)).map(({ key, icon, label, busy, press }) => (
    <IconButton
      key={key}
      icon={icon}
      label={label}
      loading={busy}
      disabled={reason !== undefined}
      reason={reason}
      onPress={press}
    />
  ))
}

export function SceneRuns({ scene }: { scene: ListedScene }) {
  const { HomeID, SceneID, SceneName } = scene
  return <RunButton small HomeID={HomeID} name={SceneName} query={{ HomeID, SceneID }} />
}

export type ListedScene = RowOf<'scene'>
