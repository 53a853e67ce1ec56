import { createStateAlarmUpdater } from '../../gateway/features/alarms/state/apply-signals.ts'
import { systemRandom } from '../../gateway/kernel/ports.ts'

/** Stores alarms of states as a gateway does, without notifying people. */
export const updateStateAlarms = createStateAlarmUpdater({ notify: async () => {}, random: systemRandom })
