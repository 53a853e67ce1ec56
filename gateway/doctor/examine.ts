import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { readSecretFiles, SECRETS } from '../lib/settings/secret-files.ts'
import { checkDatabase } from './check-database.ts'
import { checkAddress, checkDisk, checkPorts, checkProgram } from './check-machine.ts'
import { checkBus, checkFiles, checkMail } from './check-services.ts'
import { failed, type Finding, passed, reasonOf, warning, type Topic, TOPICS } from './words.ts'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { type CertificateUse, keyPairPaths } from '../lib/settings/certificates.ts'

const DAY = 86_400_000
/** Days before expiry from which a certificate causes a warning. */
const SOON_DAYS = 14

const CERTS = { https: 'HTTPS_CERT', mqtt: 'MQTT_TLS_CERT', bus: 'BUS_CERT' } as const

/** Checks that each certificate is valid, matches its key, and covers the host name that browsers and hubs use. now  epoch ms */
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
    else if (days < SOON_DAYS) findings.push(warning('certificates', 'certificateSoon', { use, days }))
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

/** Host name that clients verify; undefined if unknown, or if they do not verify it. */
function hostFor({ PUBLIC_URL, HUB_URL }: Config, kind: CertificateUse): string | undefined {
  const url = { https: PUBLIC_URL, mqtt: HUB_URL, bus: undefined }[kind]
  return url === undefined ? undefined : new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
}

type Environment = Readonly<Record<string, string | undefined>>

/** Parameters of an examination in addition to the settings. */
export interface ExamineOptions {
  environment: Environment
  /** Version of the program, and the Node.js version that it requires. */
  version: string
  node: string
  migrations: string
}

/** Examines an installation without changing it. Returns the findings in the order of TOPICS. */
export async function examine({
  environment,
  version,
  node,
  migrations,
}: ExamineOptions): Promise<Finding[]> {
  const { config, findings } = readSettings(environment)
  findings.push(...checkProgram(node))
  if (config) {
    const checks: [Topic, () => Finding[] | Promise<Finding[]>][] = [
      ['disk', () => checkDisk(config)],
      ['ports', () => checkPorts(config)],
      ['address', () => checkAddress(config)],
      ['certificates', () => checkCertificates(config, Date.now())],
      ['database', () => checkDatabase({ config, version, migrations })],
      ['bus', () => checkBus(config)],
      ['files', () => checkFiles(config)],
      ['mail', () => checkMail(config)],
    ]
    const found = checks.map(async ([topic, check]) => {
      try {
        return await check()
      } catch (error) {
        return [failed(topic, 'checkFailed', { reason: reasonOf(error) })]
      }
    })
    findings.push(...(await Promise.all(found)).flat())
  }
  return TOPICS.flatMap((topic) => findings.filter((finding) => finding.topic === topic))
}

/** Reads the settings without generating a missing secret. */
function readSettings(environment: Environment): { config: Config | undefined; findings: Finding[] } {
  const { values } = readSecretFiles(environment)
  const path = join(resolve(values.DATA_DIR ?? '.data'), 'secret')
  const isNew = values.SECRET === undefined && environment['SECRET_FILE'] === undefined && !existsSync(path)
  try {
    const config = readConfig(
      isNew ? { ...environment, SECRET: 'none was made until now' } : { ...environment },
    )
    const read = passed('settings', 'settingsRead')
    return { config, findings: isNew ? [read, passed('settings', 'secretMissing', { path })] : [read] }
  } catch (error) {
    const reasons = error instanceof ConfigError ? error.message.split('\n').slice(1) : [reasonOf(error)]
    return {
      config: undefined,
      findings: reasons.map((reason) => failed('settings', 'settingWrong', { reason: reason.trim() })),
    }
  }
}

/** Creates a function that removes secrets from texts, in case error messages of libraries or servers contain them. */
export function redactor(environment: Environment): (text: string) => string {
  const { values: given } = readSecretFiles(environment)
  const values = SECRETS.flatMap((name) => {
    const value = given[name]
    if (value === undefined) return []
    const password = /^\w+:\/\/[^/?#:@]*:([^/?#]*)@/.exec(value)?.[1]
    return [value, ...(password ? [password, safelyDecoded(password)] : [])]
  })
  // Longest first, because one may contain another.
  const secrets = [...new Set(values)]
    .filter((value) => value.length >= 4)
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text)
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
