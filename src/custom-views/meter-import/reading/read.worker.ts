/** Reads files in a worker, so that a file that needs too much time or memory cannot harm the page. */
import { FileRefused } from '../../../lib/spreadsheet/file-fault.ts'
import type { OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import { openFile } from '../../../lib/spreadsheet/open-file.ts'
import type { FromReader, ToReader } from './messages.ts'
import { sumBothKinds } from './both-kinds.ts'
import { guessMapping } from './guess-mapping.ts'
import { readRows } from './rows.ts'

const page = globalThis as unknown as {
  postMessage(message: FromReader, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToReader>) => void): void
}
/** Number of lines in the preview. */
const SHOWN = 12
/** Maximum characters of a cell in the preview. */
const SHOWN_CHARACTERS = 200

let opened: OpenedFile | undefined

async function answer(asked: ToReader): Promise<FromReader> {
  if ('open' in asked) {
    opened = await openFile(asked.open, asked)
    const { grid, delimiter, sheets, sheet } = opened
    return {
      preview: {
        lines: grid.slice(0, SHOWN).map((line) => line.map((cell) => cell.slice(0, SHOWN_CHARACTERS))),
        lineCount: grid.length,
        width: grid.slice(0, 1_000).reduce((most, line) => Math.max(most, line.length), 0),
        delimiter,
        sheets,
        sheet,
        guess: guessMapping(grid, asked.meters, asked.zone, asked.meter),
      },
    }
  }
  if (!opened) throw new FileRefused('notRead')
  if ('sum' in asked) return { sums: sumBothKinds(opened.grid, asked.sum, asked.meters, asked.now) }
  return { rows: readRows(opened.grid, asked.read, asked.meters, asked.now) }
}

page.addEventListener('message', ({ data }) => {
  answer(data).then(
    (said) => page.postMessage(said, []),
    (error: unknown) =>
      page.postMessage({ refused: error instanceof FileRefused ? error.fault : 'notRead' }, []),
  )
})
