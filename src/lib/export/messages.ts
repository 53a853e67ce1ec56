import type { ExportFault } from './fault.ts'
import type { ExportPlan, Rows } from './table.ts'
import type { ExportFile } from './writer.ts'

/** What the page tells the writing worker; each is answered. */
export type ToWorker = { plan: ExportPlan } | { meter: number; rows: Rows } | { end: true } | { ping: true }

/** What it answers: taken, the finished file, why it cannot go on, or only that it is there. */
export type FromWorker =
  { taken: true } | { file: ExportFile } | { failed: ExportFault; detail: string } | { alive: true }
