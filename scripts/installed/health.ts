/** Health check of an image: whether the gateway of this machine answers, at the address that the environment variables state. */
import { get } from 'node:http'
import { get as getSecurely } from 'node:https'

const { PORT = '8080', HOST = '', HTTPS_CERT = '' } = process.env
const options = {
  host: ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST,
  port: PORT,
  path: '/health/live',
  timeout: 3_000,
  // It queries this machine, whose certificate has another name.
  rejectUnauthorized: false,
}
const end = (isHealthy: boolean) => process.exit(isHealthy ? 0 : 1)
const outgoing = (HTTPS_CERT ? getSecurely : get)(options, ({ statusCode }) => end(statusCode === 200))
outgoing.on('error', () => end(false)).on('timeout', () => end(false))
