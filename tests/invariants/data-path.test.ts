import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))

const linesWith = (pattern: RegExp, among: readonly string[]): string[] =>
  among.flatMap((file) =>
    readFileSync(join(SRC, file), 'utf8')
      .split('\n')
      .flatMap((line) => (pattern.test(line) ? [`${file}: ${line.trim()}`] : [])),
  )
const screens = files.filter((file) => !/^(data|live)\//.test(file))

it('leaves what is old to one rule: no screen touches the cache of answers', () => {
  const touches = /\b(invalidateQueries|refetchQueries|resetQueries|removeQueries|setQueryData)\b/
  expect(linesWith(touches, screens)).toEqual([])
})

it('has no screen make a key of its own for an answer', () => {
  const own = /queryKey: (?!callKey\(|\[\.\.\.(callKey\(|queryKey\b)|readonly )/
  expect(linesWith(own, screens)).toEqual([])
})

it('has every change sent by useAction, which keeps what is under way', () => {
  expect(linesWith(/\bset(Is)?Busy\b|\buse(Save|Act|Change|SavePersonal)\b/, screens)).toEqual([])
})
