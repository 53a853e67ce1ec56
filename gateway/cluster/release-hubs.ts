import type { Broker } from '../kernel/broker.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import type { Registry } from './registry.ts'

const CHECK_INTERVAL_MS = 1_000
/** Time for which the others must have the database and this gateway not, before it releases its hubs, in ms: longer than a fail-over. */
const RELEASE_AFTER_MS = 10_000

export interface ReleaseHubsOptions {
  registry: Pick<Registry, 'reachesDatabase'>
  bus: Pick<Bus, 'othersReachDatabase'>
  broker: Pick<Broker, 'drain' | 'takeHubs'>
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
}

/**
 * Releases the hubs of a gateway that has lost the database while others have it, so that their messages are stored immediately. The hub
 * port stays closed until this gateway has the database again, or the others have lost it too.
 */
export function releaseHubsWithoutDatabase(options: ReleaseHubsOptions): { close(): void } {
  const { registry, bus, broker, clock, log } = options
  let isReleased = false
  let isAccepting = false
  /** Time since which the hubs should be elsewhere, or back here. */
  let since: number | undefined
  let cancel = () => {}
  let isClosed = false

  async function acceptHubs(): Promise<void> {
    isAccepting = true
    try {
      await broker.takeHubs?.()
      isReleased = false
      log.info({}, 'accepting hubs again')
    } catch (err) {
      log.warn({ err }, 'hubs not accepted yet, will retry')
    } finally {
      isAccepting = false
    }
  }

  function check(): void {
    const hasDatabase = registry.reachesDatabase()
    const isReachedElsewhere = !hasDatabase && bus.othersReachDatabase()
    if (isReachedElsewhere === isReleased || isAccepting) since = undefined
    else {
      since ??= clock.now()
      const isConfirmed = hasDatabase || clock.now() - since >= RELEASE_AFTER_MS
      if (isConfirmed) since = undefined
      if (isConfirmed && isReleased) void acceptHubs()
      else if (isConfirmed && isReachedElsewhere) {
        isReleased = true
        log.warn({}, 'database unreachable here but not elsewhere, disconnecting hubs')
        broker.drain?.().catch((err: unknown) => log.warn({ err }, 'hubs not disconnected'))
      }
    }
    scheduleCheck()
  }
  const scheduleCheck = () => {
    if (!isClosed) cancel = clock.after(CHECK_INTERVAL_MS, check)
  }
  scheduleCheck()

  return {
    close() {
      isClosed = true
      cancel()
    },
  }
}
