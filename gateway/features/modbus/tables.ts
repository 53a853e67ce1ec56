import { z } from 'zod'
import { modbusRequest, modbusTableOf } from '../../../contract/devices/channels/settings.ts'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import { DEFAULT_UPDATE_FREQUENCY } from '../../../contract/devices/peripheral.ts'
import { ModbusTable } from '../../../contract/devices/modbus/modbus-table.ts'
import type { Broker, ReceivedMessage } from '../../kernel/broker.ts'
import type { DataChangeEvent, Events } from '../../kernel/events.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import { parseBytes } from '../../lib/parse-bytes.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'

/** Maximum number of devices per batch, and per second after it: each message contains a whole table. */
export const MAX_DEVICES_PER_BATCH = 50
const DEVICES_PER_SECOND = 50
/** Delay before the next batch, and after a failure, ms. */
const BATCH_DELAY_MS = 200
const RETRY_DELAY_MS = 5_000

/**
 * Rate-limits notifications about a company's devices, as a table may be used by thousands. A queued device is notified once, with its
 * state at that time; failures are retried.
 *
 * publish  notifies about these devices
 */
export function createTableNotifier(
  { clock, log }: { clock: Clock; log: Pick<Log, 'warn'> },
  publish: (tenant: string, uids: readonly string[]) => Promise<void>,
) {
  const pending = new Map<string, Set<string>>()
  let budget = MAX_DEVICES_PER_BATCH
  let countedAt = clock.now()
  let isPublishing = false
  let isClosed = false
  let cancel: (() => void) | undefined

  function enqueue(tenant: string, uids: Iterable<string>): void {
    const queue = pending.get(tenant) ?? new Set()
    for (const uid of uids) queue.add(uid)
    if (queue.size > 0) pending.set(tenant, queue)
    void publishPending()
  }

  function scheduleIn(ms: number): void {
    cancel = clock.after(ms, () => {
      cancel = undefined
      void publishPending()
    })
  }

  /** Sends the next batches; never rejects. */
  async function publishPending(): Promise<void> {
    if (isPublishing || cancel || isClosed) return
    isPublishing = true
    for (const [tenant, queue] of pending) {
      const uids = [...queue].slice(0, refillBudget())
      if (uids.length === 0) {
        scheduleIn(BATCH_DELAY_MS)
        break
      }
      // A company with more devices goes to the end of the queue.
      pending.delete(tenant)
      for (const uid of uids) queue.delete(uid)
      if (queue.size > 0) pending.set(tenant, queue)
      budget -= uids.length
      try {
        await publish(tenant, uids)
      } catch (err) {
        if (isClosed) return
        log.warn({ err, tenant, devices: uids.length }, 'Modbus tables not published to hubs, will retry')
        scheduleIn(RETRY_DELAY_MS)
        enqueue(tenant, uids)
        break
      }
      if (isClosed) return
    }
    isPublishing = false
  }

  function refillBudget(): number {
    const now = clock.now()
    // No time has passed if the clock was set back.
    const elapsedMs = Math.max(0, now - countedAt)
    budget = Math.min(MAX_DEVICES_PER_BATCH, budget + (elapsedMs * DEVICES_PER_SECOND) / 1000)
    countedAt = now
    return Math.floor(budget)
  }

  return {
    ask: enqueue,
    /** Stops the queue; hubs request their tables when they next connect. */
    close(): void {
      isClosed = true
      cancel?.()
    },
  }
}

/** Modbus table of one device, and the hub to notify. */
interface Assignment {
  homeId: string
  thingName: string
  PeripheralUID: string
  PowerMeterUpdateFrequency: number
  ModbusTable: ModbusTable | null
}

interface ModbusTablesOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  clock: Clock
  log: Log
}

/** Extracts the table from a joined row; stored rows were validated when written. */
const TABLE = z.object({ ...ModbusTable.shape, Rows: z.custom<ModbusTable['Rows']>() })

const isModbus = (type: string) => capabilityOf(type, 'modbus') !== undefined

/**
 * Sends hubs the Modbus tables of their devices: on request, and after a change of a table, its assignment or a device's frequency, at
 * a limited rate. A hub that missed a change requests the tables when it reconnects.
 */
export function createModbusTables({ db, broker, events, clock, log }: ModbusTablesOptions) {
  async function publishAssignment(
    tenant: string,
    { homeId, thingName, ...rest }: Assignment,
  ): Promise<void> {
    const payload: z.input<typeof modbusTableOf.payload> = rest
    await broker.publish(modbusTableOf.topic({ rootId: tenant, homeId, thingName }), payload, { qos: 1 })
  }

  const notifier = createTableNotifier({ clock, log }, async (tenant, uids) => {
    const found = await readAssignments(db, tenant, sql`d.peripheral_uid = any(${uids as string[]})`)
    for (const assignment of found) await publishAssignment(tenant, assignment)
  })

  /** Notifies hubs after a data change. A hub that missed it asks again at the next connection, so a failure is only logged. */
  async function onDataChange({ tenant, name, record }: DataChangeEvent): Promise<void> {
    try {
      if (name === 'modbusTable.update')
        notifier.ask(tenant, await readDevices(db, tenant, record.ModbusTableID))
      else if (name === 'peripheral.add' || name === 'peripheral.update') {
        if (isModbus(record.PeripheralType)) notifier.ask(tenant, [record.PeripheralUID])
      } else if (name === 'discovery.add' && isModbus(record.PeripheralType))
        // Announced, or removed by a user: not polled until it is added.
        await publishAssignment(tenant, unassigned(record.HomeID, record.ThingName, record.PeripheralUID))
    } catch (err) {
      log.warn({ err, tenant, change: name }, 'Modbus tables not published to hub')
    }
  }
  const unsubscribe = events.on('dataChange', onDataChange)

  return {
    /**
     * Answers a hub's `modbus/request` for each device in it; one that is not the hub's has no table.
     *
     * errors  UNAVAILABLE while the database is unavailable: the hub's message is buffered
     */
    async receive({ payload, client }: Pick<ReceivedMessage, 'payload' | 'client'>): Promise<void> {
      const request = modbusRequest.payload.safeParse(parseBytes(payload))
      if (!request.success || client.party !== 'hub') return
      const { tenant, homeId, thingName } = client
      const found = await readAssignments(
        db,
        tenant,
        sql`d.thing_name = ${thingName} and d.home_id = ${homeId}`,
      )
      const known = new Map(found.map((one) => [one.PeripheralUID, one]))
      for (const uid of new Set(request.data.Peripherals))
        await publishAssignment(tenant, known.get(uid) ?? unassigned(homeId, thingName, uid))
    },
    close(): void {
      unsubscribe()
      notifier.close()
    },
  }
}

const unassigned = (homeId: string, thingName: string, PeripheralUID: string): Assignment => ({
  homeId,
  thingName,
  PeripheralUID,
  PowerMeterUpdateFrequency: DEFAULT_UPDATE_FREQUENCY,
  ModbusTable: null,
})

async function readDevices(db: Db, tenant: string, tableId: string): Promise<string[]> {
  const rows = await db.query<{ uid: string }>(sql`select peripheral_uid as uid from peripherals
    where tenant = ${tenant} and modbus_table_id = ${tableId} order by peripheral_uid`)
  return rows.map(({ uid }) => uid)
}

/** Modbus devices with their tables; `condition` restricts peripherals aliased d. */
async function readAssignments(db: Db, tenant: string, condition: Sql): Promise<Assignment[]> {
  const rows = await db.query<Omit<Assignment, 'ModbusTable'> & { type: string } & Partial<ModbusTable>>(sql`
    select d.home_id as "homeId", d.thing_name as "thingName", d.peripheral_type as type,
      d.peripheral_uid as "PeripheralUID", d.power_meter_update_frequency as "PowerMeterUpdateFrequency",
      ${columnsOf(ModbusTable, 'm')}
    from peripherals d left join modbus_tables m on m.tenant = d.tenant and m.modbus_table_id = d.modbus_table_id
    where d.tenant = ${tenant} and ${condition} order by d.peripheral_uid`)
  return rows
    .filter(({ type }) => isModbus(type))
    .map(({ homeId, thingName, PeripheralUID, PowerMeterUpdateFrequency, ...table }) => ({
      homeId,
      thingName,
      PeripheralUID,
      PowerMeterUpdateFrequency,
      ModbusTable: table.ModbusTableID ? TABLE.parse(table) : null,
    }))
}
