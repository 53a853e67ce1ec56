import { LRUCache } from 'lru-cache'
import { deviceOfMeter, RETURN_SUFFIX } from '../../../../contract/devices/kinds/meter-id.ts'
import type { Events } from '../../../kernel/events.ts'
import type { Clock } from '../../../kernel/ports.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { idArray } from '../../../store/sql.ts'
import { type Device, secondRegisterOf } from './report.ts'

/** Lifetime of an entry in ms, for changes by other gateways of the same database. */
const ENTRY_TTL_MS = 30_000
const CAPACITY = 200_000

interface Entry {
  device: Device | undefined
  expiresAt: number
}

/** Reference to a device of a tenant. */
export interface DeviceReference {
  uid: string
}

interface MissingDevice {
  tenant: string
  uid: string
}

/** Cache of devices by tenant and uid; loads them on demand, invalidates them by change events. */
export function createDirectory({ db, events, clock }: { db: Db; events: Events; clock: Clock }) {
  const entries = new LRUCache<string, Entry>({ max: CAPACITY })
  /** Counts changes: data read before a change may be stale. */
  let generation = 0
  let missing = new Map<string, MissingDevice>()
  let loading: Promise<void> | undefined

  const keyOf = (tenant: string, uid: string) => `${tenant}/${uid}`

  async function load(): Promise<void> {
    // Waits a tick, so that one query reads the devices of many small reports.
    await new Promise((resolve) => setImmediate(resolve))
    loading = undefined
    const requested = missing
    missing = new Map()
    const startGeneration = generation
    const found = await readDevices(db, [...requested.values()])
    if (generation !== startGeneration) {
      for (const [key, device] of requested) missing.set(key, device)
      return (loading ??= load())
    }
    const expiresAt = clock.now() + ENTRY_TTL_MS
    for (const key of requested.keys()) entries.set(key, { device: found.get(key), expiresAt })
  }

  function invalidate(tenant: string, uid?: string) {
    generation += 1
    if (uid !== undefined) entries.delete(keyOf(tenant, uid))
    else for (const key of entries.keys()) if (key.startsWith(`${tenant}/`)) entries.delete(key)
  }

  const unsubscribe = events.on('dataChange', ({ tenant, name, record }) => {
    if (name === 'peripheral.add' || name === 'peripheral.update' || name === 'peripheral.remove')
      invalidate(tenant, record.PeripheralUID)
    else if (name === 'thing.remove' || name === 'home.remove') invalidate(tenant)
  })

  const unsubscribeRemote = events.on('devicesForgotten', ({ tenant, uids }) => {
    if (uids === null) invalidate(tenant)
    else for (const uid of uids) invalidate(tenant, uid)
  })

  /** Cached devices; undefined if some must be read, which are added to `missing`. */
  function findCached(
    tenant: string,
    references: readonly DeviceReference[],
  ): (Device | undefined)[] | undefined {
    const now = clock.now()
    let isComplete = true
    const devices = references.map(({ uid }) => {
      const key = keyOf(tenant, uid)
      const entry = entries.get(key)
      if (entry && entry.expiresAt > now) return entry.device
      isComplete = false
      missing.set(key, { tenant, uid })
      return undefined
    })
    return isComplete ? devices : undefined
  }

  return {
    known: findCached,
    /**
     * The devices of a tenant by their uid, in the order of `references`; undefined for a device that was not added.
     *
     * errors  UNAVAILABLE if they must be read and the database is unavailable
     */
    async lookup(tenant: string, references: readonly DeviceReference[]): Promise<(Device | undefined)[]> {
      for (;;) {
        const devices = findCached(tenant, references)
        if (devices) return devices
        await (loading ??= load())
      }
    },
    /** Invalidates devices that the database contradicted. */
    invalidateDevices(devices: Iterable<Device>): void {
      for (const { tenant, peripheralUID } of devices)
        invalidate(tenant, deviceOfMeter(peripheralUID).PeripheralUID)
    },
    close() {
      unsubscribe()
      unsubscribeRemote()
    },
  }
}

async function readDevices(db: Db, missing: MissingDevice[]): Promise<Map<string, Device>> {
  const rows = await db.query<{
    tenant: string
    uid: string
    type: string
    homeId: string
    thingName: string
    meterId: number | null
    secondId: number | null
    Voltage: number | null
    PhaseElectricPower: 1 | 3 | null
    faulty: string[] | null
  }>(sql`
    select p.tenant, p.peripheral_uid as uid, p.peripheral_type as type, p.home_id as "homeId",
      p.thing_name as "thingName", m.meter_id as "meterId", r.meter_id as "secondId", p.voltage as "Voltage",
      p.phase_electric_power as "PhaseElectricPower",
      (select array_agg(distinct f.field) from report_faults f
        where f.thing_name = p.thing_name and f.peripheral_uid = p.peripheral_uid and f.ended_at is null) as faulty
    from unnest(${idArray(missing.map((device) => device.tenant))}::uuid[], ${idArray(missing.map((device) => device.uid))}::text[])
      as wanted (tenant, uid)
    join peripherals p on p.tenant = wanted.tenant and p.peripheral_uid = wanted.uid
    left join meters m on m.tenant = p.tenant and m.home_id = p.home_id and m.peripheral_uid = p.peripheral_uid
    left join meters r on r.tenant = p.tenant and r.home_id = p.home_id and r.peripheral_uid = p.peripheral_uid || ${RETURN_SUFFIX}`)
  return new Map(
    rows.map(
      ({ tenant, uid, type, homeId, thingName, meterId, secondId, Voltage, PhaseElectricPower, faulty }) => {
        const device: Device = {
          key: `${tenant}/${uid}`,
          tenant,
          peripheralUID: uid,
          type,
          homeId,
          thingName,
          meterId: meterId ?? undefined,
          ...(Voltage !== null && { line: { Voltage, PhaseElectricPower } }),
          ...(faulty !== null && { faulty: new Set(faulty) }),
        }
        if (secondId !== null) secondRegisterOf(device).meterId = secondId
        return [device.key, device]
      },
    ),
  )
}
