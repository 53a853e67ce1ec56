/** Why a file is not read at all. */
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

/** A larger file is refused before it is read. */
export const MAX_FILE_BYTES = 50 * 2 ** 20

/** More columns no table of ours has. */
export const MOST_COLUMNS = 256

/** By what the cells of a text may be divided. */
export const DELIMITERS = [',', ';', '\t', '|'] as const
