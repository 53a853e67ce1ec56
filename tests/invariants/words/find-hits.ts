import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { ROOT } from '../../../scripts/test/import-graph.ts'
import {
  areaOf,
  EXEMPT,
  FILES,
  LETTER,
  LOGS,
  MAY_REPEAT,
  NO_PARTICIPLE,
  OF_ALPHABET,
  PACKAGES,
  PARTICIPLE,
  PHRASES,
  type Rule,
  SPELLINGS,
  STARTS,
  UI,
  VERBS,
} from './rules.ts'

/** Rules of CONTRIBUTING on words that a program can check. */
export const RULE_NAMES = [
  'doc-start',
  'phrase',
  'docs',
  'unit',
  'unique',
  'participle',
  'verb',
  'file',
  'en-US',
  'log',
  'spelling',
] as const
export type RuleName = (typeof RULE_NAMES)[number]

/** A place that breaks a rule. */
export interface Hit {
  rule: RuleName
  file: string
  line: number
  text: string
  /** Words to write instead. */
  use: string
}

interface Comment {
  type: 'Block' | 'Line'
  value: string
  start: number
  end: number
}

/** The part of a syntax tree that the rules read. */
interface SyntaxNode {
  type: string
  start: number
  id?: { name?: string }
  declaration?: SyntaxNode | null
  declarations?: (SyntaxNode & { init?: { type: string; value?: unknown } | null })[]
}

interface Declaration {
  name: string
  isType: boolean
  isExported: boolean
  isNumber: boolean
  at: number
  doc: string
}

/** Reads all tracked files; returns every place that breaks a rule. */
export function findHits(): Hit[] {
  const hits: Hit[] = []
  const places = new Map<string, string[]>()
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\0')
    .filter((file) => file && !EXEMPT.test(file))
  for (const file of files) {
    if (!/\.(ts|tsx|css|json|md|html)$/.test(file)) continue
    const text = readFileSync(join(ROOT, file), 'utf8')
    if (/\.tsx?$/.test(file)) hits.push(...hitsOfCode(file, text, places))
    else if (/\.md$|^locales\/en-US\/.*\.json$/.test(file)) hits.push(...hitsOfLines(file, text))
    hits.push(...hitsOfSpelling(file, text))
  }
  return [...hits, ...repeatedNames(places)]
}

/** `places` collects the files that export each name of a package. */
function hitsOfCode(file: string, text: string, places: Map<string, string[]>): Hit[] {
  const { comments, program } = parseSync(file, text) as {
    comments: Comment[]
    program: { body: SyntaxNode[] }
  }
  const hits: Hit[] = []
  for (const comment of comments) {
    const line = lineOf(text, comment.start)
    const words = comment.value
      .replace(/^\*/, '')
      .replace(/^\s*\* ?/gm, '')
      .trim()
      .replace(/\s+/g, ' ')
    if (comment.type === 'Block' && comment.value.startsWith('*'))
      hits.push(...matches('doc-start', STARTS, words, file, line))
    hits.push(...hitsOfProse('phrase', words, file, line))
  }
  const logCalls =
    /\blog\.(?:info|warn|error|fatal)\(\s*(?:\{[^}]*\}\s*,\s*|[\w.]+,\s*)?(['"`])((?:(?!\1).)*)\1/gs
  for (const call of text.matchAll(logCalls))
    hits.push(...matches('log', LOGS, call[2] ?? '', file, lineOf(text, call.index)))
  if (/^(tests|bench|mock)\//.test(file)) return hits
  const name = basename(file).replace(/\..*$/, '')
  if (FILES.test(name)) hits.push({ rule: 'file', file, line: 1, text: name, use: 'the content of the file' })
  for (const declaration of declarationsOf(program.body, comments, text)) {
    hits.push(...hitsOfName(declaration, file, lineOf(text, declaration.at)))
    if (!declaration.isExported) continue
    const key = `${file.split('/')[0]} ${declaration.name}`
    const others = places.get(key) ?? []
    if (!others.includes(file)) places.set(key, [...others, file])
  }
  return hits
}

function hitsOfName(
  { name, isType, isExported, isNumber, doc }: Declaration,
  file: string,
  line: number,
): Hit[] {
  const hits: Hit[] = []
  if (isNumber && /\b(in|,) ms\b|, ms\b/.test(doc) && !/(_MS|Ms)$/.test(name))
    hits.push({ rule: 'unit', file, line, text: name, use: `${name}_MS` })
  if (!isExported) return hits
  if (isType && PARTICIPLE.test(name) && !NO_PARTICIPLE.test(name))
    hits.push({ rule: 'participle', file, line, text: name, use: 'a noun' })
  if (!isType) hits.push(...matches('verb', VERBS, name, file, line))
  return hits
}

/** Declarations at the top level of a module, each with the comment before it. */
function* declarationsOf(
  body: readonly SyntaxNode[],
  comments: readonly Comment[],
  text: string,
): Generator<Declaration> {
  for (const node of body) {
    const isExported = node.type === 'ExportNamedDeclaration'
    const one = isExported ? node.declaration : node
    if (!one) continue
    const before = comments.findLast(
      (comment) => comment.end <= node.start && !/\S/.test(text.slice(comment.end, node.start)),
    )
    const doc = before?.value ?? ''
    const isType = /^TS(Interface|TypeAlias)/.test(one.type)
    if (one.id?.name) yield { name: one.id.name, isType, isExported, isNumber: false, at: one.start, doc }
    for (const each of one.type === 'VariableDeclaration' ? (one.declarations ?? []) : []) {
      const isNumber =
        /^(BinaryExpression|UnaryExpression)$/.test(each.init?.type ?? '') ||
        typeof each.init?.value === 'number'
      if (each.id?.name)
        yield { name: each.id.name, isType: false, isExported, isNumber, at: each.start, doc }
    }
  }
}

function hitsOfLines(file: string, text: string): Hit[] {
  const hits: Hit[] = []
  let isCode = false
  for (const [i, line] of text.split('\n').entries()) {
    if (!file.endsWith('.md')) {
      const value = /:\s*"(.*)"/.exec(line)?.[1]
      if (value) hits.push(...matches('en-US', UI, value.replace(/\{\{?\w+\}?\}/g, 'x'), file, i + 1))
    } else if (line.startsWith('```')) isCode = !isCode
    else if (!isCode) hits.push(...hitsOfProse('docs', line, file, i + 1))
  }
  return hits
}

/** Quoted words are data: code, names on the wire. */
function hitsOfProse(rule: RuleName, text: string, file: string, line: number): Hit[] {
  const plain = text.replace(/`[^`]*`/g, '`x`')
  const hits = matches(rule, PHRASES, plain, file, line)
  if (LETTER.test(plain) && !OF_ALPHABET.test(plain))
    hits.push({ rule, file, line, text: around(plain, plain.search(LETTER)), use: 'email' })
  return hits
}

const hitsOfSpelling = (file: string, text: string): Hit[] =>
  text.split('\n').flatMap((line, i) => matches('spelling', SPELLINGS, line, file, i + 1))

/** Names that a package exports more than once, except two features or two screens. */
function repeatedNames(places: ReadonlyMap<string, readonly string[]>): Hit[] {
  return [...places].flatMap(([key, files]): Hit[] => {
    const [zone = '', name = ''] = key.split(' ')
    const areas = files.map(areaOf)
    const areApart = !areas.includes(undefined) && new Set(areas).size === areas.length
    if (files.length < 2 || !PACKAGES.includes(zone) || MAY_REPEAT.test(name) || areApart) return []
    return [
      {
        rule: 'unique',
        file: files[0] as string,
        line: 1,
        text: `${name} in ${files.join(', ')}`,
        use: 'one name',
      },
    ]
  })
}

const matches = (rule: RuleName, rules: readonly Rule[], text: string, file: string, line: number): Hit[] =>
  rules.flatMap(([pattern, use]) => {
    const found = pattern.exec(text)
    return found ? [{ rule, file, line, text: around(text, found.index), use }] : []
  })

const around = (text: string, at: number) => text.slice(Math.max(0, at - 50), at + 90).replace(/\s+/g, ' ')
const lineOf = (text: string, at: number) => text.slice(0, at).split('\n').length
