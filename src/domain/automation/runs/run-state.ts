import type { Run, RunAction } from '../../../../contract/automation/run-calls.ts'
import type { LastRun, RunState } from '../../../../contract/automation/run-states.ts'
import { isFinished, type RunProgress } from '../../../live/runs.ts'
import type { Tone } from '../../../ui/tags/state-tag.tsx'
import { hasText, t, type TKey } from '../../../lib/i18n/i18n.ts'

type State = RunState | 'pending'

const TONES: Readonly<Record<State, Tone>> = {
  pending: 'plain',
  planned: 'plain',
  running: 'plain',
  done: 'good',
  partly: 'warning',
  failed: 'alarm',
  missed: 'warning',
  skipped: 'offline',
  loopStopped: 'alarm',
  refused: 'alarm',
  superseded: 'offline',
}
export const toneOfRun = (state: State): Tone => TONES[state]

export const toneOfAction = (state: RunAction['State']): Tone =>
  state === 'confirmed'
    ? 'good'
    : state === 'failed' || state === 'timedOut'
      ? 'alarm'
      : state === 'left' || state === 'dropped'
        ? 'offline'
        : 'plain'

/** Number of confirmed, failed and all actions. */
export interface Progress {
  confirmed: number
  failed: number
  total: number
}

/** A run with the progress received since it was fetched, until it is finished. */
export function mergeProgress(run: Run, progress: RunProgress | undefined): Run {
  if (!progress || isFinished(run)) return run
  return {
    ...run,
    State: progress.State === 'pending' ? run.State : progress.State,
    Actions: run.Actions.map((action) => {
      const last = progress.devices.get(action.PeripheralUID)
      if (!last || last.State === 'pending' || isSettled(action)) return action
      const Reason = last.Reason === 'notConnected' ? null : last.Reason
      return { ...action, State: last.State, Reason }
    }),
  }
}

/** The outcome of a run with the progress received since it was fetched, until it is finished. */
export function withProgress(run: LastRun, progress: RunProgress | undefined): LastRun {
  if (!progress || isFinished(run)) return run
  const states = [...progress.devices.values()].map(({ State }) => State)
  const count = (...counted: string[]) => states.filter((state) => counted.includes(state)).length
  return {
    ...run,
    State: progress.State === 'pending' ? run.State : progress.State,
    Confirmed: Math.max(run.Confirmed, progress.Actions?.confirmed ?? 0, count('confirmed')),
    Failed: Math.max(run.Failed, progress.Actions?.failed ?? 0, count('failed', 'timedOut')),
  }
}

const isSettled = ({ State }: RunAction) =>
  State === 'confirmed' || State === 'failed' || State === 'timedOut'

/** Progress of a run's actions. */
export function progressOf({ Actions }: Pick<Run, 'Actions'>): Progress {
  const count = (...states: RunAction['State'][]) =>
    Actions.filter(({ State }) => states.includes(State)).length
  return { confirmed: count('confirmed'), failed: count('failed', 'timedOut'), total: Actions.length }
}

/** Whether a run of a scene, a group or a room can be undone now. */
export const isUndoable = ({ UndoUntil }: Pick<Run, 'UndoUntil'>, now: number): boolean =>
  UndoUntil !== null && UndoUntil > now

/** Whether failed actions can be retried: only in runs that a user started. */
export const isRetriable = (run: Run): boolean =>
  run.AutomationID === null && isFinished(run) && run.Cause !== 'undo' && progressOf(run).failed > 0

/** Reason in words why a run failed or was skipped. */
export function describeReason(reason: NonNullable<RunProgress['Reason']>): string {
  const key: string = `errors:command.${reason}`
  const skipped: string = `automation:reasons.${reason}`
  return t(hasText(key) ? key : hasText(skipped) ? skipped : ('errors:command.noAnswer' satisfies TKey))
}
