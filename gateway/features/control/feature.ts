import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import {
  createRetentionJob,
  createFuturePartitions,
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  dropMonthsOlderThan,
  deleteOlderThan,
} from '../../store/retention.ts'
import { createControl, type Control } from './control.ts'
import type { RemoteGateways, RunTarget } from './ports.ts'
import type { commands } from '../../../contract/devices/command-calls.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { sql } from '../../kernel/db.ts'

/** Table of commands, partitioned by request time. */
const COMMANDS = {
  table: 'commands',
  at: 'requested_at',
  key: 'tenant, request_id, peripheral_uid, requested_at',
} as const

/** Retention of request keys in days; a request may be repeated that long. */
const KEEP_KEYS = 32

/** Retention of commands by whole months, and of request keys. */
export const expiringCommands = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] => [
  ...dropMonthsOlderThan(options, days, COMMANDS),
  ...deleteOlderThan(options, KEEP_KEYS, {
    command_keys: (before) => sql`
      delete from command_keys where (tenant, request_id, peripheral_uid) in (
        select tenant, request_id, peripheral_uid from command_keys where requested_at <= ${before}::bigint
        order by requested_at limit ${BATCH}::int) returning 1 as one`,
  }),
]

const commandHandlers = (control: Pick<Control, 'list'>): HandlersOf<typeof commands> => ({
  listCommand: async ({ Limit, ...key }, { db, actor }) => {
    const found = await db.query(sql`select 1 from peripherals where tenant = ${actor.tenant}
      and home_id = ${key.HomeID} and peripheral_uid = ${key.PeripheralUID}`)
    if (!found.length) throw new GatewayError('NOT_FOUND', `Device ${key.PeripheralUID} does not exist`)
    return control.list(actor.tenant, key, Limit)
  },
})

/** Feature of commands to devices. */
export function control(deps: Deps, { runTarget }: { runTarget: RunTarget }) {
  const commandControl = createControl(
    {
      ...deps,
      isHere: deps.hubs.isHere,
      readOwnId: deps.gateways.id,
      remoteGateways: remoteGatewaysOf(deps),
    },
    runTarget,
  )
  const partitions = createFuturePartitions(deps, COMMANDS)
  const feature = {
    handlers: { commands: commandHandlers(commandControl) },
    topics: { controlRequest: commandControl.receive, controlAck: commandControl.receive },
    jobs: [
      { name: 'commands that are overdue', intervalMs: 2_000, run: commandControl.endOverdue },
      partitions.job,
      createRetentionJob('commands', deps, expiringCommands(deps, deps.config.retentionDays.commands)),
    ],
    prepare: partitions.prepare,
    executeCommand: commandControl.executeCommand,
    close: commandControl.close,
  } satisfies Feature
  return {
    ...feature,
    sendCommand: commandControl.request,
    storeCommands: commandControl.store,
    recoverRun: commandControl.recoverRun,
    readHubReach: commandControl.readHubReach,
  }
}

/** Timeout of a request to another gateway, in ms. */
const FORWARD_TIMEOUT_MS = 1_000

function remoteGatewaysOf({ bus, gateways, hubs }: Deps): RemoteGateways | undefined {
  if (!bus) return undefined
  return {
    readOwnId: gateways.id,
    findGateway: hubs.findGateway,
    wasJustSeen: gateways.wasJustSeen,
    async executeAt(gateway, carry) {
      const answer = await bus.request(gateway, { carry }, FORWARD_TIMEOUT_MS)
      return typeof answer === 'string' ? answer : answer.carried
    },
  }
}
