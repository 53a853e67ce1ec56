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
const MAX_PREVIEW_LINES = 12
/** Maximum characters of a cell in the preview. */
const MAX_PREVIEW_CHARACTERS = 200

let opened: OpenedFile | undefined

async function answer(request: ToReader): Promise<FromReader> {
  if ('open' in request) {
    opened = await openFile(request.open, request)
    const { grid, delimiter, sheets, sheet } = opened
    return {
      preview: {
        lines: grid
          .slice(0, MAX_PREVIEW_LINES)
          .map((line) => line.map((cell) => String(cell).slice(0, MAX_PREVIEW_CHARACTERS))),
        lineCount: grid.length,
        width: grid.slice(0, 1_000).reduce((widest, line) => Math.max(widest, line.length), 0),
        delimiter,
        sheets,
        sheet,
        guess: guessMapping(grid, request.meters, request.zone, request.meter),
      },
    }
  }
  if (!opened) throw new FileRefused('notRead')
  if ('sum' in request) return { sums: sumBothKinds(opened.grid, request.sum, request.meters, request.now) }
  return { rows: readRows(opened.grid, request.read, request.meters, request.now) }
}

page.addEventListener('message', ({ data }) => {
  answer(data).then(
    (reply) => page.postMessage(reply, []),
    (error: unknown) =>
      page.postMessage({ refused: error instanceof FileRefused ? error.fault : 'notRead' }, []),
  )
})
