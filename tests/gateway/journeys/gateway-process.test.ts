import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { startGatewayProcess } from '../../../scripts/gateway-process.ts'

it('does not mistake another program for the gateway, and leaves it alone', async () => {
  const other = createServer((_request, response) => response.end('{"ready":true}')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const PORT = String((other.address() as AddressInfo).port)
  try {
    const idle = [process.execPath, '-e', 'setTimeout(() => {}, 5000)']
    const started = startGatewayProcess(idle, { PORT }).then((gateway) => gateway.stop())
    await expect(started).rejects.toThrow(/Another program/)
  } finally {
    other.close()
  }
})
