import { FileRefused } from '../../../lib/spreadsheet/file-fault.ts'
import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import type { FromReader } from './read.worker.ts'

/** Five hundred people need far less. */
export const MOST_BYTES = 5 * 2 ** 20
/** A file that takes longer than this to read is no file of people, ms. */
const READ_TIMEOUT_MS = 30_000

/** The cells of a CSV's or a workbook's first sheet. Errors: FileRefused. */
export async function readFile(file: File): Promise<Grid> {
  if (file.size > MOST_BYTES) throw new FileRefused('tooLarge')
  const worker = new Worker(new URL('./read.worker.ts', import.meta.url), { type: 'module' })
  let late: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<Grid>((resolve, reject) => {
      const refuse = () => reject(new FileRefused('notRead'))
      late = setTimeout(refuse, READ_TIMEOUT_MS)
      worker.addEventListener('error', refuse, { once: true })
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<FromReader>) =>
          'grid' in data ? resolve(data.grid) : reject(new FileRefused(data.refused)),
        { once: true },
      )
      worker.postMessage(file, [])
    })
  } finally {
    clearTimeout(late)
    worker.terminate()
  }
}
