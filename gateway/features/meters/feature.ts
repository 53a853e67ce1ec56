import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { DRAFT_LIFETIME_HOURS } from '../../../contract/meters/import-calls.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { importProfileHandlers } from './import-profiles.ts'
import { meterCorrectionHandlers } from './meter-corrections.ts'
import { meterFactHandlers } from './meter-facts.ts'
import { meterImportHandlers } from './meter-import.ts'
import { placeFactHandlers } from './place-facts.ts'
import type { ImportPorts } from './ports.ts'

const HOUR = 3_600_000

/** Data that users enter for meters: facts, corrections, imports and their profiles, and decisions on quarantined readings. */
export const meters = ({ db, clock }: Deps, ports: ImportPorts) =>
  ({
    handlers: {
      importProfiles: importProfileHandlers,
      meterCorrections: meterCorrectionHandlers(ports),
      meterFacts: meterFactHandlers(ports),
      meterImports: meterImportHandlers(ports),
      placeFacts: placeFactHandlers,
    },
    jobs: [{ name: 'old drafts of imports', intervalMs: HOUR, run: () => deleteOldDrafts(db, clock.now()) }],
  }) satisfies Feature

/** Deletes expired drafts of imports, one at a time: each may have half a million rows. */
export async function deleteOldDrafts(db: Db, now: number): Promise<void> {
  const ended = () =>
    db.query(sql`delete from meter_imports where state = 'draft' and meter_import_id = (
      select meter_import_id from meter_imports
      where state = 'draft' and created_at <= ${now - DRAFT_LIFETIME_HOURS * HOUR}::bigint
      order by created_at limit 1) returning 1 as one`)
  while ((await ended()).length > 0);
}
