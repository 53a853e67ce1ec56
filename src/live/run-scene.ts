import { runs as calls, type Run } from '../../contract/automation/run-calls.ts'
import { call } from '../data/api.ts'
import { describeRefusal, failureDetail } from '../data/failure.ts'
import { notices } from '../data/notices.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'
import { loadNamespaces, t } from '../lib/i18n/i18n.ts'
import { isFinished, type RunProgress } from './runs.ts'
import { runs } from './runs.ts'

/** Interval at which a run is polled, and maximum time to wait for its end, ms. */
const POLL_INTERVAL_MS = 3_000
const MAX_WAIT_MS = 60_000

type Outcome = Pick<Run, 'State'> & { confirmed: number; total: number }

/**
 * Runs a scene and shows the outcome as a notice on any screen. Rejects with what `call` throws; failures of a run that began are only
 * shown.
 *
 * returns  its RunID, once it has begun
 */
export async function runScene(HomeID: string, SceneID: string): Promise<string> {
  const { RunID, Actions } = await call(calls.runScene, { HomeID, SceneID, At: gatewayNow() })
  void notifyRunEnd(HomeID, RunID, Actions)
  return RunID
}

/** Runs a scene and shows a failure to start it as a notice as well, for callers that show none. */
export async function runSceneAndNotify(HomeID: string, SceneID: string): Promise<void> {
  try {
    await runScene(HomeID, SceneID)
  } catch (error) {
    notices.error(() => describeRefusal(error), failureDetail(error))
  }
}

/**
 * Waits for the end of a run and shows the outcome as a notice.
 *
 * total  number of actions, if known
 */
export async function notifyRunEnd(HomeID: string, RunID: string, total?: number): Promise<void> {
  const [outcome] = await Promise.all([awaitOutcome(HomeID, RunID, total), loadNamespaces(['automation'])])
  if (!outcome) return
  if (outcome.State === 'done') notices.success(() => t('automation:run.done'))
  else if (outcome.State === 'partly')
    notices.error(() => t('automation:run.partly', { confirmed: outcome.confirmed, total: outcome.total }))
  else notices.error(() => t('automation:run.failed'))
}

/** Outcome of a run; undefined if it lasts longer than `MAX_WAIT_MS`. */
function awaitOutcome(HomeID: string, RunID: string, total?: number): Promise<Outcome | undefined> {
  return new Promise((resolve) => {
    const startedAt = Date.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = (outcome: Outcome | undefined) => {
      clearTimeout(timer)
      unsubscribe()
      resolve(outcome)
    }
    const checkProgress = () => {
      const run = runs.get(RunID)
      if (run && isFinished(run)) end(outcomeOfProgress(run, total))
    }
    const unsubscribe = runs.subscribe(checkProgress)
    const poll = async () => {
      const page = await call(calls.listAutomationRun, { HomeID, RunID }).catch(() => undefined)
      const run = page?.Rows[0]
      if (run && isFinished(run)) return end(outcomeOfStored(run))
      if (Date.now() - startedAt > MAX_WAIT_MS) return end(undefined)
      timer = setTimeout(() => void poll(), POLL_INTERVAL_MS)
    }
    timer = setTimeout(() => void poll(), POLL_INTERVAL_MS)
    checkProgress()
  })
}

const outcomeOfProgress = ({ State, Actions }: RunProgress, total?: number): Outcome => ({
  State: State as Run['State'],
  confirmed: Actions?.confirmed ?? 0,
  total: total ?? (Actions ? Actions.confirmed + Actions.failed + Actions.open : 0),
})

const outcomeOfStored = ({ State, Actions }: Pick<Run, 'State' | 'Actions'>): Outcome => ({
  State,
  confirmed: Actions.filter((action) => action.State === 'confirmed').length,
  total: Actions.length,
})
