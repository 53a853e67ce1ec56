import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { readSecretFiles, SECRETS } from '../lib/settings/secret-files.ts'
import { checkCertificates } from './check-certificates.ts'
import { checkDatabase } from './check-database.ts'
import { checkAddress, checkDisk, checkPorts, checkProgram } from './check-machine.ts'
import { checkBus, checkFiles, checkMail } from './check-services.ts'
import { failed, type Finding, passed, reasonOf } from './finding.ts'
import { type Topic, TOPICS } from './words.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What an examination needs besides the settings. */
export interface ExamineOptions {
  environment: Environment
  /** Of the program, and the Node.js that it wants. */
  version: string
  node: string
  migrations: string
}

/** Looks at an installation and changes nothing. Answers what it found, in the order of TOPICS. */
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

/** The settings, without making a secret where there is none. */
function readSettings(environment: Environment): { config: Config | undefined; findings: Finding[] } {
  const { given } = readSecretFiles(environment)
  const path = join(resolve(given.DATA_DIR ?? '.data'), 'secret')
  const isNew = given.SECRET === undefined && environment['SECRET_FILE'] === undefined && !existsSync(path)
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

/**
 * Takes secrets out of a text: nothing puts one in, but what libraries and servers say of an error is theirs.
 *
 * returns  a function on texts
 */
export function redactor(environment: Environment): (text: string) => string {
  const { given } = readSecretFiles(environment)
  const values = SECRETS.flatMap((name) => {
    const value = given[name]
    if (value === undefined) return []
    const password = /^\w+:\/\/[^/?#:@]*:([^/?#]*)@/.exec(value)?.[1]
    return [value, ...(password ? [password, safelyDecoded(password)] : [])]
  })
  // The longest first: one may hold another.
  const secrets = [...new Set(values)]
    .filter((value) => value.length >= 4)
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((left, secret) => left.replaceAll(secret, '•••'), text)
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
