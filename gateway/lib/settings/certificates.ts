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
  /** Calls `listener` with each renewed pair. */
  onRenewed?(listener: (pair: Pick<KeyPair, 'cert' | 'key'>) => void): void
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
  const watched = Object.entries(keyPairPaths(config)).map(
    ([use, paths]) => [use, watchKeyPair(paths, deps.log)] as const,
  )
  let cancel = () => {}
  const checkAll = () => {
    for (const [, { look: check }] of watched) check()
    cancel = deps.clock.after(POLL_INTERVAL_MS, checkAll)
  }
  if (watched.length > 0) cancel = deps.clock.after(POLL_INTERVAL_MS, checkAll)
  return { pairs: Object.fromEntries(watched.map(([use, { pair }]) => [use, pair])), close: () => cancel() }
}

function watchKeyPair(paths: { cert: string; key: string }, log: Log) {
  const read = () => ({ cert: readFileSync(paths.cert), key: readFileSync(paths.key) })
  let current = read()
  void new X509Certificate(current.cert)
  let lastLoggedReason = ''
  const listeners: Parameters<NonNullable<KeyPair['onRenewed']>>[0][] = []
  const pair: KeyPair = {
    get cert() {
      return current.cert
    },
    get key() {
      return current.key
    },
    onRenewed: (listener) => void listeners.push(listener),
  }
  function check(): void {
    try {
      const next = read()
      if (next.cert.equals(current.cert) && next.key.equals(current.key)) return
      if (!new X509Certificate(next.cert).checkPrivateKey(createPrivateKey(next.key)))
        throw new Error('The certificate is not of this key')
      current = next
      for (const listener of listeners) listener(next)
      lastLoggedReason = ''
      log.info({ certificate: paths.cert }, 'certificate renewed')
    } catch (err) {
      const reason = (err as Error).message
      if (reason !== lastLoggedReason)
        log.warn({ err, certificate: paths.cert }, 'changed certificate unusable, keeping the previous one')
      lastLoggedReason = reason
    }
  }
  return { pair, look: check }
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
