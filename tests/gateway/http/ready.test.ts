import fastify from 'fastify'
import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { type OperationOptions, serveOperation } from '../../../gateway/http/operation.ts'

async function ready(options: Partial<OperationOptions>) {
  const app = fastify()
  serveOperation(app, {
    version: '0.0.0-test',
    pingDatabase: async () => {},
    areWritesFailing: () => false,
    othersReachDatabase: () => false,
    isBusUnavailable: () => false,
    readWarnings: () => [],
    isBrokerRunning: () => true,
    isClosing: () => false,
    registry: new Registry(),
    metricsToken: undefined,
    ...options,
  })
  const answer = await app.inject({ url: '/health/ready' })
  await app.close()
  return [answer.statusCode, ...answer.json<{ details: string[] }>().details]
}
const database = () => Promise.reject(new Error('away'))

it('is not ready if another gateway has the database and it does not, but is if none has it', async () => {
  expect(await ready({ pingDatabase: database, othersReachDatabase: () => true })).toEqual([
    503,
    'databaseAway',
  ])
  expect(await ready({ pingDatabase: database })).toEqual([200, 'databaseAway'])
  expect(await ready({ othersReachDatabase: () => true })).toEqual([200])
})

it('is ready while disconnected from the others, and not while shutting down', async () => {
  expect(await ready({ isBusUnavailable: () => true })).toEqual([200, 'busAway'])
  expect(await ready({ isClosing: () => true })).toEqual([503, 'ending'])
})
