import { GatewayError } from '../../kernel/errors.ts'

/** Limit of concurrent work, by key. */
interface ConcurrencyLimit {
  /** Undefined if work may begin now, otherwise a promise of its turn; throws LIMIT_EXCEEDED if too many are queued. */
  acquire(key: string): Promise<void> | undefined
  release(key: string): void
}

/** Maximum number of a company's queued pictures, in addition to the one in progress. */
const MAX_WAITING = 8
/** Key of the queue that all companies share. */
const ALL_COMPANIES = ''

/** Re-encodes a picture of a company in its turn. */
export type RunDrawing = <T>(tenant: string, draw: () => Promise<T>) => Promise<T>

/**
 * Processes pictures one at a time, alternating between companies: a small file can unpack to hundreds of megabytes, and several at
 * once would occupy the threads that everything else needs.
 *
 * errors  INVALID `{ file: 'imageType' }` if the bytes cannot be decoded; LIMIT_EXCEEDED if the company has too many queued
 */
export function createDrawing(
  createLimit: (limits: { running: number; waiting: number }) => ConcurrencyLimit,
): RunDrawing {
  const ofCompany = createLimit({ running: 1, waiting: MAX_WAITING })
  const ofAll = createLimit({ running: 1, waiting: Infinity })

  async function drawAlone<T>(draw: () => Promise<T>): Promise<T> {
    await ofAll.acquire(ALL_COMPANIES)
    try {
      return await draw()
    } catch {
      throw new GatewayError('INVALID', 'The picture cannot be drawn', { file: 'imageType' })
    } finally {
      ofAll.release(ALL_COMPANIES)
    }
  }

  return async (tenant, draw) => {
    await ofCompany.acquire(tenant)
    try {
      return await drawAlone(draw)
    } finally {
      ofCompany.release(tenant)
    }
  }
}
