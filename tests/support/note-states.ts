import { createStateAlarmUpdater } from '../../gateway/features/alarms/state/update-state-alarms.ts'
import { systemRandom } from '../../gateway/kernel/ports.ts'

/** Notes alarms of states as a gateway does whose people are told nothing. */
export const noteStates = createStateAlarmUpdater({ tell: async () => {}, random: systemRandom })
