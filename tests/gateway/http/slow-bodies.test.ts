import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BODY_TIMEOUT_MS } from '../../../gateway/http/server.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
let address: string
beforeAll(async () => {
  world = await startWorld()
  address = await world.gateway.listen(0, '127.0.0.1')
  root = await world.signUp()
})
afterAll(() => world.close())

/** Request whose headers have arrived and whose body has not; `end` sends it. */
async function begin(method: string, path: string, length: number, token = '') {
  const headers = {
    'content-length': length,
    'content-type': 'application/json',
    expect: '100-continue',
    authorization: `Bearer ${token}`,
  }
  const sent = request(address + path, { method, headers })
  const ended = new Promise<number | string>((resolve) => {
    sent.once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  sent.flushHeaders()
  await new Promise((resolve) => sent.once('continue', resolve))
  return { ended, end: (body: string) => sent.end(body), abort: () => sent.destroy() }
}

it('aborts a call whose body does not arrive', async () => {
  const { ended } = await begin('POST', '/ListHome', 10, root.token)
  world.clock.advance(BODY_TIMEOUT_MS)
  expect(await ended).toBe('ECONNRESET')
})

it('is not a server error if the sender disconnects', async () => {
  const gone = new Promise((resolve) =>
    world.gateway.http.server.once('request', (_, answer) => answer.once('close', resolve)),
  )
  const { abort } = await begin('POST', '/ListHome', 10, root.token)
  abort()
  await gone
  await new Promise(setImmediate)
  expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([])
})

it('waits longer for a firmware file, for slow connections', async () => {
  const asked = { Target: 'hub', FirmwareVersion: '1.0.0', Size: 10 }
  const { UploadUrl } = (await root.post('/UploadFirmware', asked)).results
  const { ended, end } = await begin('PUT', UploadUrl, 10)
  world.clock.advance(10 * BODY_TIMEOUT_MS)
  end('0123456789')
  expect(await ended).toBe(200)
  // Node has its own timeout, on its own clock.
  expect(world.gateway.http.server.requestTimeout).toBeGreaterThanOrEqual(15 * 60_000)
  expect(world.gateway.http.server.headersTimeout).toBeLessThanOrEqual(60_000)
})
