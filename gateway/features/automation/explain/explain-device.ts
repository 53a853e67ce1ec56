import { deviceType } from '../../../../contract/devices/kinds/registry.ts'
import { readPath } from '../../../../contract/devices/kinds/history-fields.ts'
import { zone } from '../../../../contract/devices/capabilities/thermostat.ts'
import type { Cause, runs } from '../../../../contract/automation/run-calls.ts'
import type { Handler, SignedIn } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { readableRuns, readRuns } from '../runs/list-runs.ts'
import { causesOf, type FieldChange, type GivenCommand } from '../runs/causes.ts'
import { nextActs } from './upcoming-actions.ts'
import { listHeldRules, listNearMisses } from './why-not.ts'

/** Maximum number of causes in the answer. */
const TOLD = 10
/** Maximum number of commands and changes that are read. */
const LOOKED_AT = 100

/** Explains a device's state: what set it, what sets it next, and which automations did not act. */
export const explainDevice: Handler<typeof runs.explainDevice> = async (
  { HomeID, PeripheralUID },
  context,
) => {
  const { db, actor, clock } = context
  const now = clock.now()
  const [device] = await db.query<{ type: string; roomId: number }>(sql`
    select peripheral_type as type, room_id as "roomId" from peripherals
    where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = ${PeripheralUID}`)
  if (!device) throw new GatewayError('NOT_FOUND', `Device ${PeripheralUID} does not exist`)
  const one = { tenant: actor.tenant, homeId: HomeID, uid: PeripheralUID, ...device }
  return {
    Causes: await readCauses(one, context, now),
    Next: await nextActs(db, actor, one, now),
    Held: await listHeldRules(db, actor, one, now),
    Nearly: await listNearMisses(db, actor, one, now),
  }
}

interface Device {
  tenant: string
  uid: string
  type: string
}

async function readCauses(device: Device, { db, actor }: SignedIn, now: number): Promise<Cause[]> {
  const commands = await readCommands(db, device)
  // Changes older than the oldest command read cannot be attributed.
  const since = commands.length === LOOKED_AT ? (commands.at(-1)?.requestedAt ?? 0) : 0
  const changes = await readChanges(db, device, since)
  const causes = causesOf(commands, changes, now).slice(0, TOLD)
  const ids = causes.flatMap(({ runId }) => runId ?? [])
  const found =
    ids.length === 0
      ? []
      : await readRuns(db, device.tenant, {
          tail: sql`${readableRuns(actor)} and r.run_id = any(${ids}::text[])`,
          now,
        })
  const byId = new Map(found.map((run) => [run.RunID, run]))
  return causes.map(({ runId, ...cause }) => ({ ...cause, Run: (runId && byId.get(runId)) || null }))
}

const readCommands = (db: Db, { tenant, uid }: Device): Promise<GivenCommand[]> =>
  db.query<GivenCommand>(sql`
    select values, state, by_name as by, run_id as "runId", requested_at as "requestedAt", settled_at as "settledAt"
    from commands where tenant = ${tenant} and peripheral_uid = ${uid} order by requested_at desc limit ${LOOKED_AT}::int`)

/** Latest changes of fields that a command can set. First values are excluded: the value before them is unknown. */
async function readChanges(db: Db, { tenant, uid, type }: Device, since: number): Promise<FieldChange[]> {
  const fields = settable(type)
  if (fields.size === 0) return []
  const rows = await db.query<FieldChange>(sql`
    select timestamp, field, value from device_events
    where tenant = ${tenant} and peripheral_uid = ${uid} and before is not null and timestamp >= ${since}::bigint
      and split_part(field, '.', 1) = any(${[...fields]}::text[])
    order by timestamp desc, seq desc limit ${LOOKED_AT}::int`)
  return rows.filter(({ field }) => {
    const path = readPath(field)
    return path.zone === undefined || path.field in zone.command
  })
}

/** Status fields that a command to a device of a type can set. */
const settable = (type: string): Set<string> =>
  new Set((deviceType(type)?.capabilities ?? []).flatMap(({ command }) => Object.keys(command)))
