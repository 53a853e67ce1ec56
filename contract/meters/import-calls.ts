import { z } from 'zod'
import { right } from '../kernel/permissions.ts'
import { defineEndpoint } from '../kernel/define-endpoint.ts'
import { HomeID, MeterID, Millis } from '../kernel/scalars.ts'
import { ReadingTrace } from './import-reading.ts'
import { IMPORT_FAULTS, IMPORT_KINDS, MAX_IMPORT_QUARTERS } from './meter-import.ts'

/** Maximum number of rows in one call, and in a whole import. */
export const MAX_IMPORT_BATCH = 10_000
export const MAX_IMPORT_ROWS = 500_000
/** Maximum number of rows that a check lists, and of meters. */
export const MAX_NAMED_ROWS = 1_000
export const MAX_IMPORTED_METERS = 1_000
/** Lifetime of a draft in hours, and maximum number of drafts in a company; the oldest are deleted. */
export const DRAFT_LIFETIME_HOURS = 24
export const MAX_DRAFTS = 20

export const MeterImportID = z.uuid()

/** SHA-256, 64 hex digits in lower case. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'invalid')
/** Name of an imported file. */
export const FileName = z.string().trim().min(1, 'required').max(255, 'tooLong')

/** Import of past energy, as recorded in the journal. */
export const MeterImport = z.object({
  MeterImportID,
  HomeID,
  FileName,
  /** SHA-256 of the file; null for imports made before it was recorded. */
  FileHash: Sha256.nullable(),
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

/** Ratios of imported to stored energy that need no confirmation. */
export const PLAUSIBLE_RATIO = { min: 1 / 1.15, max: 1.15 } as const

/**
 * Energy that an import would add to a meter, so that a user can judge its unit: Wh taken for kWh has a Ratio near 1,000, and kW of a
 * quarter-hour near 4. It is that of the new rows; of a counter, its increases from row to row of the file, or since the stored reading
 * before it if the file has only one row. If no row is new, kWh is 0.
 */
export const ImportedMeter = z.object({
  PeripheralUID: MeterID,
  kWh: z.number(),
  /** Beginning of the first of these rows and end of the last; of the conflicting rows if none is new. */
  From: Millis,
  Through: Millis,
  /** kWh a day from From through Through; 0 if they are equal. */
  PerDay: z.number(),
  /** Mean power over the time of the rows; null without any. */
  MeanKw: z.number().nullable(),
  /** Highest power of a row; of a counter since its previous row or stored reading, whichever is later. Null without any. */
  MaxKw: z.number().nullable(),
  /** Maximum power of the meter on the local day of the last row. */
  LimitKw: z.number(),
  /**
   * Median of imported to stored energy of the days, or of longer rows and stored corrections, in which both are known; null without any.
   * It includes identical and conflicting rows.
   */
  Ratio: z.number().nullable(),
  /** Number of compared days, longer rows and corrections. */
  Overlaps: z.number().int(),
  /**
   * Energy charge of PerDay over 30 days in NT$, used evenly at the present prices of the home; null without prices, and for energy that
   * is not bought: of a return register, or a meter of generation, discharge or export.
   */
  CostPerMonth: z.number().nullable(),
})
export type ImportedMeter = z.infer<typeof ImportedMeter>

/** Row with a mean power above the maximum of its meter on its day; of a counter since its previous row or stored reading. */
export const RowOverLimit = z.object({
  Row: z.number().int(),
  PeripheralUID: MeterID,
  Timestamp: Millis,
  kW: z.number(),
  LimitKw: z.number(),
})
export type RowOverLimit = z.infer<typeof RowOverLimit>

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
  /** Meters with new or conflicting rows, by ID; at most 1,000. */
  Meters: z.array(ImportedMeter),
  /** New rows above the limit of their meter, by Row: at most 1,000 of them, and their number. */
  OverLimit: z.array(RowOverLimit),
  OverLimitCount: z.number().int(),
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
  getMeterImport: defineEndpoint({
    path: '/GetMeterImport',
    summary: 'An import of past energy with the facts by which its file was read.',
    access: right('electricity', 'Read'),
    input: Key,
    results: MeterImport.extend({ Trace: ReadingTrace }),
    errors: ['NOT_FOUND'],
    shows: ['metering'],
  }),
  createMeterImport: defineEndpoint({
    path: '/CreateMeterImport',
    summary:
      'Begins an import of past energy as a draft. Drafts expire after a day; a company keeps the newest 20, and a new one deletes the oldest.',
    access: change,
    mutates: true,
    input: MeterImport.pick({ HomeID: true, FileName: true, Kind: true }).extend({
      FileHash: Sha256.nullable().default(null),
      Trace: ReadingTrace.default([]),
    }),
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
      'Preview of a draft: numbers of new, identical, conflicting and invalid rows, the months before and after, the energy of each meter, and rows above the limit of their meter.',
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
      'Commits the new rows of a draft. Stored rows remain; invalid rows are skipped. Rejected (implausible) without Sure if the last check found implausible months, rows above the limit of their meter, or a meter whose Ratio is below 1/1.15 or above 1.15.',
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
