import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, RELEASE_BEFORE, startCluster, whatIsMissing } from './cluster.ts'
import { report } from './report.ts'
import { THIS_RELEASE } from './servers/gateways.ts'
import { until } from './servers/program.ts'

/** `npm run test:cluster` breaks each server in turn, and for longer; `npm test` one of each kind. */
const isLong = process.env['CLUSTER'] === 'long'
const EACH = isLong ? [0, 1, 2] : [1]
/** Duration of a suspension, and of the load after a fault, in ms. */
const STANDS = isLong ? 10_000 : 4_000
const AFTERWARDS = isLong ? 5_000 : 1_500
const HUBS = 30
const LOAD = { readings: 200, commands: 15 }

const missing = whatIsMissing()
if (missing !== undefined)
  console.warn(`SKIPPED: several gateways with real servers need ${missing} (apt install)`)

describe.skipIf(missing !== undefined)('several gateways keep their promises', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster({ hubs: HUBS, canBeCut: isLong })
    cluster.load(LOAD)
    await sleep(AFTERWARDS)
  }, 300_000)
  afterAll(async () => {
    if (cluster) report(cluster)
    await cluster?.stop()
  })

  /** Guarantees broken by a fault under load; unfinished commands are checked at the end of the test. */
  async function brokenBy(fault: () => Promise<void>): Promise<string[]> {
    const before = cluster.hubs.ledger.acknowledged.length
    const began = Date.now()
    await fault()
    const what = `${expect.getState().currentTestName?.split(' > ').at(-1)}`
    console.log(`${what}: from ${began} to ${Date.now()}`)
    await sleep(AFTERWARDS)
    const broken = await cluster.broken()
    // Commands in progress have not ended yet.
    const ended = broken.filter((promise) => !promise.includes('has not ended'))
    return cluster.hubs.ledger.acknowledged.length > before ? ended : ['no reading was stored', ...ended]
  }

  /** Replaces all gateways by another release, one after the other. */
  async function replaceAllBy(release: string): Promise<void> {
    for (const gateway of cluster.gateways) {
      await gateway.program.end('SIGTERM')
      gateway.become(release)
      await gateway.comeUp()
      await sleep(AFTERWARDS)
    }
  }

  it.runIf(RELEASE_BEFORE)('while this release takes the place of the one before', async () => {
    expect(await brokenBy(() => replaceAllBy(THIS_RELEASE))).toEqual([])
  })

  it.runIf(RELEASE_BEFORE)('while the release before comes back, and goes again', async () => {
    expect(await brokenBy(() => replaceAllBy(RELEASE_BEFORE as string))).toEqual([])
    expect(await brokenBy(() => replaceAllBy(THIS_RELEASE))).toEqual([])
  })

  it.each(EACH)('while gateway %i is killed and comes back', async (i) => {
    const gateway = cluster.gateways[i] as Cluster['gateways'][number]
    const broken = await brokenBy(async () => {
      await gateway.program.end('SIGKILL')
      await sleep(2_000)
      await gateway.comeUp()
    })
    expect(broken).toEqual([])
  })

  it.each(EACH)('while gateway %i is replaced', async (i) => {
    const gateway = cluster.gateways[i] as Cluster['gateways'][number]
    const broken = await brokenBy(async () => {
      await gateway.program.end('SIGTERM')
      await gateway.comeUp()
    })
    expect(broken).toEqual([])
  })

  it.each(EACH)('while gateway %i stands still', async (i) => {
    const gateway = cluster.gateways[(i + 1) % 3] as Cluster['gateways'][number]
    const broken = await brokenBy(async () => {
      gateway.program.signal('SIGSTOP')
      await sleep(STANDS)
      gateway.program.signal('SIGCONT')
    })
    expect(broken).toEqual([])
  })

  it('while the load balancer is killed and comes back, which cuts every connection at gateways that live', async () => {
    const broken = await brokenBy(async () => {
      await cluster.balancer.program.end('SIGKILL')
      await sleep(STANDS)
      await cluster.balancer.comeUp()
      await until('all hubs are connected again', () => cluster.hubs.online() === HUBS)
    })
    expect(broken).toEqual([])
  })

  it.each(EACH)('while NATS node %i is killed and comes back', async (i) => {
    const broken = await brokenBy(async () => {
      await cluster.nats.nodes[i]?.end('SIGKILL')
      await sleep(1_000)
      await cluster.nats.comeBack(i)
    })
    expect(broken).toEqual([])
  })

  it.each(EACH)('while NATS node %i stands still', async (i) => {
    const node = cluster.nats.nodes[i]
    const broken = await brokenBy(async () => {
      node?.signal('SIGSTOP')
      await sleep(STANDS)
      node?.signal('SIGCONT')
    })
    expect(broken).toEqual([])
  })

  it('while all NATS nodes are away', async () => {
    const broken = await brokenBy(async () => {
      await Promise.all(cluster.nats.nodes.map((node) => node.end('SIGKILL')))
      await sleep(STANDS)
      await Promise.all(cluster.nats.nodes.map((_, node) => cluster.nats.comeBack(node)))
    })
    expect(broken).toEqual([])
  })

  it.runIf(isLong).each([[['database']], [['bus']], [['database', 'bus']]] as const)(
    'while gateway 1 is cut off from %j',
    async (from) => {
      if (cluster.networks.length === 0)
        return console.warn('SKIPPED: networks of their own need root on Linux')
      const broken = await brokenBy(async () => {
        cluster.cut(1, from)
        await sleep(STANDS)
        cluster.networks[1]?.mend()
        // The system resends buffered packets within seconds.
        await sleep(STANDS)
      })
      expect(broken).toEqual([])
    },
  )

  it.runIf(isLong)('while the disks of gateway 0 and of PostgreSQL are full', async () => {
    const { disks, postgres, gateways } = cluster
    if (disks.length === 0) return console.warn('SKIPPED: disks of their own need root on Linux')
    const [gateway] = gateways
    const broken = await brokenBy(async () => {
      for (const disk of disks) disk.fill()
      await gateway?.program.end('SIGTERM')
      gateway?.program.start()
      await sleep(STANDS)
      for (const disk of disks) disk.free()
      // It may have ended when it could not write WAL.
      await postgres.primaryComesBack()
      await gateway?.comeUp()
    })
    expect(broken).toEqual([])
  })

  it('while PostgreSQL crashes and comes back', async () => {
    const broken = await brokenBy(async () => {
      await cluster.postgres.primary.program.end('SIGKILL')
      await sleep(STANDS)
      await cluster.postgres.primaryComesBack()
    })
    expect(broken).toEqual([])
  })

  it('while the standby of PostgreSQL takes the place of the primary', async () => {
    const broken = await brokenBy(async () => {
      await cluster.postgres.primary.program.end('SIGKILL')
      await sleep(1_000)
      await cluster.postgres.promote()
    })
    expect(broken).toEqual([])
  })

  it('and brings every command to an end', async () => {
    await cluster.settle()
    expect(await cluster.broken()).toEqual([])
  })
})
