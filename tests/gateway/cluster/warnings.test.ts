import { expect, it } from 'vitest'
import { readinessWarnings } from '../../../gateway/cluster/cluster.ts'

const other = (age: number) => ({ id: 'g-1', name: 'one', version: '0', age })
const database = { syncStandbys: 1 }

it('lists what a gateway lacks to survive the next failure', () => {
  expect(readinessWarnings([other(500)], { configured: 3, reachable: 3 }, database)).toEqual([])
  expect(readinessWarnings([], { configured: 3, reachable: 2 }, { syncStandbys: 0 })).toEqual([
    'noOtherGateway',
    'fewBusNodes',
    'noSyncStandby',
  ])
  expect(readinessWarnings([other(10_000)], { configured: 1, reachable: 1 }, database)).toEqual([
    'noOtherGateway',
    'fewBusNodes',
  ])
})

it('ignores unknown values', () => {
  expect(readinessWarnings([other(0)], undefined, undefined)).toEqual([])
  expect(readinessWarnings([other(0)], undefined, { syncStandbys: undefined })).toEqual([])
})
