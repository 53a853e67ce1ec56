import type { Broker } from '../broker/port.ts'
import type { Bus } from '../bus/port.ts'
import type { Clock, Log } from '../kernel/ports.ts'
import type { Registry } from './registry.ts'

const LOOK_EVERY = 1_000
/** So long must the others have the database, and this gateway not, before its hubs are let go, in ms: a fail-over is over by then. */
const RELEASE_AFTER_MS = 10_000

/** What it is decided by, and who does it. */
export interface ReleaseHubsOptions {
  registry: Pick<Registry, 'reachesDatabase'>
  bus: Pick<Bus, 'othersReachDatabase'>
  broker: Pick<Broker, 'drain' | 'takeHubs'>
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
}

/**
 * Lets the hubs of a gateway go while it lacks the database and others have it: there their messages are stored at once. Its hub port is
 * closed until it has the database again, or the others lack it, too.
 */
export function releaseHubsWithoutDatabase(options: ReleaseHubsOptions): { close(): void } {
  const { registry, bus, broker, clock, log } = options
  let isLetGo = false
  let isTaking = false
  /** Since when they would be better off elsewhere, or here again. */
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
