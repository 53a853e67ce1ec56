import { beforeEach, expect, it, vi } from 'vitest'
import { releaseHubsWithoutDatabase } from '../../../gateway/cluster/cluster.ts'
import { holdClock, type HeldClock } from '../../support/clock.ts'
import { createLogBook } from '../../support/log-book.ts'
import { PATIENT } from '../../support/patient.ts'

let clock: HeldClock
/** Whether this gateway, and the other one, reach the database. */
let here: boolean
let elsewhere: boolean
let did: string[]
let portIsTaken: boolean

beforeEach(() => {
  clock = holdClock()
  here = elsewhere = true
  did = []
  portIsTaken = false
  releaseHubsWithoutDatabase({
    registry: { reachesDatabase: () => here },
    bus: { othersReachDatabase: () => elsewhere },
    broker: {
      drain: async () => void did.push('let go'),
      async acceptHubs() {
        if (portIsTaken) throw new Error('EADDRINUSE')
        did.push('taken')
      },
    },
    clock,
    log: createLogBook(),
  })
})

it('releases hubs once the others have had the database for ten seconds and this gateway has not', () => {
  here = false
  clock.advance(9_000)
  expect(did).toEqual([])
  clock.advance(2_000)
  expect(did).toEqual(['let go'])
  clock.advance(60_000)
  expect(did).toEqual(['let go'])
})

it('keeps hubs through a failover, and while no gateway has the database', () => {
  here = false
  clock.advance(8_000)
  here = true
  clock.advance(1_000)
  here = elsewhere = false
  clock.advance(600_000)
  expect(did).toEqual([])
})

it('accepts hubs again as soon as it has the database, and retries while its port is in use', async () => {
  here = false
  clock.advance(15_000)
  here = portIsTaken = true
  clock.advance(1_000)
  await vi.waitFor(() => expect(did).toEqual(['let go']), PATIENT)
  portIsTaken = false
  await vi.waitFor(() => {
    clock.advance(1_000)
    expect(did).toEqual(['let go', 'taken'])
  }, PATIENT)
})

it('accepts hubs again when the others have lost the database for ten seconds too', async () => {
  here = false
  clock.advance(15_000)
  elsewhere = false
  clock.advance(9_000)
  expect(did).toEqual(['let go'])
  clock.advance(2_000)
  await vi.waitFor(() => expect(did).toEqual(['let go', 'taken']), PATIENT)
})
