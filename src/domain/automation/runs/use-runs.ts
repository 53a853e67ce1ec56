import { useQuery } from '@tanstack/react-query'
import { runs as calls, type Run } from '../../../../contract/automation/run-calls.ts'
import type { LastRun } from '../../../../contract/automation/run-states.ts'
import { callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { useAction, type UseAction } from '../../../data/use-action.ts'
import { gatewayNow } from '../../../lib/gateway-clock.ts'
import { t } from '../../../lib/i18n/i18n.ts'
import { useRunProgress } from '../../../live/runs.ts'
import { mergeProgress, withProgress } from './run-state.ts'

export interface RunsQuery {
  HomeID: string
  SceneID?: string
  AutomationID?: string
  PeripheralUID?: string
  RunID?: string
}

/** Runs, newest first, updated live. Needs the right to read devices. */
export function useRuns(query: RunsQuery, { limit = 50, enabled = true } = {}) {
  const may = useMay('device', 'Read')
  return useQuery({
    ...callQuery(calls.listAutomationRun, { ...query, Limit: limit }),
    enabled: enabled && may,
  })
}

/** One run, updated live; undefined while loading, null if it does not exist. */
export function useRun(HomeID: string, RunID: string) {
  const progress = useRunProgress(RunID)
  const query = useRuns({ HomeID, RunID }, { limit: 1 })
  const stored = query.data?.Rows[0]
  return {
    ...query,
    progress,
    run: stored ? mergeProgress(stored, progress) : query.data ? null : undefined,
  }
}

/** A run with the progress received since it was fetched. */
export function useLiveRun(run: Run | undefined): Run | undefined {
  const progress = useRunProgress(run?.RunID)
  return run && mergeProgress(run, progress)
}

/** The outcome of a last run with the progress received since it was fetched. */
export function useLiveOutcome(run: LastRun | undefined): LastRun | undefined {
  const progress = useRunProgress(run?.RunID)
  return run && withProgress(run, progress)
}

type Key = Pick<Run, 'HomeID' | 'RunID'>

/** Reverts the values set by a run and reports how many were skipped because they had changed since. */
export function useUndo(): { busy: boolean; undo: (run: Key) => Promise<string | undefined> } {
  const action = useAction(calls.undoScene)
  return {
    busy: action.busy,
    undo: ({ HomeID, RunID }) =>
      runOf(action, { HomeID, RunID, At: gatewayNow() }, ({ Left }) =>
        Left > 0 ? t('automation:run.undoneBut', { count: Left }) : t('automation:run.undone'),
      ),
  }
}

/** Resends the failed actions of a run. */
export function useRetry(): { busy: boolean; retry: (run: Key) => Promise<string | undefined> } {
  const action = useAction(calls.retryRun)
  return {
    busy: action.busy,
    retry: ({ HomeID, RunID }) =>
      runOf(action, { HomeID, RunID, At: gatewayNow() }, ({ Actions }) =>
        t('automation:run.retried', { count: Actions }),
      ),
  }
}

/** Starts a run. Resolves to its RunID, or undefined if it did not start; the error is then already shown. */
const runOf = async <Input, Results extends { RunID: string }>(
  action: UseAction<Input, Results>,
  input: Input,
  successText: (results: Results) => string,
) => (await action.run(input, successText))?.RunID
