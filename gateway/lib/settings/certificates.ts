import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../../config.ts'

/** A certificate that the gateway shows. */
export interface OwnCertificate {
  use: 'https' | 'mqtt' | 'bus'
  path: string
  certificate: X509Certificate
}

/**
 * The certificates of a configuration.
 *
 * errors    when a file cannot be read, or is no certificate
 */
export function readCertificates(
  config: Pick<Config, 'HTTPS_CERT' | 'MQTT_TLS_CERT' | 'BUS_CERT'>,
): OwnCertificate[] {
  const paths = { https: config.HTTPS_CERT, mqtt: config.MQTT_TLS_CERT, bus: config.BUS_CERT }
  return (['https', 'mqtt', 'bus'] as const).flatMap((use) => {
    const path = paths[use]
    return path === undefined ? [] : [{ use, path, certificate: new X509Certificate(readFileSync(path)) }]
  })
}

/** certificate_expires_timestamp_seconds in a Prometheus registry: of what the gateway has read, which is what it shows. */
export function createCertificateMetrics(registry: Registry, certificates: readonly OwnCertificate[]): void {
  const expires = new Gauge({
    name: 'certificate_expires_timestamp_seconds',
    help: 'When a certificate that this gateway shows ends, in Unix seconds',
    labelNames: ['use'],
    registers: [registry],
  })
  for (const { use, certificate } of certificates)
    expires.set({ use }, Date.parse(certificate.validTo) / 1000)
}
