import { hostsOfBus } from '../bus/nodes.ts'
import { MAX_SEALED_BYTES } from '../bus/seal.ts'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../http/caller-address.ts'
import { openFiles } from '../lib/files/open.ts'
import { verifySmtp } from '../lib/mail/outbox.ts'
import { failed, type Finding, passed, reasonOf, warning } from './words.ts'

const ANSWER_TIMEOUT_MS = 5_000
const OLDEST_NATS = [2, 9, 10] as const
const ENOUGH_NODES = 3

/** Checks that the bus meets the requirements of a cluster. */
export async function checkBus(config: Config): Promise<Finding[]> {
  const { BUS_URL: url, BUS_NKEY: nkey, BUS_CA: ca, BUS_CERT: cert, BUS_KEY: key } = config
  if (url === undefined) return [passed('bus', 'busNone')]
  // Loaded on demand, because few installations need the NATS client.
  const [{ connect }, { connectionOptions }, { countNodes }] = await Promise.all([
    import('@nats-io/transport-node'),
    import('../bus/nats.ts'),
    import('../bus/nodes.ts'),
  ])
  const { configured, reachable } = await countNodes(url, { cert, key })
  const findings: Finding[] = []
  if (reachable < configured) findings.push(failed('bus', 'busDown', { up: reachable, named: configured }))
  if (configured < ENOUGH_NODES) findings.push(warning('bus', 'busFew', { named: configured }))
  const isOpen = nkey === undefined && cert === undefined
  if (isOpen && !hostsOfBus(url).every(({ host }) => isLoopback(host)))
    findings.push(warning('bus', 'busOpen'))
  try {
    const options = connectionOptions({ url, inbox: 'bd.doctor', name: 'doctor', nkey, ca, cert, key })
    const connection = await connect({ ...options, reconnect: false, timeout: ANSWER_TIMEOUT_MS })
    const { version = '?', max_payload: bytes = 0 } = connection.info ?? {}
    await connection.close()
    const joined = passed('bus', 'busJoined', { version, up: reachable, named: configured })
    if (isOlder(version, OLDEST_NATS)) findings.push(failed('bus', 'busOld', { version }))
    if (bytes < MAX_SEALED_BYTES) findings.push(failed('bus', 'busSmall', { bytes }))
    return [joined, ...findings]
  } catch (error) {
    return [...findings, failed('bus', 'busAway', { reason: reasonOf(error) })]
  }
}

function isOlder(version: string, minVersion: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  const at = minVersion.findIndex((part, i) => (parts[i] ?? 0) !== part)
  return at >= 0 && (parts[at] ?? 0) < (minVersion[at] ?? 0)
}

export async function checkMail({ SMTP_URL: url }: Config): Promise<Finding[]> {
  if (url === undefined) return [warning('mail', 'mailNone')]
  const { host } = new URL(url)
  try {
    await verifySmtp(url, ANSWER_TIMEOUT_MS)
    return [passed('mail', 'mailAnswers', { host })]
  } catch (error) {
    return [failed('mail', 'mailAway', { host, reason: reasonOf(error) })]
  }
}

export async function checkFiles(config: Config): Promise<Finding[]> {
  const { S3_BUCKET: bucket, FILES_DIR: path } = config
  if (bucket === undefined) return [passed('files', 'filesHere', { path })]
  try {
    const files = await openFiles(config)
    await files.get('doctor/none.bin')
    return [passed('files', 'filesAnswer', { bucket })]
  } catch (error) {
    return [failed('files', 'filesAway', { bucket, reason: reasonOf(error) })]
  }
}
