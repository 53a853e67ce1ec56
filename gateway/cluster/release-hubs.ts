import type { Broker } from '../kernel/broker.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import type { Registry } from './registry.ts'

const LOOK_EVERY = 1_000
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
  let isLetGo = false
  let isTaking = false
  /** Time since which the hubs should be elsewhere, or back here. */
  let since: number | undefined
  let cancel = () => {}
  let isClosed = false

  async function take(): Promise<void> {
    isTaking = true
    try {
      await broker.takeHubs?.()
      isLetGo = false
      log.info({}, 'accepting hubs again')
    } catch (err) {
      log.warn({ err }, 'hubs not accepted yet, will retry')
    } finally {
      isTaking = false
    }
  }

  function look(): void {
    const hasDatabase = registry.reachesDatabase()
    const isElsewhere = !hasDatabase && bus.othersReachDatabase()
    if (isElsewhere === isLetGo || isTaking) since = undefined
    else {
      since ??= clock.now()
      const isSure = hasDatabase || clock.now() - since >= RELEASE_AFTER_MS
      if (isSure) since = undefined
      if (isSure && isLetGo) void take()
      else if (isSure && isElsewhere) {
        isLetGo = true
        log.warn({}, 'database unreachable here but not elsewhere, disconnecting hubs')
        broker.drain?.().catch((err: unknown) => log.warn({ err }, 'hubs not disconnected'))
      }
    }
    again()
  }
  const again = () => {
    if (!isClosed) cancel = clock.after(LOOK_EVERY, look)
  }
  again()

  return {
    close() {
      isClosed = true
      cancel()
    },
  }
}
