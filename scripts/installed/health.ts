/** Whether the gateway of this machine lives, by the variables that say where it answers: for the health check of an image. */
import { get } from 'node:http'
import { get as getSecurely } from 'node:https'

const { PORT = '8080', HOST = '', HTTPS_CERT = '' } = process.env
const options = {
  host: ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST,
  port: PORT,
  path: '/health/live',
  timeout: 3_000,
  // It asks this machine, whose certificate bears another name.
  rejectUnauthorized: false,
}
const end = (lives: boolean) => process.exit(lives ? 0 : 1)
const asked = (HTTPS_CERT ? getSecurely : get)(options, ({ statusCode }) => end(statusCode === 200))
asked.on('error', () => end(false)).on('timeout', () => end(false))
