import { startModbusServer } from '../../tests/support/modbus-server.ts'
import { serveParent } from './child.ts'

/** Modbus TCP servers of an independent library, one meter each, with constantly changing values. */
const meters = await Promise.all(Array.from({ length: Number(process.argv[2]) }, () => startModbusServer()))
let now = 0
setInterval(() => {
  now = (now + 1) % 1_000
  for (const [i, meter] of meters.entries())
    for (const start of [0, 100])
      meter.set(
        1,
        'holding',
        start,
        Array.from({ length: 10 }, (_, at) => i + at + now),
      )
}, 1_000)
serveParent({ ports: meters.map(({ port }) => port) }, () => {
  const requestCount = meters.reduce((sum, meter) => sum + meter.requests.length, 0)
  for (const meter of meters) meter.requests.length = 0
  return { asked: requestCount }
})
