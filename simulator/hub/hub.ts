import type { MeterReading } from '../../contract/meters/channels.ts'
import type { LateStatus } from '../past-statuses.ts'
import { connect, disconnect } from './connect.ts'
import { reportAll, sendUntilAcknowledged, tick } from './report.ts'
import { createBase, worldTime, type HubOptions, type HubState } from './state.ts'
import { createHubUpdater } from './update.ts'

/** For so long a hub that is lost would stay away by itself: the longest that a timer takes, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1

export type Hub = ReturnType<typeof createHub>

/** A simulated hub: its building, its connection and what it does when. It connects at once. */
export function createHub(options: HubOptions) {
  const base = createBase(options)
  // The devices look around before anybody asks them.
  base.building.step(0, worldTime(base))
  const state: HubState = Object.assign(base, {
    updater: createHubUpdater(options, () => state),
    session: connect(base, () => state),
  })
  return {
    ThingName: options.hub.ThingName,
    get session() {
      return state.session
    },
    /** Its power fails, and nothing is heard of it. */
    lose: () => state.session.die(MAX_TIMER_MS),
    /** It has power again. */
    async find(): Promise<void> {
      await state.session.stop(0)
      state.session = connect(base, () => state)
    },
    /** Somebody has seen to what is wrong with a device. */
    repair: (uid: string) => state.building.repair(uid),
    tick: () => tick(state),
    /** Reports every device at once. */
    reportAll: () => reportAll(state),
    /** Sends readings of the past; resolves when the gateway has them. */
    deliverLate: (readings: MeterReading[]) => sendUntilAcknowledged(state, state.say.readings(readings)),
    /** As `deliverLate`, of statuses, each with its moment. */
    deliverLateStatuses: (statuses: LateStatus[]) =>
      sendUntilAcknowledged(state, state.say.status(statuses.at(-1)?.Timestamp ?? 0, statuses)),
    states: () => state.building.states(),
    stop: () => disconnect(state),
  }
}
