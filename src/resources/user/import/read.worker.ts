/** Worker that parses a file of people with the shared spreadsheet reader. */
import { FileRefused, type FileFault } from '../../../lib/spreadsheet/file-fault.ts'
import { textsOf, type TextGrid } from '../../../lib/spreadsheet/grid.ts'
import { openFile } from '../../../lib/spreadsheet/open-file.ts'

export type FromReader = { grid: TextGrid } | { refused: FileFault }

const page = globalThis as unknown as {
  postMessage(message: FromReader, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<Blob>) => void): void
}

page.addEventListener('message', ({ data }) => {
  // The people are in the first sheet; other sheets may be longer lists to choose from.
  openFile(data, { sheet: 0 }).then(
    ({ grid }) => page.postMessage({ grid: textsOf(grid) }, []),
    (error: unknown) =>
      page.postMessage({ refused: error instanceof FileRefused ? error.fault : 'notRead' }, []),
  )
})
