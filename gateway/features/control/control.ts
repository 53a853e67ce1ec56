import type { Command } from '../../../contract/devices/command-calls.ts'
import type { Client } from '../../broker/port.ts'
import { acceptCommand } from './accept.ts'
import type { RemoteExecution, RemoteCommand, HubReach, RunTarget } from './ports.ts'
import { reachOfHubs } from './hub-reach.ts'
import { confirmBy, handleControlRequest } from './handle-request.ts'
import type { ControlRequest } from './command.ts'
import { executeForPeer, failOverdue, recoverRun } from './send.ts'
import { type ControlOptions, createControlState } from './state.ts'
import { type AskedOfDevice, storeCommands } from './store-commands.ts'
import type { Db } from '../../store/db.ts'

export type Control = ReturnType<typeof createControl>

/**
 * Sends commands to devices and follows each to its end (protocol, Topics): accepted, sent to the hub, acknowledged by
 * the hub, and confirmed by the device's next report, or failed, or timed out. Every state is stored, then announced as
 * `commandChanged`.
 */
export function createControl(options: ControlOptions, runTarget: RunTarget = async () => {}) {
  const state = createControlState(options)
  const off = options.events.on('statusChanged', (changed) => confirmBy(state, changed))
  return {
    request: (asked: ControlRequest): Promise<Command> => acceptCommand(state, asked),
    /** Stores commands in the transaction that decides them; they are sent once it has committed. */
    store: (tx: Db, asked: readonly AskedOfDevice[]) => storeCommands(state, tx, asked),
    receive: (message: { topic: string; payload: Uint8Array; client: Client }) =>
      handleControlRequest(state, message, runTarget),
    list: state.store.list,
    /** Carries a command out that another gateway asks for. */
    carry: (asked: RemoteCommand): Promise<RemoteExecution> => executeForPeer(state, asked),
    /** Whether commands reach some hubs now, by ThingName. */
    reachOfHubs: (thingNames: readonly string[]): Promise<ReadonlyMap<string, HubReach>> =>
      reachOfHubs(options.db, state, thingNames),
    endOverdue: () => failOverdue(state),
    /** Follows the commands of a run that another gateway has sent. */
    recoverRun: (tenant: string, runId: string) => recoverRun(state, tenant, runId),

    /** Stops following; what is under way stays open in the database, where whoever finds it overdue ends it. */
    async close(): Promise<void> {
      off()
      state.unacknowledged.close()
      const tracks = [...state.open.values()].flatMap((set) => [...set])
      for (const track of tracks) track.stop()
      await Promise.all(tracks.map((track) => track.stored()))
      state.open.clear()
    },
  }
}
