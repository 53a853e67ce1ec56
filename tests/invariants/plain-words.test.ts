import { expect, it } from 'vitest'
import { findHits, RULE_NAMES } from './words/find-hits.ts'

const hits = findHits()

it.each(RULE_NAMES)('does not break the rule "%s"', (rule) => {
  const found = hits
    .filter((hit) => hit.rule === rule)
    .map(({ file, line, text, use }) => `${file}:${line} ${text} → ${use}`)
  expect(found).toEqual([])
})
