import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { installationOf } from '../cluster/cluster.ts'
import { commandName } from '../lib/command-name.ts'
import { openUserKey } from '../bus/nats.ts'

const USAGE = `Prints the account of this installation for the configuration of NATS servers.

  ${commandName('bus-account')} --seed FILE

Run it with the gateways' SECRET. FILE keeps the seed with which gateways sign in (BUS_NKEY): made for
its owner to read alone, or read where it is there. Nothing that is printed is secret.`

/** Reads the seed from a file, which is created if missing. */
function seedOf(file: string): string {
  try {
    writeFileSync(file, `${openUserKey().seed}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/** Entry of `accounts` in nats.conf that restricts the key to the subjects of the installation. */
function accountOf(installation: string, publicKey: string): string {
  const subjects = `"bd.${installation}.>"`
  return `"bd-${installation}": {
  users: [ { nkey: ${publicKey}, permissions: { publish: ${subjects}, subscribe: ${subjects} } } ]
}
`
}

function main(): void {
  const { values } = parseArgs({
    options: { seed: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return void process.stdout.write(`${USAGE}\n`)
  if (!values.seed) throw new Error(USAGE)
  // A generated secret would match no gateway.
  if (!process.env.SECRET && !process.env.SECRET_FILE) throw new Error('SECRET: is that of the gateways')
  const installation = installationOf(readConfig(process.env).SECRET)
  process.stdout.write(accountOf(installation, openUserKey(seedOf(values.seed)).publicKey))
}

try {
  main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
