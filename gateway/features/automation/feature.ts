import { Action } from '../../../contract/automation/action.ts'
import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import type { GuardRun } from '../../domain/automation/guard-run.ts'
import { closeAll } from '../../lib/close-all.ts'
import { sunOf } from '../../lib/sun.ts'
import type { Db } from '../../kernel/db.ts'
import { createRetentionJob } from '../../store/retention.ts'
import { automationCallHandlers } from './automation-calls.ts'
import { automationHandlers, expiringRuns } from './records/automation.ts'
import { transferOwnership } from './records/transfer-ownership.ts'
import {
  onDevicesRemoved,
  onFieldsChanged,
  recheckRules,
  onModbusTableChanged,
} from './records/mark-broken.ts'
import { endPauses } from './records/pause.ts'
import { createEngine } from './engine/create-engine.ts'
import type { EnginePorts } from './engine/ports.ts'
import { groupHandlers } from './records/group.ts'
import type { AutomationPorts } from './records/ports.ts'
import { runCallHandlers } from './run-calls.ts'
import { MIN_HUB_WAIT_MS } from './runs/port.ts'
import type { ControlPort } from './runs/ports.ts'
import { runTarget } from './runs/start-run.ts'
import { createRuns } from './runs/runs.ts'
import { sceneHandlers } from './records/scene.ts'
import type { TryPorts } from './dry-run/ports.ts'

/** Groups, scenes, schedules, smart links and alarms: they act or notify when a user triggers them, on schedule, or on device reports. */
export function automation(
  deps: Deps,
  control: ControlPort,
  {
    readSlowestMainMeter,
    readSources,
    ...measures
  }: Omit<EnginePorts, 'runs'> & Pick<AutomationPorts, 'readSlowestMainMeter' | 'readSources'>,
  tryPorts: TryPorts,
) {
  const runs = createRuns(deps, control, measures.notify)
  const engine = createEngine(deps, { runs, ...measures }, sunOf)
  const { notify } = measures
  const ports: AutomationPorts = {
    replan: engine.replan,
    runs,
    readSlowestMainMeter,
    readSources,
    notify,
  }
  const recheck = recheckRules(ports)
  const feature = {
    handlers: {
      group: groupHandlers({ recheck }),
      scene: sceneHandlers({ recheck }),
      automation: automationHandlers(ports),
      automations: automationCallHandlers({ ...ports, trying: tryPorts }, recheck),
      runs: runCallHandlers(runs),
    },
    jobs: [
      runs.sweeping,
      ...engine.jobs,
      endPauses(deps, ports),
      createRetentionJob('runs', deps, expiringRuns(deps, deps.config.retentionDays.runs ?? 0)),
    ],
    async recover() {
      await runs.sweeping.run()
      await engine.recover()
    },
    close: () => closeAll([engine.close, runs.close]),
  } satisfies Feature
  return {
    ...feature,
    guardRuns: {
      plan: (tx: Db, { action, ...run }: GuardRun) =>
        runs.plan(tx, {
          ...run,
          sceneId: null,
          by: null,
          edgeNo: null,
          plannedAt: null,
          depth: 0,
          actions: action === null ? [] : [Action.parse(action)],
          order: 'together',
          catchUpUntil: deps.clock.now() + MIN_HUB_WAIT_MS,
          conditions: [],
        }),
      begin: runs.begin,
    },
    runTarget: runTarget(deps, runs),
    transferOwnership: transferOwnership(ports),
    recheck,
    onDevicesRemoved: onDevicesRemoved(recheck),
    onFieldsChanged: onFieldsChanged(recheck),
    followBookings: engine.followBookings,
    onModbusTableChanged: onModbusTableChanged(recheck),
  }
}
