import { parseArgs } from 'node:util'
import { commandName } from '../lib/command-name.ts'
import { migrationsDirectory } from '../store/migrate.ts'
import { readPackage } from './check-machine.ts'
import { examine, redactor } from './examine.ts'
import { type CheckSeverity, type Language, languageOf, formatMessage, formatTopic } from './words.ts'

const USAGE = `Looks at an installation with the gateway's variables, and says what is wrong with it. It changes nothing.
檢查安裝環境並列出問題；不會變更任何內容。

  ${commandName('doctor')} [--lang zh-TW|en-US]

Exit code 0: nothing keeps the gateway from its work, 1: something does, 2: it was called wrongly.
結束代碼 0：可以運作，1：有錯誤，2：用法錯誤。`

const SYMBOLS: Record<CheckSeverity, string> = { ok: '✓', warning: '!', fault: '✗' }
const isLanguage = (text: string): text is Language => text === 'zh-TW' || text === 'en-US'

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { lang: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  })
  const language = values.lang ?? languageOf(process.env)
  if (values.help || !isLanguage(language)) {
    process.stdout.write(`${USAGE}\n`)
    return values.help ? 0 : 2
  }
  const { version, engines } = readPackage(import.meta.dirname)
  const findings = await examine({
    environment: process.env,
    version,
    node: engines.node,
    migrations: migrationsDirectory(import.meta.dirname),
  })
  const redact = redactor(process.env)
  for (const { topic, severity, messageKey, values } of findings)
    process.stdout.write(
      redact(
        `${SYMBOLS[severity]} ${formatTopic(language, topic)}  ${formatMessage(language, messageKey, values)}\n`,
      ),
    )
  const count = (severity: CheckSeverity) =>
    findings.filter((finding) => finding.severity === severity).length
  const faults = count('fault')
  process.stdout.write(`\n${formatMessage(language, 'summary', { faults, warnings: count('warning') })}\n`)
  return faults > 0 ? 1 : 0
}

await main().then(
  (code) => process.exit(code),
  (error: Error) => {
    process.stderr.write(`${error.message}\n${USAGE}\n`)
    process.exit(2)
  },
)
