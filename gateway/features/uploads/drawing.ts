import { GatewayError } from '../../kernel/errors.ts'

/** How many may be at work at a time, by key. */
interface ConcurrencyLimit {
  /** Lets one begin now, or answers a promise of its turn; throws LIMIT_EXCEEDED when too many wait. */
  acquire(key: string): Promise<void> | undefined
  release(key: string): void
}

/** Pictures of one company that may wait, besides the one that is drawn. */
const WAITING = 8
/** All companies' pictures share one line. */
const ALL = ''

/** Draws a picture of a company again, when it is that picture's turn. */
export type Draw = <T>(tenant: string, draw: () => Promise<T>) => Promise<T>

/**
 * Draws pictures one at a time, companies in turns: a small file can unpack to hundreds of megabytes, and several at once
 * would take the threads that everything else needs, too.
 *
 * errors  INVALID `{ file: 'imageType' }` when the bytes cannot be drawn, LIMIT_EXCEEDED when too many of the company wait
 */
export function createDrawing(
  createLimit: (most: { running: number; waiting: number }) => ConcurrencyLimit,
): Draw {
  const ofCompany = createLimit({ running: 1, waiting: WAITING })
  const ofAll = createLimit({ running: 1, waiting: Infinity })

  async function drawAlone<T>(draw: () => Promise<T>): Promise<T> {
    await ofAll.acquire(ALL)
    try {
      return await draw()
    } catch {
      throw new GatewayError('INVALID', 'The picture cannot be drawn', { file: 'imageType' })
    } finally {
      ofAll.release(ALL)
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
