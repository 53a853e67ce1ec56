import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Gauge, type Registry } from 'prom-client'
import type { Clock, Log } from '../../kernel/ports.ts'

const USES = ['https', 'mqtt', 'bus'] as const
/** Use of a certificate: pages, hubs or the other gateways. */
export type CertificateUse = (typeof USES)[number]

/** Certificate and key, PEM. If the files may be renewed, the values are always those of the last valid files. */
export interface KeyPair {
  readonly cert: string | Buffer
  readonly key: string | Buffer
  /** Calls `take` with each renewed pair. */
  onRenewed?(take: (pair: Pick<KeyPair, 'cert' | 'key'>) => void): void
}

export type KeyPairs = Partial<Record<CertificateUse, KeyPair>>

/** Maximum delay until renewed files are detected, in ms. */
const POLL_INTERVAL_MS = 60_000

/** Paths of the certificates and keys. */
type CertificateSettings = {
  [N in 'HTTPS_CERT' | 'HTTPS_KEY' | 'MQTT_TLS_CERT' | 'MQTT_TLS_KEY' | 'BUS_CERT' | 'BUS_KEY']?:
    string | undefined
}

export function keyPairPaths(
  config: CertificateSettings,
): Partial<Record<CertificateUse, { cert: string; key: string }>> {
  const { HTTPS_CERT, HTTPS_KEY, MQTT_TLS_CERT, MQTT_TLS_KEY, BUS_CERT, BUS_KEY } = config
  const named = {
    https: [HTTPS_CERT, HTTPS_KEY],
    mqtt: [MQTT_TLS_CERT, MQTT_TLS_KEY],
    bus: [BUS_CERT, BUS_KEY],
  }
  return Object.fromEntries(
    USES.flatMap((use) => {
      const [cert, key] = named[use]
      return cert === undefined || key === undefined ? [] : [[use, { cert, key }]]
    }),
  )
}

/**
 * Reads the configured certificates, and again when their files change: new connections use the new one. A partially written file, or one
 * that does not match its key, is logged, and the previous one stays in use.
 *
 * errors    if a file cannot be read, or is not a certificate
 */
export function watchKeyPairs(
  config: CertificateSettings,
  deps: { clock: Clock; log: Log },
): { pairs: KeyPairs; close(): void } {
  const followed = Object.entries(keyPairPaths(config)).map(
    ([use, paths]) => [use, follow(paths, deps.log)] as const,
  )
  let cancel = () => {}
  const look = () => {
    for (const [, { look: lookAtOne }] of followed) lookAtOne()
    cancel = deps.clock.after(POLL_INTERVAL_MS, look)
  }
  if (followed.length > 0) cancel = deps.clock.after(POLL_INTERVAL_MS, look)
  return { pairs: Object.fromEntries(followed.map(([use, { pair }]) => [use, pair])), close: () => cancel() }
}

function follow(paths: { cert: string; key: string }, log: Log) {
  const read = () => ({ cert: readFileSync(paths.cert), key: readFileSync(paths.key) })
  let now = read()
  void new X509Certificate(now.cert)
  let told = ''
  const takers: Parameters<NonNullable<KeyPair['onRenewed']>>[0][] = []
  const pair: KeyPair = {
    get cert() {
      return now.cert
    },
    get key() {
      return now.key
    },
    onRenewed: (take) => void takers.push(take),
  }
  function look(): void {
    try {
      const found = read()
      if (found.cert.equals(now.cert) && found.key.equals(now.key)) return
      if (!new X509Certificate(found.cert).checkPrivateKey(createPrivateKey(found.key)))
        throw new Error('The certificate is not of this key')
      now = found
      for (const take of takers) take(found)
      told = ''
      log.info({ certificate: paths.cert }, 'certificate renewed')
    } catch (err) {
      const reason = (err as Error).message
      if (reason !== told)
        log.warn({ err, certificate: paths.cert }, 'changed certificate unusable, keeping the previous one')
      told = reason
    }
  }
  return { pair, look }
}

/** Registers certificate_expires_timestamp_seconds in a Prometheus registry, for the certificates in use. */
export function createCertificateMetrics(registry: Registry, pairs: KeyPairs): void {
  void new Gauge({
    name: 'certificate_expires_timestamp_seconds',
    help: 'When a certificate that this gateway shows ends, in Unix seconds',
    labelNames: ['use'],
    registers: [registry],
    collect() {
      for (const use of USES) {
        const pair = pairs[use]
        if (pair) this.set({ use }, Date.parse(new X509Certificate(pair.cert).validTo) / 1000)
      }
    },
  })
}
