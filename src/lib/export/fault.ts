/**
 * Why no file was made.
 *
 * worker    what writes it answers no more: the browser ended it, for want of memory as a rule
 * space     the browser has no room for it, in memory or on the disk
 * tooLarge  it would be larger than an archive can be
 * unknown   anything else
 */
export type ExportFault = 'worker' | 'space' | 'tooLarge' | 'unknown'

/** A file that cannot be made; what was written of it is of no use. */
export class ExportFailed extends Error {
  readonly fault: ExportFault

  constructor(fault: ExportFault, text: string) {
    super(text)
    this.name = 'ExportFailed'
    this.fault = fault
  }
}

/** Names of errors by which browsers say that memory or disk is full. */
const NO_ROOM = new Set(['QuotaExceededError', 'NotReadableError', 'RangeError'])

/** Why writing failed, as closely as its error says. */
export function faultOf(error: unknown): ExportFault {
  if (error instanceof ExportFailed) return error.fault
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : ''
  return NO_ROOM.has(String(name)) ? 'space' : 'unknown'
}

/**
 * A finished file, once it is certain that all of it is there: the browser keeps the parts of a large one on its disk, and where
 * that is full the file can be handed over and never read.
 *
 * errors  ExportFailed, `space`
 */
export async function whole(blob: Blob): Promise<Blob> {
  try {
    await blob.slice(-1).arrayBuffer()
  } catch (error) {
    throw new ExportFailed('space', String(error))
  }
  return blob
}
