import type { MeterReading } from '../../contract/meters/channels.ts'
import type { LateStatus } from '../building/past-statuses.ts'
import { connect, disconnect } from './connect.ts'
import { reportAll, sendUntilAcknowledged, tick } from './report.ts'
import { createBase, worldTime, type HubOptions, type HubState } from './state.ts'
import { createHubUpdater } from './update.ts'

/** Longest delay that a timer accepts, in ms; a hub whose power was cut stays offline for it. */
const MAX_TIMER_MS = 2 ** 31 - 1

export type Hub = ReturnType<typeof createHub>

/** Creates a simulated hub with its building and session. It connects immediately. */
export function createHub(options: HubOptions) {
  const base = createBase(options)
  // The devices sample their surroundings before the first report.
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
    /** Cuts the power; the hub sends nothing more. */
    lose: () => state.session.die(MAX_TIMER_MS),
    async find(): Promise<void> {
      await state.session.stop(0)
      state.session = connect(base, () => state)
    },
    repair: (uid: string) => state.building.repair(uid),
    tick: () => tick(state),
    reportAll: () => reportAll(state),
    /** Sends past readings; resolves when the gateway has acknowledged them. */
    deliverLate: (readings: MeterReading[]) => sendUntilAcknowledged(state, state.say.readings(readings)),
    /** Sends past statuses, each with its timestamp, like `deliverLate`. */
    deliverLateStatuses: (statuses: LateStatus[]) =>
      sendUntilAcknowledged(state, state.say.status(statuses.at(-1)?.Timestamp ?? 0, statuses)),
    states: () => state.building.states(),
    stop: () => disconnect(state),
  }
}
