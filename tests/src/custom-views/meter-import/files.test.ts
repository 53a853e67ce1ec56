import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import { FileRefused } from '../../../../src/lib/spreadsheet/file-fault.ts'
import { openFile } from '../../../../src/lib/spreadsheet/open-file.ts'
import { type ReadRows, toImportRows } from '../../../../src/custom-views/meter-import/reading/import-rows.ts'
import { type Reading, readMeaning } from '../../../../src/custom-views/meter-import/reading/infer.ts'

const FILES = 'tests/data/imports'
const NOW = Date.parse('2026-11-29T00:00:00Z')
const QUARTER_MS = 900_000

/** A file with the right energy of its meters, as tests/data/imports/README.md describes. */
interface Case {
  file: string
  zone: string
  kind: 'interval' | 'counter'
  /** A meter of the other kind is left out: its energy is in the file twice. */
  meters: Record<string, { kWh: number; from: string; to: string; kind?: string }>
  /** Facts that the file leaves open. */
  answers: ReadingAnswers
  /** Facts that may be asked, and need not be. */
  mayAsk?: Record<string, unknown>
  /** Columns and series that are no energy, with the reason. */
  refused: Record<string, string>
  refusedFile?: string
}
const cases: Case[] = JSON.parse(readFileSync(`${FILES}/index.json`, 'utf8'))
const readable = cases.filter(({ meters }) => Object.keys(meters).length > 0)
const unreadable = cases.filter(({ meters }) => Object.keys(meters).length === 0)

const read = async ({ file, zone }: Case, answers: ReadingAnswers) =>
  readMeaning(
    await openFile(new Blob([readFileSync(`${FILES}/${file}`)])),
    { meters: [], zone, now: NOW },
    answers,
  )

/** Energy, first and last time of a series; lines that are there twice count once, and times with two values not at all. */
function energyOf(rows: ReadRows, { kind }: Reading, uid: string) {
  const meter = rows.uids.indexOf(uid)
  const byTime = new Map<number, { value: number; quarters: number; isClear: boolean }>()
  for (const [at, each] of rows.meters.entries()) {
    if (each !== meter) continue
    const [time, value, quarters] = [rows.timestamps[at], rows.values[at], rows.quarters[at]] as [
      number,
      number,
      number,
    ]
    const known = byTime.get(time)
    byTime.set(time, {
      value,
      quarters,
      isClear: known === undefined || (known.isClear && known.value === value),
    })
  }
  const points = [...byTime].filter(([, { isClear }]) => isClear).toSorted((a, b) => a[0] - b[0])
  const kWh = points.reduce((sum, [, { value }], at) => {
    if (kind === 'interval') return sum + value
    return sum + (at === 0 ? 0 : Math.max(0, value - (points[at - 1] as (typeof points)[number])[1].value))
  }, 0)
  const [first, last] = [points[0], points.at(-1)]
  return {
    kWh,
    from: first?.[0] ?? 0,
    to: (last?.[0] ?? 0) + (kind === 'counter' ? 0 : (last?.[1].quarters ?? 0) * QUARTER_MS),
  }
}

const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-5 * Math.max(1, Math.abs(b))

describe('an import file', () => {
  it.each(readable.map((each) => [each.file, each] as const))('%s has the right energy', async (_, file) => {
    const reading = await read(file, file.answers)
    if ('refused' in reading) throw new Error(`refused: ${reading.refused} ${reading.text}`)
    const uids = reading.series.map((_series, at) => `s${at}`)
    const rows = toImportRows(reading, uids, NOW)
    const series = reading.series.map(({ name }, at) => ({ name, ...energyOf(rows, reading, `s${at}`) }))
    expect(reading.kind).toBe(file.kind)
    for (const [name, { kWh, from, to, kind = file.kind }] of Object.entries(file.meters)) {
      if (kind !== file.kind) continue
      const found = series.findIndex(
        (each) =>
          isClose(each.kWh, kWh) &&
          Math.abs(each.from - Date.parse(from)) < 1_000 &&
          Math.abs(each.to - Date.parse(to)) < 1_000,
      )
      expect([name, found >= 0 || series], JSON.stringify(rows.problems.slice(0, 3))).toEqual([name, true])
      series.splice(found, 1)
    }
    // What is no energy is in no series.
    expect(series.map(({ name }) => name).filter((name) => Object.hasOwn(file.refused, name))).toEqual([])
  })

  it.each(readable.map((each) => [each.file, each] as const))(
    '%s asks only what it leaves open',
    async (_, file) => {
      const reading = await read(file, {})
      if ('refused' in reading) throw new Error(`refused: ${reading.refused} ${reading.text}`)
      const questions = reading.questions.map(({ fact }) => fact)
      const needed = Object.keys(file.answers)
      expect(questions.filter((fact) => !Object.hasOwn(file.mayAsk ?? {}, fact)).toSorted()).toEqual(
        needed.filter((fact) => !Object.hasOwn(file.mayAsk ?? {}, fact)).toSorted(),
      )
    },
  )

  it.each(unreadable.map((each) => [each.file, each] as const))('%s is refused', async (_, file) => {
    const refusal = await read(file, {}).then(
      (reading) => ('refused' in reading ? reading.refused : 'read'),
      (error: unknown) => (error instanceof FileRefused ? error.fault : `threw ${String(error)}`),
    )
    expect(refusal).toBe(file.refusedFile)
  })

  it('leaves at most two facts open, in nine of ten files', () => {
    const few = readable.filter(({ answers }) => Object.keys(answers).length <= 2)
    expect(few.length / readable.length).toBeGreaterThanOrEqual(0.9)
  })
})

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
})()

it.skipIf(!hasPython)(
  'the right energy of the files is what an independent reader in Python computes (skipped without python3)',
  () => {
    const output = execFileSync('python3', [`${FILES}/sums.py`, '--check'], { encoding: 'utf8' })
    expect(output).not.toMatch(/differ/i)
  },
)
