import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Pattern of code that formats a date itself; reading the time zone of the device is allowed. */
const WRITES =
  /toLocale(?:Date|Time)String\(|dateStyle|timeStyle|new Intl\.DateTimeFormat\((?!\)\.resolvedOptions)|new Date\([^)]*\)\s*\.toLocaleString/
/** Modules that format periods, ticks and zone names, none of which is a time. */
const OF_THEIR_OWN = [
  'src/lib/time-zones.ts',
  'src/ui/chart/time-ticks.ts',
  'src/ui/inputs/period-picker/period.ts',
]

/** Pattern of code that formats a time in ISO 8601 in a site's time zone. */
const WRITES_ISO = /\bformatWall\b/
/** Modules that write files, and a field value. */
const FILES = [
  'src/custom-views/history/history-csv.ts',
  'src/lib/export/table.ts',
  'src/lib/export/text-files.ts',
  'src/lib/wall-input.ts',
  'src/record-kit/export/save-list.ts',
]

const filesWith = (pattern: RegExp): string[] =>
  (readdirSync(join(ROOT, 'src'), { recursive: true }) as string[])
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join('src', file))
    .filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')))
    .toSorted()

it('are written by formatWhen alone', () => {
  expect(filesWith(WRITES).filter((file) => !OF_THEIR_OWN.includes(file))).toEqual([])
})

it('stand by ISO 8601 in files alone', () => {
  expect(filesWith(WRITES_ISO)).toEqual(FILES)
})
