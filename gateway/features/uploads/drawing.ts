import type { IMAGE_TYPES } from '../../../contract/procedures/uploads.ts'
import { GatewayError } from '../../errors.ts'
import { reEncode } from './re-encode.ts'

/** Lines of those who wait for their turn, by key. */
interface Turns {
  /** Takes a turn now, or answers a promise of one; throws LIMIT_EXCEEDED when too many wait. */
  take(key: string): Promise<void> | undefined
  release(key: string): void
}

/** Pictures of one company that may wait, besides the one that is drawn. */
const WAITING = 8
/** All companies' pictures share one line. */
const ALL = ''

/** Draws a picture of a company anew. */
export type Draw = (
  tenant: string,
  bytes: Uint8Array,
  contentType: (typeof IMAGE_TYPES)[number],
) => Promise<Uint8Array>

/**
 * Draws pictures one at a time, companies in turns: a small file can unpack to hundreds of megabytes, and several at once
 * would take the threads that everything else needs, too.
 *
 * errors  INVALID `{ file: 'imageType' }` when the bytes cannot be drawn, LIMIT_EXCEEDED when too many of the company wait
 */
export function createDrawing(
  createTurns: (most: { running: number; waiting: number }) => Turns,
  draw: typeof reEncode = reEncode,
): Draw {
  const ofCompany = createTurns({ running: 1, waiting: WAITING })
  const ofAll = createTurns({ running: 1, waiting: Infinity })

  async function drawAlone(bytes: Uint8Array, contentType: (typeof IMAGE_TYPES)[number]) {
    await ofAll.take(ALL)
    try {
      return await draw(bytes, contentType)
    } catch {
      throw new GatewayError('INVALID', 'The picture cannot be drawn', { file: 'imageType' })
    } finally {
      ofAll.release(ALL)
    }
  }

  return async (tenant, bytes, contentType) => {
    await ofCompany.take(tenant)
    try {
      return await drawAlone(bytes, contentType)
    } finally {
      ofCompany.release(tenant)
    }
  }
}
