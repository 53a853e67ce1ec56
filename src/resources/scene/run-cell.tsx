import { CaretRightOutlined, RedoOutlined, RollbackOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import { UNDO_WINDOW_MS } from '../../../contract/automation/run-calls.ts'
import type { LastRun } from '../../../contract/automation/run-states.ts'
import { RunButton } from '../../domain/automation/runs/run-button.tsx'
import { RunOutcome } from '../../domain/automation/runs/run-outcome.tsx'
import { useLiveOutcome, useRetry, useUndo } from '../../domain/automation/runs/use-runs.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { runScene } from '../../live/run-scene.ts'
import { isFinished } from '../../live/runs.ts'
import { useNoControl } from '../../ui/inputs/no-control.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import page from '../../ui/page/page.module.css'
import type { RowOf } from '../../record-kit/resource-types.ts'

/** Outcome of the last run of a scene, updated live; undefined if it never ran. */
const useLastRun = (scene: Pick<ListedScene, 'LastRun'>) => useLiveOutcome(scene.LastRun)

/** Actions after a run that the user may take: undo it, or repeat it for the devices that failed. */
function useAfterRun(HomeID: string, run: LastRun | undefined) {
  const t = useT()
  const now = useNow()
  const may = useMay('device_control', 'Control')
  const { busy: undoing, undo } = useUndo()
  const { busy: retrying, retry } = useRetry()
  if (!run || !may || !isFinished(run)) return []
  const key = { HomeID, RunID: run.RunID }
  return [
    ...(run.Cause === 'person' && run.At + UNDO_WINDOW_MS > now
      ? [
          {
            key: 'undo',
            icon: <RollbackOutlined />,
            label: t('automation:run.undo'),
            busy: undoing,
            press: () => void undo(key),
          },
        ]
      : []),
    ...(run.Cause !== 'undo' && run.Failed > 0
      ? [
          {
            key: 'retry',
            icon: <RedoOutlined />,
            label: t('screens:retry'),
            busy: retrying,
            press: () => void retry(key),
          },
        ]
      : []),
  ]
}

/** State of a scene's last run: its progress, or its outcome with buttons to undo or retry. */
export function SceneRun({ scene }: { scene: ListedScene }) {
  const t = useT()
  const run = useLastRun(scene)
  const reason = useNoControl()
  const after = useAfterRun(scene.HomeID, run)
  const mayReadRuns = useMay('device', 'Read')
  if (run && !isFinished(run)) {
    const { Confirmed: confirmed, Failed: failed, Devices: total } = run
    return (
      <span className={page.tightRow} role="status">
        <Progress
          style={{ width: 120 }}
          size="small"
          showInfo={false}
          percent={total === 0 ? 0 : Math.min(100, Math.round(((confirmed + failed) / total) * 100))}
          aria-label={t('automation:scene.progressOf', { name: scene.SceneName })}
        />
        {t('automation:run.progress', { confirmed, total })}
      </span>
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only keeps a click from opening the row
    <span className={page.tightRow} onClick={(event) => event.stopPropagation()}>
      <span role="status">
        <RunOutcome HomeID={scene.HomeID} run={run} ranAt={run?.At ?? null} />
      </span>
      <span className={page.tightRow}>
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
        {run && run.Failed > 0 && mayReadRuns && (
          <RunButton HomeID={scene.HomeID} runId={run.RunID} name={scene.SceneName} />
        )}
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
  return useAfterRun(scene.HomeID, useLastRun(scene)).map(({ key, icon, label, busy, press }) => (
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
