/** Reads files away from the page: a file that takes long, or more memory than there is, takes no more than this worker. */
import { FileRefused } from './file-fault.ts'
import { readText, type OpenedFile } from './grid.ts'
import type { FromReader, ToReader } from './messages.ts'
import { guessMapping, readRows } from './rows.ts'

const page = globalThis as unknown as {
  postMessage(message: FromReader, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToReader>) => void): void
}
/** Lines that a person sees before an import. */
const SHOWN = 12

let opened: OpenedFile | undefined

async function open(file: Blob, delimiter: string | undefined, sheet: number): Promise<OpenedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes.length === 0) throw new FileRefused('empty')
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw new FileRefused('oldExcel')
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return readText(bytes, delimiter)
  const { readWorkbook } = await import('./workbook.ts')
  return readWorkbook(bytes, sheet)
}

async function answer(asked: ToReader): Promise<FromReader> {
  if ('open' in asked) {
    opened = await open(asked.open, asked.delimiter, asked.sheet ?? 0)
    const { grid, delimiter, sheets, sheet } = opened
    return {
      preview: {
        lines: grid.slice(0, SHOWN).map((line) => [...line]),
        lineCount: grid.length,
        width: grid.slice(0, 1_000).reduce((most, line) => Math.max(most, line.length), 0),
        delimiter,
        sheets,
        sheet,
        guess: guessMapping(grid, asked.meters, asked.zone),
      },
    }
  }
  if (!opened) throw new FileRefused('notRead')
  return { rows: readRows(opened.grid, asked.read, asked.meters, asked.now) }
}

page.addEventListener('message', ({ data }) => {
  answer(data).then(
    (said) => page.postMessage(said, []),
    (error: unknown) =>
      page.postMessage({ refused: error instanceof FileRefused ? error.fault : 'notRead' }, []),
  )
})
