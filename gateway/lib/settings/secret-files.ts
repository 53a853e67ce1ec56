import { readFileSync } from 'node:fs'

/** Variables that contain a secret. Each can be in a file instead, whose path is in the variable of this name plus `_FILE`. */
export const SECRETS = [
  'SECRET',
  'API_KEY',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'SMTP_URL',
  'BUS_NKEY',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
] as const

/**
 * Reads the variables, with the content of secret files in place of their paths. An empty variable counts as not set.
 *
 * returns  errors: one line for each secret that is given twice, or whose file is unreadable or empty; never its content
 */
export function readSecretFiles(environment: Readonly<Record<string, string | undefined>>): {
  values: Record<string, string>
  errors: string[]
} {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) if (value) values[name] = value
  const errors: string[] = []
  for (const name of SECRETS) {
    const variable = `${name}_FILE`
    const path = values[variable]
    if (path === undefined) continue
    delete values[variable]
    if (values[name] !== undefined) {
      errors.push(`${name} and ${variable} are both set; leave one out`)
      continue
    }
    const result = readSecret(path)
    if ('error' in result) errors.push(`${variable}: ${path} ${result.error}`)
    else values[name] = result.secret
  }
  return { values, errors }
}

function readSecret(path: string): { secret: string } | { error: string } {
  try {
    // Editors and `echo` append a line break, which is not part of the secret.
    const secret = readFileSync(path, 'utf8').trim()
    return secret === '' ? { error: 'is empty' } : { secret }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return { error: code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})` }
  }
}
