import { findSilentDevices } from '../../gateway/features/alarms/alarm-lookups.ts'
import { readSeries } from '../../gateway/features/energy/history/history.ts'
import { createHomeEnergy } from '../../gateway/features/energy/calls/home-energy.ts'
import type { InsightPorts } from '../../gateway/features/insight/logic/ports.ts'
import { readBilling, readSavingBills } from '../../gateway/features/tariffs/saving-bills.ts'
import type { Clock } from '../../gateway/kernel/ports.ts'
import type { Db } from '../../gateway/kernel/db.ts'

/** Ports that findings need from other features, over existing days: nothing has to be computed from readings. */
export function findingPorts(db: Db, clock: Clock, changes: Partial<InsightPorts> = {}): InsightPorts {
  const energy = createHomeEnergy({ db, clock })
  return {
    energy,
    readBilling,
    readSavingBills: (tenant, home) => readSavingBills({ db, clock, energy }, tenant, home),
    readSeries,
    readSilentDevices: findSilentDevices,
    ...changes,
  }
}
