import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { type CertificateUse, keyPairPaths } from '../lib/settings/certificates.ts'
import { failed, type Finding, passed, reasonOf, warning } from './finding.ts'

const DAY = 86_400_000
/** Days before its end from which a certificate is said to end soon. */
const SOON = 14

const CERTS = { https: 'HTTPS_CERT', mqtt: 'MQTT_TLS_CERT', bus: 'BUS_CERT' } as const

/** Whether each certificate lasts, goes with its key, and is for the name that people and hubs use. now  epoch ms */
export function checkCertificates(config: Config, now: number): Finding[] {
  const findings = (['https', 'mqtt', 'bus'] as const).flatMap((use) => checkOne(config, use, now))
  return findings.length > 0 ? findings : [passed('certificates', 'certificateNone')]
}

function checkOne(config: Config, kind: CertificateUse, now: number): Finding[] {
  const use = CERTS[kind]
  const paths = keyPairPaths(config)[kind]
  if (!paths) return []
  try {
    const certificate = new X509Certificate(readFileSync(paths.cert))
    if (!certificate.checkPrivateKey(createPrivateKey(readFileSync(paths.key))))
      return [failed('certificates', 'certificateKey', { use })]
    const days = Math.floor((Date.parse(certificate.validTo) - now) / DAY)
    const findings: Finding[] = []
    if (Date.parse(certificate.validFrom) > now)
      findings.push(failed('certificates', 'certificateEarly', { use }))
    else if (days < 0) findings.push(failed('certificates', 'certificateOver', { use }))
    else if (days < SOON) findings.push(warning('certificates', 'certificateSoon', { use, days }))
    else findings.push(passed('certificates', 'certificateFits', { use, days }))
    const host = hostFor(config, kind)
    if (host !== undefined && !isFor(certificate, host))
      findings.push(warning('certificates', 'certificateName', { use, host }))
    return findings
  } catch (error) {
    return [failed('certificates', 'certificateUnread', { use, reason: reasonOf(error) })]
  }
}

const isFor = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined

/** The name under which clients look for it; undefined where it is not known, or they do not look. */
function hostFor({ PUBLIC_URL, HUB_URL }: Config, kind: CertificateUse): string | undefined {
  const url = { https: PUBLIC_URL, mqtt: HUB_URL, bus: undefined }[kind]
  return url === undefined ? undefined : new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
}
