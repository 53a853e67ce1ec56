import type { Deps, Feature } from '../../kernel/deps.ts'
import { createThrottle } from '../../lib/throttle.ts'
import { createRetentionJob } from '../../store/retention.ts'
import { createTabNotifier } from './notify-tabs.ts'
import { notificationHandlers } from './calls.ts'
import { composeDueMessages } from './compose.ts'
import { expiringNotifications } from './expiring.ts'
import { fanOut } from './fan-out.ts'
import { createPump } from './send-queue.ts'
import { countRecipients } from './people.ts'
import type { SendPorts } from './send.ts'
import { NOTICES_CHANNEL, recordNotices } from './record-notices.ts'
import { writeDrafts } from './write-drafts.ts'

/** Shortest time between two looks at what was noted, ms, so that a flood is written in few statements. */
const MIN_INTERVAL_MS = 200
/** Between two looks when nothing is heard, ms. */
const POLL_INTERVAL_MS = 2_000

/** What people are told, and how each of them hears it. */
export function notifications(deps: Deps, ports: SendPorts) {
  const { db, clock, events, log, config } = deps
  const tabs = createTabNotifier(deps)
  const pumps = [createPump(deps, ports, 'life'), createPump(deps, ports, 'other')]
  const state = { closed: false }
  let working: Promise<void> = Promise.resolve()

  /** Decides who hears what, then what of it goes out now; sending has a line of its own. */
  async function work(): Promise<void> {
    let more = true
    while (more && !state.closed) {
      more = await fanOut(deps, tabs, (tx, told) => writeDrafts(tx, told, ports.channels, clock.now()))
      more = (await composeDueMessages(deps, ports.push)) || more
      for (const pump of pumps) void pump.look()
    }
  }
  const pacer = createThrottle<'notices'>(
    clock,
    () => MIN_INTERVAL_MS,
    () => {
      working = state.closed
        ? Promise.resolve()
        : work().catch((err: unknown) => log.warn({ err }, 'People are told later'))
      return working
    },
  )
  const look = () => pacer.ask('notices')
  db.listen(NOTICES_CHANNEL, { heard: look, missed: look })
  events.on('notificationsRead', ({ tenant, cognitoId }) => tabs.tell(tenant, cognitoId, null))

  const feature = {
    handlers: { notifications: notificationHandlers },
    jobs: [
      { name: 'what people are told', every: POLL_INTERVAL_MS, run: async () => look() },
      createRetentionJob(
        'notifications',
        deps,
        expiringNotifications(deps, config.keepDays.notifications ?? 0),
      ),
    ],
    async close() {
      state.closed = true
      pacer.close()
      await working
      await Promise.all(pumps.map((pump) => pump.close()))
      tabs.close()
    },
  } satisfies Feature
  return {
    ...feature,
    tell: recordNotices,
    countHearers: countRecipients,
    /** Does what is due; resolves when what of it goes out is sent. */
    async lookNow() {
      await work()
      await Promise.all(pumps.map((pump) => pump.idle()))
    },
  }
}
