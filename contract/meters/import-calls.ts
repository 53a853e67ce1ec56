import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis } from '../kernel/scalars.ts'
import { IMPORT_FAULTS, IMPORT_KINDS, MAX_IMPORT_QUARTERS } from './meter-import.ts'

/** Maximum number of rows in one call, and in a whole import. */
export const MAX_IMPORT_BATCH = 10_000
export const MAX_IMPORT_ROWS = 500_000
/** Maximum number of rows that a check lists. */
export const MAX_NAMED_ROWS = 1_000
/** Lifetime of a draft in hours, and maximum number of drafts in a company; the oldest are deleted. */
export const DRAFT_LIFETIME_HOURS = 24
export const MAX_DRAFTS = 20

export const MeterImportID = z.uuid()

/** Import of past energy, as recorded in the journal. */
export const MeterImport = z.object({
  MeterImportID,
  HomeID,
  FileName: z.string().trim().min(1, 'required').max(255, 'tooLong'),
  Kind: z.enum(IMPORT_KINDS),
  /** A draft is incomplete and has no effect yet. */
  State: z.enum(['draft', 'done', 'undone']),
  /** Number of submitted rows, and of new rows that count. */
  Rows: z.number().int(),
  Added: z.number().int(),
  Meters: z.number().int(),
  /** First and last timestamp of the added rows. */
  FirstTimestamp: Millis.nullable(),
  LastTimestamp: Millis.nullable(),
  CreatedAt: Millis,
  By: z.string(),
  CommittedAt: Millis.nullable(),
  UndoneAt: Millis.nullable(),
  UndoneBy: z.string().nullable(),
})
export type MeterImport = z.infer<typeof MeterImport>

const Key = z.object({ HomeID, MeterImportID })
const portion = <T extends z.ZodType>(of: T) => z.array(of).max(MAX_IMPORT_BATCH, 'tooManyRows')

/**
 * Batch of rows in columns of equal length.
 *
 * Row       any number that identifies the row within the import; the same number is the same row
 * Meter     index of its meter in Meters
 * Timestamp time of the counter reading, or beginning of the interval
 * Quarters  length of the interval in quarter-hours; 1 for a counter
 * Value     kWh
 */
export const ImportRows = z
  .object({
    Row: portion(z.number().int().min(0).max(2_147_483_647)),
    Meter: portion(z.number().int().min(0)),
    Timestamp: portion(Millis),
    Quarters: portion(z.number().int().min(1).max(MAX_IMPORT_QUARTERS)),
    Value: portion(z.number().min(-1e15).max(1e15)),
  })
  .refine((rows) => new Set(Object.values(rows).map(({ length }) => length)).size === 1, 'invalid')

export const FaultyRow = z.object({ Row: z.number().int(), Fault: z.enum(IMPORT_FAULTS) })
/** Row that differs from the stored value, which is kept; Stored is null if readings cover the same time. */
export const ConflictingRow = z.object({
  Row: z.number().int(),
  PeripheralUID: MeterID,
  Timestamp: Millis,
  Value: z.number(),
  Stored: z.number().nullable(),
})

/** Month of a meter that would become implausibly large: kWh after the import, and the plausibility limit. */
export const ImplausibleMonth = z.object({
  PeripheralUID: MeterID,
  Timestamp: Millis,
  kWh: z.number(),
  Limit: z.number(),
})

/** Effect that an import would have. */
export const MeterImportCheck = z.object({
  New: z.number().int(),
  /** Already stored, or submitted twice. */
  Same: z.number().int(),
  Conflicting: z.number().int(),
  Faulty: z.number().int(),
  Conflicts: z.array(ConflictingRow),
  Faults: z.array(FaultyRow),
  /** Energy of the affected meters by local month, before and after; null: unknown. */
  Months: z.array(
    z.object({ Timestamp: Millis, Before: z.number().nullable(), After: z.number().nullable() }),
  ),
  /** Months with more than five times the meter's previous energy, or above the limit of any meter; at most 1,000. */
  Implausible: z.array(ImplausibleMonth),
})
export type MeterImportCheck = z.infer<typeof MeterImportCheck>

const change = right('electricity', 'Update')

export const meterImports = {
  listMeterImport: defineEndpoint({
    path: '/ListMeterImport',
    summary: 'Imports of past energy of a home, newest first; excludes drafts. At most 200.',
    access: right('electricity', 'Read'),
    input: z.object({ HomeID }),
    results: z.array(MeterImport),
    errors: ['NOT_FOUND'],
    shows: ['metering'],
  }),
  createMeterImport: defineEndpoint({
    path: '/CreateMeterImport',
    summary:
      'Begins an import of past energy as a draft. Drafts expire after a day; a company keeps the newest 20, and a new one deletes the oldest.',
    access: change,
    mutates: true,
    input: MeterImport.pick({ HomeID: true, FileName: true, Kind: true }),
    results: MeterImport,
    errors: ['NOT_FOUND'],
    changes: [],
    why: 'A draft is not counted and is in no list.',
  }),
  addMeterImportRows: defineEndpoint({
    path: '/AddMeterImportRows',
    summary: 'Adds up to 10,000 rows to a draft, at most 500,000 in all. Drafts are not counted.',
    access: change,
    mutates: true,
    input: Key.extend({ Meters: z.array(MeterID).min(1).max(1_000), Rows: ImportRows }),
    results: z.object({ Rows: z.number().int() }),
    errors: ['NOT_FOUND', 'CONFLICT', 'LIMIT_EXCEEDED'],
    changes: [],
    why: 'A draft is not counted and is in no list.',
  }),
  checkMeterImport: defineEndpoint({
    path: '/CheckMeterImport',
    summary:
      'Preview of a draft: numbers of new, identical, conflicting and invalid rows, and the months before and after.',
    access: change,
    input: Key,
    results: MeterImportCheck,
    errors: ['NOT_FOUND', 'CONFLICT'],
    shows: ['metering', 'peripheral'],
    freshFor: 0,
  }),
  commitMeterImport: defineEndpoint({
    path: '/CommitMeterImport',
    summary:
      'Commits the new rows of a draft. Stored rows remain; invalid rows are skipped. Rejected (implausible) without Sure if the last check found implausible months.',
    access: change,
    mutates: true,
    input: Key.extend({ Sure: z.boolean().default(false) }),
    results: MeterImport,
    errors: ['NOT_FOUND', 'CONFLICT'],
    changes: ['metering'],
  }),
  undoMeterImport: defineEndpoint({
    path: '/UndoMeterImport',
    summary: 'Deletes exactly the rows that an import added.',
    access: change,
    mutates: true,
    input: Key,
    results: MeterImport,
    errors: ['NOT_FOUND', 'CONFLICT'],
    changes: ['metering'],
  }),
}
