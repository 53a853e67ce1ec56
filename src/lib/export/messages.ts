import type { ExportFault } from './fault.ts'
import type { ExportPlan, Rows } from './table.ts'
import type { ExportFile } from './writer.ts'

/** Messages of the page to the worker; each gets a response. */
export type ToWorker = { plan: ExportPlan } | { meter: number; rows: Rows } | { end: true } | { ping: true }

/** Responses of the worker: accepted, the finished file, the reason of a failure, or alive. */
export type FromWorker =
  { accepted: true } | { file: ExportFile } | { failed: ExportFault; detail: string } | { alive: true }
