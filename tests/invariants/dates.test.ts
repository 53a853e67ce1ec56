import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** What writes a date by itself, but for the clock of this device, which is asked and not written. */
const WRITES =
  /toLocale(?:Date|Time)String\(|dateStyle|timeStyle|new Intl\.DateTimeFormat\((?!\)\.resolvedOptions)|new Date\([^)]*\)\s*\.toLocaleString/
/** What says periods, ticks and names of zones: none of them is a moment. */
const OF_THEIR_OWN = [
  'src/lib/format-when.ts',
  'src/lib/time-zones.ts',
  'src/ui/chart/time-ticks.ts',
  'src/ui/inputs/period-picker/period.ts',
]

/** What writes a moment by ISO 8601 on a site's clock. */
const WRITES_ISO = /\bformatWall\b/
/** What saves files, and a field's value. */
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
