import { formatDecimals } from '../../contract/kernel/numbers.ts'
import { accessSync, constants, existsSync, readFileSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type Config, directoriesOf } from '../config/config.ts'
import { failed, type Finding, passed, reasonOf, warning } from './words.ts'

const GIGABYTE = 1024 ** 3
/** Free space in GB that causes a warning, and that is a failure because a database soon stops. */
const LOW = 5
const FULL = 0.5
/** Maximum time for a listening process to identify itself as a gateway, in ms. */
const ANSWER_TIMEOUT_MS = 2_000

/** Checks the Node.js version; `required` is the range in package.json. */
export function checkProgram(required: string, version = process.versions.node): Finding[] {
  const parts = (text: string) => text.replace(/^\D*/, '').split('.').map(Number)
  const [major = 0, minor = 0] = parts(version)
  const [minMajor = 0, minMinor = 0] = parts(required)
  const isNew = major > minMajor || (major === minMajor && minor >= minMinor)
  return [
    isNew
      ? passed('program', 'nodeFits', { version })
      : failed('program', 'nodeOld', { version, wanted: required }),
  ]
}

/** Checks the free disk space of the data directories. */
export function checkDisk(config: Config): Finding[] {
  const directories = Object.values(directoriesOf(config))
  return directories.length === 0 ? [passed('disk', 'diskUnused')] : directories.map(checkRoom)
}

function checkRoom(directory: string): Finding {
  // The directory is created at the first start.
  let path = directory
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path)
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(path)
    const gigabytes = (bavail * bsize) / GIGABYTE
    const values = { path: directory, free: formatDecimals(gigabytes, 1) }
    if (gigabytes < FULL) return failed('disk', 'diskFull', values)
    return gigabytes < LOW ? warning('disk', 'diskLow', values) : passed('disk', 'diskFree', values)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return failed('disk', 'diskClosed', { path: directory, reason: code ?? reasonOf(error) })
  }
}

/** Checks that each port is available, or already used by a gateway. */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const { PORT, HOST, MQTT_HOST, MQTT_PORT, MQTT_TLS_PORT, MQTT_TLS_CERT } = config
  const ports = [
    { port: PORT, host: HOST, use: config.HTTPS_CERT === undefined ? 'http' : 'https' },
    { port: MQTT_PORT, host: MQTT_HOST, use: 'mqtt' },
    ...(MQTT_TLS_CERT === undefined ? [] : [{ port: MQTT_TLS_PORT, host: MQTT_HOST, use: 'mqtts' }]),
  ].filter(({ port }) => port !== 0)
  const runs = await isGateway(config)
  return Promise.all(
    ports.map(async ({ port, host, use }) => {
      const code = await listenErrorOf(port, host)
      if (code === undefined) return passed('ports', 'portFree', { port, use })
      if (code !== 'EADDRINUSE') return failed('ports', 'portRefused', { port, use, reason: code })
      return runs ? passed('ports', 'portRuns', { port, use }) : failed('ports', 'portTaken', { port, use })
    }),
  )
}

function listenErrorOf(port: number, host: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

async function isGateway({ PORT, HOST, HTTPS_CERT }: Config): Promise<boolean> {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST
  const { request } = await (HTTPS_CERT === undefined ? import('node:http') : import('node:https'))
  return new Promise((resolve) => {
    const outgoing = request(
      // The certificate is issued for another name.
      {
        host,
        port: PORT,
        path: '/health/live',
        timeout: ANSWER_TIMEOUT_MS,
        rejectUnauthorized: false,
      } as object,
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.once('end', () => resolve(text.includes('"live":true')))
        response.once('error', () => resolve(false))
      },
    )
    outgoing.once('timeout', () => outgoing.destroy())
    outgoing.once('error', () => resolve(false))
    outgoing.end()
  })
}

export function checkAddress({ PUBLIC_URL, SECURITY_CONTACT: contact }: Config): Finding[] {
  const securityContact =
    contact === undefined
      ? passed('address', 'securityContactNone')
      : passed('address', 'securityContactSet', { contact })
  if (PUBLIC_URL === undefined) return [warning('address', 'addressNone'), securityContact]
  const { protocol, hostname } = new URL(PUBLIC_URL)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return [
    isSecure
      ? passed('address', 'addressSecure', { url: PUBLIC_URL })
      : warning('address', 'addressPlain', { url: PUBLIC_URL }),
    securityContact,
  ]
}

/** Reads the package.json in a directory or its ancestors. */
export function readPackage(directory: string): { version: string; engines: { node: string } } {
  let at = directory
  while (!existsSync(join(at, 'package.json')) && dirname(at) !== at) at = dirname(at)
  return JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
}
