import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createIsGranted } from '../../domain/identity/grant.ts'
import {
  createRetentionJob,
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  deleteOlderThan,
} from '../../store/retention.ts'
import { serveOtaFiles } from './address.ts'
import { otaHandlers } from './calls.ts'
import { createLibrary } from './library.ts'
import { createOta } from './ota.ts'
import { sql } from '../../kernel/db.ts'

/** Retention of firmware updates, from the end of their job. */
export const expiringUpdates = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] =>
  deleteOlderThan(options, days, {
    ota_updates: (before) => sql`
      delete from ota_updates where request_id in (
        select u.request_id from ota_jobs j join ota_updates u on u.tenant = j.tenant and u.ota_job_id = j.ota_job_id
        where j.ended_at <= ${before}::bigint limit ${BATCH}::int) returning 1 as one`,
    // Deleted after their updates, of which a job may have thousands.
    ota_jobs: (before) => sql`
      delete from ota_jobs where (tenant, ota_job_id) in (
        select j.tenant, j.ota_job_id from ota_jobs j where j.ended_at <= ${before}::bigint and not exists (
          select from ota_updates u where u.tenant = j.tenant and u.ota_job_id = j.ota_job_id)
        limit ${BATCH}::int) returning 1 as one`,
  })

/** Firmware: a company's files, and the updates of its hubs and devices. */
export function ota(deps: Deps) {
  const { config, identity, keyFor } = deps
  const library = createLibrary({ ...deps, key: keyFor('firmware'), isGranted: createIsGranted(identity) })
  const updates = createOta({
    hasOthers: () => deps.gateways.others().length > 0,
    ...deps,
    library,
    publicUrl: config.publicUrl,
    https: config.https !== undefined,
  })
  return {
    handlers: { ota: otaHandlers(updates, library) },
    topics: { otaRequest: updates.receive, otaReport: updates.receive },
    registerRoutes: (app) => serveOtaFiles(app, library),
    jobs: [
      createRetentionJob('firmware updates', deps, expiringUpdates(deps, config.retentionDays.ota ?? 0)),
    ],
    recover: updates.recover,
    async close() {
      await updates.close()
      library.close()
    },
  } satisfies Feature
}
