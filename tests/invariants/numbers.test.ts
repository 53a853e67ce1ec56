import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

const filesIn = (folder: string, ending: RegExp): string[] =>
  (readdirSync(join(ROOT, folder), { recursive: true }) as string[])
    .filter((file) => ending.test(file))
    .map((file) => join(folder, file))

const sources = ['src', 'contract', 'gateway'].flatMap((folder) => filesIn(folder, /\.tsx?$/))

/** Lines of files that match a pattern, as "file:line". */
const linesWith = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        pattern.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [],
      ),
  )

/** Modules with numbers that are no texts of screens, durations in words, and imports, which show the figures of a file. */
const EXEMPT = [
  'contract/kernel/numbers.ts',
  'src/custom-views/alarms/use-alarm-words.ts',
  'src/custom-views/dashboard/tiles/tile-energy.tsx',
  'src/custom-views/device-panel/report-faults.tsx',
  'src/custom-views/meter-import/',
  'src/lib/export/table.ts',
  'src/lib/spreadsheet/',
  'src/ui/inputs/stepper.tsx',
]

it('formats numbers in one module', () => {
  const files = sources.filter((file) => !EXEMPT.some((exempt) => file.startsWith(exempt)))
  expect(linesWith(files, /\.toFixed\(|\.toLocaleString\(|Intl\.NumberFormat/)).toEqual([])
})

/** A digit or a filled-in value. */
const NUMBER = String.raw`(?:\d|\}\}?)`

describe.each([
  ['texts', filesIn('locales', /\.json$/)],
  ['source', sources],
])('in %s', (_, files) => {
  it.each([
    ['power is in kW, never in W', new RegExp(String.raw`${NUMBER} ?W(?![\w/])`)],
    ['"%" follows its number without a space', new RegExp(String.raw`${NUMBER} %(?=["'\`）)]|\W*$)`)],
    ['the currency precedes its number', new RegExp(String.raw`${NUMBER} ?NT\$(?! ?[\d{])`)],
    ['energy and money have no two decimals', /\d\.\d\d (?:kWh|度)|NT\$ [\d,]*\d\.\d\d/],
  ])('%s', (__, pattern) => expect(linesWith(files, pattern)).toEqual([]))
})
