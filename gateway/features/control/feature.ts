import type { Deps, Feature } from '../../deps.ts'
import { expiry } from '../../store/expiry.ts'
import { commandHandlers } from './commands.ts'
import { createControl } from './control.ts'
import { expiringCommands } from './expiring.ts'
import type { RunTarget } from './ports.ts'

/** Commands to devices. */
export function control(deps: Deps, { runTarget }: { runTarget: RunTarget }) {
  const following = createControl(deps, runTarget)
  const feature = {
    handlers: { commands: commandHandlers(following) },
    topics: { controlRequest: following.receive, controlAck: following.receive },
    jobs: [expiry('commands', deps, expiringCommands(deps, deps.config.keepDays.commands))],
    recover: following.recover,
    close: following.close,
  } satisfies Feature
  return {
    ...feature,
    sendCommand: following.request,
    storeCommands: following.store,
    recoverRun: following.recoverRun,
  }
}
