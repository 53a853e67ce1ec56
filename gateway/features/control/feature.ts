import type { Deps, Feature } from '../../kernel/deps.ts'
import { createRetentionJob, createPartitionsAhead } from '../../store/retention.ts'
import { commandHandlers } from './commands.ts'
import { createControl } from './control.ts'
import { COMMANDS, expiringCommands } from './expiring.ts'
import type { RemoteGateways, RunTarget } from './ports.ts'

/** Commands to devices. */
export function control(deps: Deps, { runTarget }: { runTarget: RunTarget }) {
  const following = createControl(
    { ...deps, isHere: deps.hubs.isHere, me: deps.gateways.id, elsewhere: elsewhereOf(deps) },
    runTarget,
  )
  const months = createPartitionsAhead(deps, COMMANDS)
  const feature = {
    handlers: { commands: commandHandlers(following) },
    topics: { controlRequest: following.receive, controlAck: following.receive },
    jobs: [
      { name: 'commands that are overdue', every: 2_000, run: following.endOverdue },
      months.job,
      createRetentionJob('commands', deps, expiringCommands(deps, deps.config.keepDays.commands)),
    ],
    prepare: months.prepare,
    carry: following.carry,
    close: following.close,
  } satisfies Feature
  return {
    ...feature,
    sendCommand: following.request,
    storeCommands: following.store,
    recoverRun: following.recoverRun,
    reachOfHubs: following.reachOfHubs,
  }
}

/** Longest that another gateway is waited for, in ms. */
const FORWARD_TIMEOUT_MS = 1_000

function elsewhereOf({ bus, gateways, hubs }: Deps): RemoteGateways | undefined {
  if (!bus) return undefined
  return {
    me: gateways.id,
    whereIs: hubs.whereIs,
    wasJustSeen: gateways.wasJustSeen,
    async carry(gateway, carry) {
      const answer = await bus.ask(gateway, { carry }, FORWARD_TIMEOUT_MS)
      return typeof answer === 'string' ? answer : answer.carried
    },
  }
}
