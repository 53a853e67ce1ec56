/** Reasons why a file is rejected. */
const FILE_FAULTS = [
  'tooLarge',
  'empty',
  'notRead',
  'tooManyRows',
  'tooWide',
  'bomb',
  'oldExcel',
  'passwordProtected',
  'pdf',
  'picture',
  'html',
  'edifact',
  'nem13',
  'unknownXml',
  'xmlEntities',
  'unknownJson',
  'severalFiles',
  'nestedArchive',
] as const
export type FileFault = (typeof FILE_FAULTS)[number]
export class FileRefused extends Error {
  readonly fault: FileFault
  constructor(fault: FileFault) {
    super(fault)
    this.name = 'FileRefused'
    this.fault = fault
  }
}

/** Maximum size of a file, checked before it is read; also of a file in an archive, unpacked. */
export const MAX_FILE_BYTES = 50 * 2 ** 20

/** Maximum number of columns: a day of minutes in columns, and some more. */
export const MAX_COLUMNS = 1_450

/** Supported delimiters of text files. */
export const DELIMITERS = [',', ';', '\t', '|'] as const

/** Heading of the column with the names of sheets that were read as one table. */
export const SHEET_HEADING = 'Sheet'
