import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../../../gateway/kernel/ports.ts'
import { type Building, createBuilding } from '../../../support/building.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'
import { createNotifyingGateways } from '../../../support/told-gateways.ts'

let test: TestDb
let building: Building
beforeAll(async () => {
  test = await createTestDb()
  building = await createBuilding(test.db)
})
afterAll(() => test.dropDatabase())

it('hands a critical message to its transport as soon as its notification is committed', async () => {
  const told = createNotifyingGateways(test.db, building, systemClock)
  await told.addPerson()
  const gateway = told.start({ isListening: true })
  const notice = { severity: 'critical' as const }
  const handed = () =>
    new Promise<number>((resolve) => {
      told.push.resultOf = async () => {
        resolve(performance.now())
        return { status: 'sent' }
      }
    })
  // The listener is active after this.
  const first = handed()
  await told.note(notice)
  const listening = setInterval(() => void gateway.look(), 20)
  await first
  clearInterval(listening)
  await gateway.look()
  const second = handed()
  await told.note(notice)
  const committed = performance.now()
  expect((await second) - committed).toBeLessThan(1_000)
  await gateway.close()
})
