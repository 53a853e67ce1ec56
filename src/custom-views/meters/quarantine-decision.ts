import { meterCorrections, type QuarantinedReading } from '../../../contract/meters/correction-calls.ts'
import { call } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { callErrorIn } from '../../data/post.ts'
import { ItemFailed, startBulk, type BulkAction, type BulkItem } from '../../record-kit/bulk/bulk-run.ts'

export type Decision = 'accepted' | 'dropped'

export interface QuarantinedItem extends BulkItem {
  reading: QuarantinedReading
}

const MAX_PARALLEL_CALLS = 6
const READINGS_PER_CALL = 1_000
/** Reason that a decision on a reading is rejected: it is no longer quarantined, or another user decided otherwise. */
const REFUSALS = { NOT_FOUND: 'gone', CONFLICT: 'decided' } as const
const refusalIn = (error: unknown) => {
  const failure = callErrorIn(error)?.failure
  return failure === 'NOT_FOUND' || failure === 'CONFLICT' ? REFUSALS[failure] : undefined
}

/**
 * Bulk action that decides on quarantined readings, in calls of up to a thousand, so that they are accepted together. If one of them
 * is no longer quarantined or was decided otherwise, its whole call is rejected, and each is then sent separately.
 *
 * LimitKw  new maximum power of the meter of accepted readings, kW
 */
export const decisionInput = (
  HomeID: string,
  decision: Decision,
  LimitKw?: number,
): BulkAction<QuarantinedItem> => ({
  title: () => t(decision === 'accepted' ? 'meters:quarantined.accepting' : 'meters:quarantined.dropping'),
  start: (items) => {
    const send = (chunkItems: readonly QuarantinedItem[]) =>
      call(meterCorrections.decideQuarantinedReading, {
        HomeID,
        Decision: decision,
        ...(LimitKw !== undefined && { LimitKw }),
        Readings: chunkItems.map(({ reading: { PeripheralUID, Timestamp, Value } }) => ({
          PeripheralUID,
          Timestamp,
          Value,
        })),
      })
    const chunks = Array.from({ length: Math.ceil(items.length / READINGS_PER_CALL) }, (_, i) =>
      send(items.slice(i * READINGS_PER_CALL, (i + 1) * READINGS_PER_CALL)),
    )
    const callOf = new Map(items.map((item, i) => [item.id, chunks[Math.floor(i / READINGS_PER_CALL)]]))
    const run = startBulk(
      items,
      async (item) => {
        try {
          await callOf.get(item.id)?.catch((error: unknown) => {
            if (!refusalIn(error) || items.length === 1) throw error
            return send([item])
          })
        } catch (error) {
          const refusal = refusalIn(error)
          if (refusal)
            throw new ItemFailed(() =>
              t(refusal === 'gone' ? 'meters:quarantined.gone' : 'meters:quarantined.decided'),
            )
          throw error
        }
      },
      { maxConcurrent: MAX_PARALLEL_CALLS, whyOf: describeFailure },
    )
    return run
  },
})
