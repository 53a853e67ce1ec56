import { Registry } from 'prom-client'
import { controlAck, controlCommand } from '../../contract/devices/channels/control.ts'
import type { Permission } from '../../contract/kernel/permissions.ts'
import { createRuns } from '../../gateway/features/automation/runs/runs.ts'
import { type Control, createControl } from '../../gateway/features/control/control.ts'
import { createEvents, type Events, type GatewayEvents } from '../../gateway/kernel/events.ts'
import type { NotificationEvent } from '../../gateway/domain/notifications/notification-transport.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { type Building, encode } from './building.ts'
import type { HeldClock } from './clock.ts'
import { FakeBroker } from './fake-broker.ts'
import { createLogBook } from './log-book.ts'

/** Command sent to a hub, oldest first. */
export interface SentCommand {
  RequestID: string
  PeripheralUID: string
  Values: Record<string, unknown>
}

/** Reaction of the hub to a command: executes it, rejects it, or does not respond. */
export type Manner = 'obey' | 'refuse' | 'silent'

/** Run execution of one gateway. */
export interface RunGateway {
  /** Its database; unavailable when the gateway is dead. */
  db: Db
  control: Control
  runs: ReturnType<typeof createRuns>
  events: Events
  /** Notices to people. */
  notices: NotificationEvent[]
  runMessages: GatewayEvents['runChanged']['news'][]
  /** Whether its database has failed permanently. */
  isDead(): boolean
  death: Promise<void>
  close(): Promise<void>
}

/** Building with one hub, served by any number of gateways on one database. */
export function createRunGateways(db: Db, building: Building, clock: HeldClock) {
  const sentMessages: SentCommand[] = []
  const all: RunGateway[] = []
  let reactionTo: (command: SentCommand) => Manner = () => 'obey'
  let isConnected = true
  /** Statements and answers of hubs that are in progress. */
  let pending = 0
  const track = async <T>(work: () => Promise<T>): Promise<T> => {
    pending += 1
    try {
      return await work()
    } finally {
      pending -= 1
    }
  }

  async function setStatus(uid: string, values: object): Promise<void> {
    await db.query(sql`
      insert into device_status (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
      select tenant, peripheral_uid, home_id, peripheral_type, ${clock.now()}::bigint, ${JSON.stringify(values)}::jsonb,
        ${clock.now()}::bigint from peripherals where tenant = ${building.tenant} and peripheral_uid = ${uid}
      on conflict (tenant, peripheral_uid) do update
        set values = device_status.values || excluded.values, updated_at = excluded.updated_at,
          timestamp = excluded.timestamp`)
  }

  async function receive(command: SentCommand): Promise<void> {
    sentMessages.push(command)
    const how = reactionTo(command)
    if (how === 'silent') return
    if (how === 'obey') await setStatus(command.PeripheralUID, command.Values)
    const receiver = all.find((gateway) => !gateway.isDead())
    const { RequestID, PeripheralUID } = command
    await receiver?.control.receive({
      topic: controlAck.topic({ rootId: building.tenant, homeId: building.homeId }),
      payload: encode({
        ThingName: building.thingName,
        RequestID,
        PeripheralUID,
        Result: how === 'obey' ? 'ok' : 'failed',
      }),
      client: building.hub,
    })
    if (how === 'obey') report(PeripheralUID, command.Values)
  }

  function report(PeripheralUID: string, values: object): void {
    const status = {
      PeripheralUID,
      PeripheralType: '534',
      Timestamp: clock.now(),
      updateAt: clock.now(),
      ...values,
    }
    const { tenant, homeId } = building
    for (const { events } of all)
      events.emit('statusChanged', { tenant, homeId, statuses: [status], uids: [], changedUIDs: [] })
  }

  /** Starts a gateway; from its `failsAfter`-th statement on its database fails and nothing that it sends arrives. */
  function start(options: { failsAfter?: number; permissions?: Permission[] | null } = {}): RunGateway {
    const {
      failsAfter = Infinity,
      permissions = [{ FeatureKey: 'device_control', OperationList: ['Control'] }],
    } = options
    let statements = 0
    let isDead = false
    let resolveDied = () => {}
    const death = new Promise<void>((resolve) => (resolveDied = resolve))
    const guard = <T>(work: () => Promise<T>): Promise<T> => {
      statements += 1
      if (statements >= failsAfter) {
        isDead = true
        resolveDied()
      }
      return isDead ? Promise.reject(new Error('The gateway is dead')) : track(work)
    }
    const guarded = (inner: Db): Db => ({
      ...inner,
      query: (query) => guard(() => inner.query(query)),
      transaction: (work) => guard(() => inner.transaction((tx) => work(guarded(tx)))),
    })
    const ownDb = guarded(db)
    const log = createLogBook()
    const events = createEvents((error) => {
      if (!isDead) throw error
    })
    const broker = new (class extends FakeBroker {
      override async publish(topic: string, payload: unknown): Promise<void> {
        if (isDead) throw new Error('The gateway is dead')
        if (controlCommand.match(topic)) void track(() => receive(payload as SentCommand)).catch(() => {})
      }
    })()
    const control = createControl({
      db: ownDb,
      broker,
      events,
      clock,
      log,
      metrics: new Registry(),
      isHere: () => isConnected,
    })
    const loadActor = async (cognitoId: string) =>
      permissions === null
        ? undefined
        : {
            tenant: building.tenant,
            cognitoId,
            email: '',
            name: '',
            isRoot: false,
            permissions,
            sessionId: '',
          }
    const received: RunGateway['notices'] = []
    const runs = createRuns(
      { db: ownDb, clock, events, log, identity: { loadActor } as never },
      {
        sendCommand: control.request,
        storeCommands: control.store,
        recoverRun: control.recoverRun,
        readHubReach: control.readHubReach,
      },
      async (_, notices) => void received.push(...notices),
    )
    const runMessages: RunGateway['runMessages'] = []
    events.on('runChanged', (notices) => void runMessages.push(notices.news))
    const gateway: RunGateway = {
      db: ownDb,
      control,
      runs,
      events,
      runMessages,
      notices: received,
      isDead: () => isDead,
      death,
      async close() {
        await runs.close()
        await control.close()
      },
    }
    all.push(gateway)
    return gateway
  }

  return {
    sent: sentMessages,
    /** Whether a gateway or the hub works: the clock must not overtake it. */
    isWorking: () => pending > 0,
    start,
    setStatus,
    report,
    hub: (how: Manner | ((command: SentCommand) => Manner)) =>
      void (reactionTo = typeof how === 'function' ? how : () => how),
    /** Whether the hub is connected; its row is updated later, as after the end of a gateway. */
    connect: (is: boolean) => void (isConnected = is),
    close: () => Promise.all(all.map((gateway) => gateway.close())),
  }
}
