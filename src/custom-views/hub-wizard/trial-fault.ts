import type { TKey, TValues } from '../../lib/i18n/i18n.ts'
import type { HubTrialMessage } from '../../live/hub-trials.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What is wrong with a hub that connects, as the key of a sentence with its values; undefined when nothing is. */
export function trialFault({
  Stage,
  Reason,
  From,
  Count = 1,
  OffBy = 0,
}: HubTrialMessage): { key: TKey; values: TValues } | undefined {
  switch (Reason) {
    case undefined:
      return undefined
    case 'wrongPassword':
      return From === undefined
        ? { key: 'setup:hub.faults.wrongPassword', values: { count: Count } }
        : { key: 'setup:hub.faults.wrongPasswordFrom', values: { count: Count, from: From } }
    case 'clockOff': {
      const by = Math.abs(OffBy)
      const isHours = by >= HOUR
      const count = Math.round(by / (isHours ? HOUR : MINUTE))
      const way = OffBy > 0 ? 'Ahead' : 'Behind'
      return { key: `setup:hub.faults.clock${way}${isHours ? 'Hours' : 'Minutes'}`, values: { count } }
    }
    case 'silent':
      return { key: `setup:hub.faults.silent.${Stage}`, values: {} }
    case 'otherHome':
    case 'unknownTopic':
    case 'malformed':
      return { key: `setup:hub.faults.${Reason}`, values: {} }
  }
}
