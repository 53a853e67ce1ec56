import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findHits, type Hit, RULE_NAMES } from './words/find-hits.ts'

/** Places that break a rule, counted by rule and top folder. UPDATE_PLAIN_WORDS=1 lowers the recorded counts. */
type Counts = Record<string, Record<string, number>>

const RECORD = join(import.meta.dirname, 'plain-words.json')
const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Counts
const hits = findHits()
const topOf = ({ file }: Hit) => file.split('/')[0] as string

if (process.env['UPDATE_PLAIN_WORDS'] === '1') {
  const counts: Counts = {}
  for (const rule of RULE_NAMES) {
    const ofRule = hits.filter((hit) => hit.rule === rule)
    const folders = [...new Set(ofRule.map(topOf))].toSorted()
    counts[rule] = Object.fromEntries(
      folders.map((folder) => [folder, ofRule.filter((hit) => topOf(hit) === folder).length]),
    )
  }
  writeFileSync(RECORD, `${JSON.stringify(counts, null, 2)}\n`)
}

it.each(RULE_NAMES)('does not break the rule "%s" in more places than recorded', (rule) => {
  const ofRule = hits.filter((hit) => hit.rule === rule)
  const more = [...new Set(ofRule.map(topOf))].filter(
    (folder) => ofRule.filter((hit) => topOf(hit) === folder).length > (recorded[rule]?.[folder] ?? 0),
  )
  const found = ofRule
    .filter((hit) => more.includes(topOf(hit)))
    .map(({ file, line, text, use }) => `${file}:${line} ${text} → ${use}`)
  expect(found).toEqual([])
})
