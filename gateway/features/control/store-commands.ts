import type { Command } from '../../../contract/devices/command-calls.ts'
import type { Db } from '../../store/db.ts'
import { commandStatements, keyOf, type NewCommand, type Target } from './command-statements.ts'
import { type ControlRequest, expiresIn } from './command.ts'
import { newCommand, failCommand, normalizeCommandValues } from './normalize-values.ts'
import { send } from './send.ts'
import { type ControlState, publishResponse } from './state.ts'

/** A command whose device was looked up by who asks for it; undefined for a device that does not exist in this home. */
export type AskedOfDevice = ControlRequest & { target: Target | undefined }

/** A command that was stored and is not sent yet. */
export interface StoredCommand {
  command: Command
  /** Tells and sends it, once the transaction has committed; resolves when it is handed over to the broker. */
  send(): Promise<void>
}

/**
 * Stores new commands of one company in the transaction that decides them. One that is never sent, because the gateway ends before
 * that, times out as one that nobody has answered.
 *
 * asked    no two with one RequestID and device
 * returns  them in that order
 * errors   UNAVAILABLE when the database is away
 */
export async function storeCommands(
  state: ControlState,
  tx: Db,
  asked: readonly AskedOfDevice[],
): Promise<StoredCommand[]> {
  const now = state.clock.now()
  const commands = asked.map((each) => newCommand(each, now))
  const items: NewCommand[] = []
  for (const [i, { target, ...each }] of asked.entries()) {
    const command = commands[i] as Command
    if (!target) {
      // Nothing to list it under, so it is told and not stored.
      failCommand(command, 'notFound')
      continue
    }
    normalizeCommandValues(command, target, each, now)
    const step = { State: command.State, Reason: command.Reason, Timestamp: now }
    const { thingName, gateway } = target
    const tracked = { tenant: each.tenant, command, thingName, gateway, expiresIn: expiresIn(each, now) }
    items.push({ tracked, history: [step] })
  }
  const isNew = items.length > 0 ? await commandStatements(tx).insert(items) : []
  const stored = new Map(items.filter((_, i) => isNew[i]).map((item) => [keyOf(item), item.tracked]))
  const sendOne = async (command: Command, tenant: string) => {
    publishResponse(state, tenant, command, now)
    const tracked = stored.get(`${command.RequestID}/${command.PeripheralUID}`)
    if (command.State === 'failed') {
      if (tracked) state.settled.inc({ state: 'failed', reason: command.Reason ?? '' })
    } else if (tracked) await send(state, tracked)
  }
  return commands.map((command, i) => ({ command, send: () => sendOne(command, asked[i]?.tenant ?? '') }))
}
