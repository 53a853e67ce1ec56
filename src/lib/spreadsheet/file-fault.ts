/** Reasons why a file is rejected. */
const FILE_FAULTS = ['tooLarge', 'empty', 'notRead', 'tooManyRows', 'tooWide', 'bomb', 'oldExcel'] as const
export type FileFault = (typeof FILE_FAULTS)[number]
export class FileRefused extends Error {
  readonly fault: FileFault
  constructor(fault: FileFault) {
    super(fault)
    this.name = 'FileRefused'
    this.fault = fault
  }
}

/** Maximum size of a file, checked before it is read. */
export const MAX_FILE_BYTES = 50 * 2 ** 20

/** Maximum number of columns. */
export const MAX_COLUMNS = 256

/** Supported delimiters of text files. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
