import { setImmediate as nextTurn } from 'node:timers/promises'
import { Registry as Metrics } from 'prom-client'
import { expect, it } from 'vitest'
import { createNetwork } from '../../../gateway/bus/in-process.ts'
import { createEvents } from '../../../gateway/kernel/events.ts'
import { type Cluster, joinCluster } from '../../../gateway/cluster/cluster.ts'
import { holdClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createQuietBroker } from '../../support/quiet-broker.ts'

it('releases the hubs of a gateway that alone lost the database, and takes them back afterwards', async () => {
  const network = createNetwork()
  const clock = holdClock()
  const log = createLogBook()
  const ids = ['g-00000000000001', 'g-00000000000002']
  /** Gateways that reach the database. */
  const reaching = new Set(ids)
  const did: string[] = []
  const clusters: Cluster[] = []
  const metrics = new Metrics()
  for (const id of ids) {
    const others = ids.flatMap((one) => (one === id ? [] : [{ id: one, name: '', version: '', age: 0 }]))
    const cluster = joinCluster(
      {
        broker: {
          ...createQuietBroker(),
          drain: async () => void did.push(`${id} lets go`),
          acceptHubs: async () => void did.push(`${id} takes`),
        },
        clock,
        log,
        config: { secret: 'the same at both' },
      },
      network.join(),
      {
        registry: {
          id: () => id,
          others: () => others,
          wasJustSeen: () => true,
          isKnown: async (one) => ids.includes(one),
          reachesDatabase: () => reaching.has(id),
          start: async () => {},
          refresh: async () => {},
          close: async () => {},
        },
        hubs: { count: () => 0, release: () => {} } as never,
        metrics: id === ids[0] ? metrics : new Metrics(),
      },
    )
    await cluster.start(
      createEvents(() => {}),
      () => undefined,
    )
    clusters.push(cluster)
  }
  /** Both send heartbeats and receive each other's. */
  const pass = async (seconds: number) => {
    for (let half = 0; half < 2 * seconds; half++) {
      clock.advance(500)
      await nextTurn()
      await nextTurn()
    }
  }

  await pass(3)
  expect(await metrics.metrics()).toContain('gateways{state="live"} 2')
  reaching.delete('g-00000000000001')
  await pass(9)
  expect(did).toEqual([])
  await pass(4)
  expect(did).toEqual(['g-00000000000001 lets go'])
  reaching.add('g-00000000000001')
  await pass(2)
  expect(did).toEqual(['g-00000000000001 lets go', 'g-00000000000001 takes'])
  // If no gateway reaches the database, hubs stay connected.
  reaching.clear()
  await pass(60)
  expect(did).toHaveLength(2)
  for (const cluster of clusters) await cluster.close()
})
