import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { deleteOldDrafts } from './import-drafts.ts'
import { meterCorrectionHandlers } from './meter-corrections.ts'
import { meterFactHandlers } from './meter-facts.ts'
import { meterImportHandlers } from './meter-import.ts'
import { placeFactHandlers } from './place-facts.ts'
import type { Rollup } from './ports.ts'

const HOUR = 3_600_000

/** Data that users enter for meters: facts, corrections, imports, and decisions on quarantined readings. */
export const meters = ({ db, clock }: Deps, rollup: Rollup) =>
  ({
    handlers: {
      meterCorrections: meterCorrectionHandlers(rollup),
      meterFacts: meterFactHandlers(rollup),
      meterImports: meterImportHandlers(rollup),
      placeFacts: placeFactHandlers,
    },
    jobs: [{ name: 'old drafts of imports', every: HOUR, run: () => deleteOldDrafts(db, clock.now()) }],
  }) satisfies Feature
