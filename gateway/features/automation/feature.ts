import type { Deps, Feature } from '../../deps.ts'
import { expiry } from '../../store/expiry.ts'
import { automationCallHandlers } from './automation-calls.ts'
import { automationHandlers } from './automation.ts'
import { expiringRuns } from './expiring.ts'
import { groupHandlers } from './group.ts'
import { runCallHandlers } from './run-calls.ts'
import type { ControlPort } from './runs/ports.ts'
import { runTarget } from './runs/run-target.ts'
import { createRuns } from './runs/runs.ts'
import { sceneHandlers } from './scene.ts'

/** Groups, scenes, schedules and smart links: what acts by one press, by the clock or by what devices report. */
export function automation(deps: Deps, control: ControlPort) {
  const runs = createRuns(deps, control)
  const feature = {
    handlers: {
      group: groupHandlers,
      scene: sceneHandlers,
      automation: automationHandlers,
      automations: automationCallHandlers,
      runs: runCallHandlers(runs),
    },
    jobs: [runs.sweeping, expiry('runs', deps, expiringRuns(deps, deps.config.keepDays.runs ?? 0))],
    recover: runs.sweeping.run,
    close: runs.close,
  } satisfies Feature
  return { ...feature, runTarget: runTarget(deps, runs) }
}
