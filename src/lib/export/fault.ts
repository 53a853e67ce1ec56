/**
 * Reason why an export failed.
 *
 * worker    the worker no longer responds: the browser has terminated it, usually for lack of memory
 * space     the browser has no space for the file, in memory or on disk
 * tooLarge  the file would exceed the maximum size of an archive
 * unknown   anything else
 */
export type ExportFault = 'worker' | 'space' | 'tooLarge' | 'unknown'

/** Export that failed; the data written so far is unusable. */
export class ExportFailed extends Error {
  readonly fault: ExportFault

  constructor(fault: ExportFault, text: string) {
    super(text)
    this.name = 'ExportFailed'
    this.fault = fault
  }
}

/** Names of errors that browsers throw when memory or disk is full. */
const STORAGE_ERRORS = new Set(['QuotaExceededError', 'NotReadableError', 'RangeError'])

/** Most specific reason that a write error allows. */
export function faultOf(error: unknown): ExportFault {
  if (error instanceof ExportFailed) return error.fault
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : ''
  return STORAGE_ERRORS.has(String(name)) ? 'space' : 'unknown'
}

/**
 * Verifies that a finished file can be read: browsers store parts of large files on disk, and if that is full, a file may exist but be
 * unreadable.
 *
 * errors  ExportFailed, `space`
 */
export async function assertReadable(blob: Blob): Promise<Blob> {
  try {
    await blob.slice(-1).arrayBuffer()
  } catch (error) {
    throw new ExportFailed('space', String(error))
  }
  return blob
}
