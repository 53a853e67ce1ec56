import type { ExportPlan, Rows } from './table.ts'
import type { ExportFile } from './writer.ts'

/** What the page tells the writing worker; each is answered. */
export type ToWorker = { plan: ExportPlan } | { meter: number; rows: Rows } | { end: true }

/** What it answers: taken, the finished file, or why it cannot go on. */
export type FromWorker = { taken: true } | { file: ExportFile } | { failed: string }
