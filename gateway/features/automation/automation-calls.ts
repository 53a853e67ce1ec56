import type { automations } from '../../../contract/automation/calls.ts'
import { COMMAND_TTL_MS } from '../../../contract/devices/command-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import {
  emitAutomationChange,
  changeEventOf,
  lockAutomation,
  needRightsToEnable,
} from './records/automation.ts'
import type { RecheckRules } from './records/mark-broken.ts'
import { pauseHandlers } from './records/pause.ts'
import { currentProblem } from './rules/problem.ts'
import { replacePeripheral } from './records/replace.ts'
import { changeRecordOf, updateAutomation, automationRowOf, setsDevices } from './rules/stored-rule.ts'
import { checkAutomation, listBlocked } from './check/check-automation.ts'
import { assertRight } from './targets/assert-right.ts'
import type { AutomationPorts } from './records/ports.ts'
import type { TryPorts } from './dry-run/ports.ts'
import { notifyRan } from './runs/notices.ts'
import { tryAutomation } from './dry-run/try-automation.ts'

export const automationCallHandlers = (
  ports: AutomationPorts & { trying: TryPorts },
  recheck: RecheckRules,
): HandlersOf<typeof automations> => ({
  checkAutomation: checkAutomation(ports),
  listBlockedAutomation: listBlocked(ports),
  tryAutomation: tryAutomation(ports.trying),

  runAutomation: async ({ At, ...key }, context) => {
    const { db, actor, clock, random } = context
    const now = clock.now()
    if (At !== undefined && At < now - COMMAND_TTL_MS)
      throw new GatewayError('INVALID', 'This was asked for too long ago', { At: 'tooLate' })
    const rule = await lockAutomation(key, context)
    if (setsDevices(rule)) assertRight(actor, 'device_control', 'Control', rule.HomeID)
    if (rule.Problem && rule.State === 'broken')
      throw new GatewayError('CONFLICT', 'Something that it names is gone', { AutomationID: 'notFound' })
    const runId = random.uuid()
    await ports.runs.plan(db, {
      tenant: actor.tenant,
      homeId: rule.HomeID,
      runId,
      automationId: rule.AutomationID,
      sceneId: null,
      name: rule.AutomationName,
      cause: 'person',
      by: actor.name,
      ownerId: null,
      edgeNo: null,
      plannedAt: null,
      depth: 0,
      actions: rule.Actions,
      order: rule.Order,
      stopOnFailure: rule.StopOnFailure,
      catchUpUntil: null,
      conditions: [],
      restores: null,
    })
    await notifyRan(ports.notify, db, changeRecordOf(actor.tenant, rule), rule.Notify, now)
    context.emit('runPlanned', { tenant: actor.tenant, runId })
    context.change('automation.update', changeEventOf(rule))
    return { RunID: runId, Actions: rule.Actions.length }
  },

  setAutomationEnabled: async ({ Enabled, ...key }, context) => {
    const { db, actor, clock } = context
    const before = await lockAutomation(key, context)
    const after = { ...automationRowOf(before), Enabled, Version: before.Version + 1 }
    needRightsToEnable(before, after, actor)
    if (Enabled) after.Problem = await currentProblem(db, actor.tenant, after, clock.now())
    await updateAutomation(db, actor.tenant, after)
    return emitAutomationChange(before, context, ports.replan)
  },

  takeOverAutomation: async (key, context) => {
    const { db, actor, clock } = context
    const before = await lockAutomation(key, context)
    if (setsDevices(before)) assertRight(actor, 'device_control', 'Control', before.HomeID)
    const after = { ...automationRowOf(before), OwnerID: actor.cognitoId, Version: before.Version + 1 }
    after.Problem = await currentProblem(db, actor.tenant, after, clock.now())
    await updateAutomation(db, actor.tenant, after)
    return emitAutomationChange(before, context, ports.replan)
  },

  ...pauseHandlers(ports),
  replacePeripheral: replacePeripheral({ ...ports, recheck }),
})
