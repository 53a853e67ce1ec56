import { z } from 'zod'
import { topics } from '../channels/table.ts'
import { defineChannel } from '../kernel/define-channel.ts'
import { AutomationID, Millis, RunID, SceneID } from '../kernel/scalars.ts'
import { CommandFailure } from '../devices/command-calls.ts'
import { RunState, SkipReason } from './run-states.ts'

export const automationRun = defineChannel(
  topics.automationRun,
  z.object({
    RunID,
    AutomationID: AutomationID.nullable(),
    SceneID: SceneID.nullable(),
    State: RunState,
    /** Reason of a refused or skipped run; null otherwise. */
    Reason: z.enum([...CommandFailure.options, ...SkipReason.options]).nullable(),
    /** Number of actions that were confirmed, that failed or ended unconfirmed, and that are pending. */
    Actions: z.object({ confirmed: z.number().int(), failed: z.number().int(), open: z.number().int() }),
    Timestamp: Millis,
  }),
)
export type RunMessage = z.infer<typeof automationRun.payload>
