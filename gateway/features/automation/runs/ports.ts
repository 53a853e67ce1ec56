import type { CommandValues } from '../../../../contract/device-kinds/capability.ts'
import type { COMMAND_SOURCES, Command } from '../../../../contract/procedures/commands.ts'

/** What runs need of control. */
export interface ControlPort {
  /** Sends a command at most once per RequestID; answers it as it stands. Errors: UNAVAILABLE. */
  sendCommand(asked: {
    tenant: string
    homeId: string
    RequestID: string
    PeripheralUID: string
    Values: CommandValues
    at: number
    source: (typeof COMMAND_SOURCES)[number]
    by: string | null
    runId: string
  }): Promise<Command>
  /** Follows the commands of a run that another gateway has sent. */
  recoverRun(tenant: string, runId: string): Promise<void>
}
