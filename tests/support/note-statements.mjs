// Preloaded (node --import) while a release is recorded: appends each statement that is prepared under a name to the file that
// PREPARED_STATEMENTS names, a JSON line each.
import { appendFileSync } from 'node:fs'
import pg from 'pg'

const file = process.env['PREPARED_STATEMENTS']
const seen = new Set()
const { query } = pg.Client.prototype

pg.Client.prototype.query = function (config, ...rest) {
  if (file && config?.name && !seen.has(config.name) && !config.text.trim().startsWith('explain')) {
    seen.add(config.name)
    appendFileSync(file, `${JSON.stringify([config.name, config.text])}\n`)
  }
  return query.call(this, config, ...rest)
}
