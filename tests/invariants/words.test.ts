import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Spellings for which there is another word (docs/glossary.md), and that word. */
const BANNED: readonly [spelling: RegExp, use: string][] = [
  [/reckon/i, 'compute; of energy: roll up'],
  [/\banew\b/i, 'again'],
  [/\bfor ever\b/i, 'without limit'],
  [/\boutsides\b/i, 'ports'],
  [/\b(overtaken|disputed)\b/i, 'stale, conflicting'],
  [
    /\b(doubts|shortWay|roomy\w*)\b|\bshort way\b/i,
    'unacknowledged writes, publish fast path, level with disk-full recovery',
  ],
  // The state of a reading on the wire keeps its name, and so does its word in an export.
  [/(?<!['"`])withheld|withheld(?!['"`])/, 'quarantined'],
  // So does the count of a coverage, which is no more than a field.
  [/(?<![.'"`])Withheld(?![:'"`])/, 'quarantined'],
  // Calls and tables keep their names: /AddReservation, `reservations`.
  [/(?<!Add|Update|Delete|CheckIn|Get)Reservation|\breservation\b/, 'booking'],
  [/\b(interface|type) \w+Parts\b/, 'options, deps'],
  [/\b(HoldsBar|createRooms)\b/, 'a name of what it is'],
]
/** What the words are of is data, or text that may not change any more. */
const EXEMPT =
  /^(gateway\/store\/migrations\/|tests\/data\/|tests\/invariants\/words\.test\.ts$|package-lock\.json$)/

const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' })
  .split('\0')
  .filter((file) => /\.(ts|tsx|css|json|md|html)$/.test(file) && !EXEMPT.test(file))

it.each(BANNED)('are not spelt %s: the word is %s', (spelling) => {
  const found = files.flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, i) => (spelling.test(line) ? [`${file}:${i + 1} ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
