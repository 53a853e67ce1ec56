import type { Deps, Feature } from '../../deps.ts'
import { expiry } from '../../store/expiry.ts'
import type { Tell } from '../../lib/notices.ts'
import { tellAlarms } from '../../lib/tell-alarms.ts'
import { sql } from '../../store/db.ts'
import { alarmHandlers } from './calls.ts'
import { endMaintenance } from './end-maintenance.ts'
import { expiringAlarms } from './expiring.ts'
import { maintenanceHandlers } from './maintenance.ts'
import { noteStanding } from './note-standing.ts'

/** What needs somebody and who has seen to it, and what is not watched because somebody works on it. */
export const alarms = (deps: Deps, _ports: { tell: Tell }) =>
  ({
    handlers: { alarms: alarmHandlers, maintenances: maintenanceHandlers },
    jobs: [
      endMaintenance(deps),
      expiry('alarms', deps, expiringAlarms(deps, deps.config.keepDays.alarms ?? 0)),
    ],
    /** What stood before alarms were stored, or before this version knew that it is one. */
    async recover() {
      tellAlarms(deps.events, await noteStanding(deps.db, sql`true`, deps.clock.now()))
    },
  }) satisfies Feature
