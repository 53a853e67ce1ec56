import { afterEach, beforeEach, expect, it } from 'vitest'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { queryClient } from '../../../src/data/api.ts'
import { allDevicesQuery, devicesQuery } from '../../../src/data/homes.ts'
import { statuses } from '../../../src/data/status-store.ts'
import { answers, server } from '../../support/msw.ts'
import { prepareSession } from '../support/page.tsx'

const status = { PeripheralUID: 'p1', PeripheralType: '516', Timestamp: 1, updateAt: 1, Switch: 1 }

beforeEach(() => {
  prepareSession()
  server.use(answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [status] }))
})
afterEach(() => statuses.clear())

it("stores the statuses of one site's devices", async () => {
  await queryClient.fetchQuery(devicesQuery('h1'))
  expect(statuses.get('p1')).toMatchObject({ Switch: 1 })
})

it('stores the statuses of the devices of all sites, which the search uses', async () => {
  await queryClient.fetchQuery(allDevicesQuery)
  expect(statuses.get('p1')).toMatchObject({ Switch: 1 })
})
