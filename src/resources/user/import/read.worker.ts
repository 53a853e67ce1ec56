/** Reads a file of people away from the page, by the reader of every spreadsheet. */
import { FileRefused, type FileFault } from '../../../custom-views/meter-import/reading/file-fault.ts'
import { readText, type Grid } from '../../../custom-views/meter-import/reading/grid.ts'

export type FromReader = { grid: Grid } | { refused: FileFault }

const page = globalThis as unknown as {
  postMessage(message: FromReader, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<Blob>) => void): void
}

async function read(file: Blob): Promise<Grid> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes.length === 0) throw new FileRefused('empty')
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw new FileRefused('oldExcel')
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return readText(bytes).grid
  const { readWorkbook } = await import('../../../custom-views/meter-import/reading/workbook.ts')
  return (await readWorkbook(bytes)).grid
}

page.addEventListener('message', ({ data }) => {
  read(data).then(
    (grid) => page.postMessage({ grid }, []),
    (error: unknown) =>
      page.postMessage({ refused: error instanceof FileRefused ? error.fault : 'notRead' }, []),
  )
})
