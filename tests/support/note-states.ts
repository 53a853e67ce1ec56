import { createStateAlarmUpdater } from '../../gateway/features/alarms/note-states.ts'
import { systemRandom } from '../../gateway/ports.ts'

/** Notes alarms of states as a gateway does whose people are told nothing. */
export const noteStates = createStateAlarmUpdater({ tell: async () => {}, random: systemRandom })
