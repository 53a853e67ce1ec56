import { meterCorrections, type QuarantinedReading } from '../../../contract/procedures/meter-corrections.ts'
import { call } from '../../providers/api.ts'
import { describeFailure } from '../../providers/failure.ts'
import { t } from '../../providers/i18n.ts'
import { callErrorIn } from '../../providers/post.ts'
import { ItemFailed, startBulk, type BulkAction, type Item } from '../../ui/bulk/bulk-run.ts'
import { refreshMeters } from './use-meters.ts'

export type Decision = 'accepted' | 'dropped'

/** A withheld reading as a line of results. */
export interface WithheldItem extends Item {
  reading: QuarantinedReading
}

const CALLS_AT_ONCE = 6
const isGone = (error: unknown) => callErrorIn(error)?.failure === 'NOT_FOUND'

/**
 * Decides on withheld readings in one call, so that they count together; where one of them waits no longer, which refuses
 * them all, on each by itself.
 */
export const deciding = (HomeID: string, decision: Decision): BulkAction<WithheldItem> => ({
  title: () => t(decision === 'accepted' ? 'meters:withheld.accepting' : 'meters:withheld.dropping'),
  start: (items) => {
    const send = (some: readonly WithheldItem[]) =>
      call(meterCorrections.decideQuarantinedReading, {
        HomeID,
        Decision: decision,
        Readings: some.map(({ reading: { PeripheralUID, Timestamp } }) => ({ PeripheralUID, Timestamp })),
      })
    const together = send(items)
    const run = startBulk(
      items,
      async (item) => {
        try {
          await together.catch((error: unknown) => {
            if (!isGone(error) || items.length === 1) throw error
            return send([item])
          })
        } catch (error) {
          if (isGone(error)) throw new ItemFailed(() => t('meters:withheld.gone'))
          throw error
        }
      },
      { atOnce: CALLS_AT_ONCE, whyOf: describeFailure },
    )
    void run.finished.then(refreshMeters)
    return run
  },
})
