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
/** Files that do not yet. The list may only become shorter. */
const NOT_YET = [
  'src/custom-views/insight/week-table.tsx',
  'src/custom-views/meters/places/hours-words.ts',
  'src/custom-views/tariff/demand-card.tsx',
  'src/custom-views/tariff/off-peak-card.tsx',
]

it('are written by formatWhen alone', () => {
  const found = (readdirSync(join(ROOT, 'src'), { recursive: true }) as string[])
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join('src', file))
    .filter((file) => !OF_THEIR_OWN.includes(file) && WRITES.test(readFileSync(join(ROOT, file), 'utf8')))
  expect(found.toSorted()).toEqual(NOT_YET)
})
