import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { drawnFields } from '../../contract/devices/kinds/field-shape.ts'
import { deviceKinds, deviceTypes } from '../../contract/devices/kinds/registry.ts'
import { endpoints, resources } from '../../contract/index.ts'
import { FIELD_REASONS } from '../../contract/kernel/reasons.ts'
import { FEATURES, OPERATIONS } from '../../contract/kernel/permissions.ts'
import { ERRORS } from '../../contract/kernel/errors.ts'
import { COMMAND_FAILURES } from '../../contract/devices/command-calls.ts'
import { CATEGORIES } from '../../contract/devices/kinds/device-kind.ts'
import { paths } from '../../src/navigation/paths.ts'
import { readWords, type Tree } from '../support/read-words.ts'

const NAMESPACES = Object.keys(readWords('zh-TW'))

/** All texts of a language by full key; English plural forms count as their base key. */
function texts(language: string): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (tree: Tree, path: string) => {
    for (const [key, value] of Object.entries(tree))
      if (typeof value === 'string') found.set(`${path}${key}`, value)
      else walk(value, `${path}${key}.`)
  }
  for (const [namespace, tree] of Object.entries(readWords(language))) walk(tree, `${namespace}:`)
  return found
}

const base = (key: string) => key.replace(/_(one|other)$/, '')
const zh = texts('zh-TW')
const en = texts('en-US')
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((found) => found[1]).sort()

/** Without comments, which contain example keys. */
const sources = [
  'src',
  'contract/notifications',
  'contract/reports',
  'gateway/features/notifications',
  'gateway/features/reports',
]
  .flatMap((folder) =>
    (readdirSync(folder, { recursive: true }) as string[]).map((file) => join(folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(file, 'utf8').replace(/\/\*\*.*?\*\//gs, ''))
  .join('\n')

/** Keys as written in the source; a part filled in at run time matches anything. */
const names = NAMESPACES.join('|')
const keyInSource = new RegExp(`['"]((?:${names}):[^'"\\n]*)['"]|\`((?:${names}):[^\`\\n]*)\``, 'g')
const uses = [...sources.matchAll(keyInSource)].map((found) => {
  const escaped = (found[1] ?? (found[2] as string)).replace(/[.$^*+?()[\]|\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\\\$\{[^}]*\}/g, '.+')}$`)
})

describe('locales', () => {
  it('have the same files in both languages', () => {
    const filesOf = (language: string) => readdirSync(join('locales', language), { recursive: true })
    expect(filesOf('en-US')).toEqual(filesOf('zh-TW'))
  })

  it('have every key in both languages', () => {
    const [inZh, inEn] = [new Set([...zh.keys()].map(base)), new Set([...en.keys()].map(base))]
    expect({
      onlyZh: [...inZh].filter((key) => !inEn.has(key)),
      onlyEn: [...inEn].filter((key) => !inZh.has(key)),
    }).toEqual({
      onlyZh: [],
      onlyEn: [],
    })
  })

  it('leave no text empty', () => {
    expect([...zh, ...en].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([])
  })

  it('fill in the same values in both languages', () => {
    const differing = [...en].filter(([key, text]) => {
      const other = zh.get(key) ?? zh.get(base(key)) ?? zh.get(`${base(key)}_other`) ?? ''
      return placeholders(text).join() !== placeholders(other).join() && !key.endsWith('_one')
    })
    expect(differing.map(([key]) => key)).toEqual([])
  })

  it('hold no text that nothing shows', () => {
    const unused = [...new Set([...zh.keys()].map(base))].filter((key) => !uses.some((use) => use.test(key)))
    expect(unused).toEqual([])
  })

  it('have a text for every feature, operation, category, error and command failure of the contract', () => {
    const wanted = [
      ...FEATURES.map((feature) => `shell:features.${feature}`),
      ...OPERATIONS.map((operation) => `shell:operations.${operation}`),
      ...CATEGORIES.flatMap((category) => [`shell:categories.${category}`, `devices:categories.${category}`]),
      ...Object.keys(ERRORS).map((name) => `errors:call.${name}`),
      ...COMMAND_FAILURES.map((reason) => `errors:command.${reason}`),
      ...FIELD_REASONS.map((reason) => `errors:fields.${reason}`),
      ...Object.keys(deviceKinds).map((kind) => `devices:kinds.${kind}`),
      ...Object.keys(paths).map((page) => `shell:pages.${page}`),
    ]
    expect(wanted.filter((key) => !zh.has(key))).toEqual([])
  })

  it('have a text for every call that the audit may show', () => {
    const recorded = endpoints.filter(({ mutates, commitsItself }) => mutates || commitsItself)
    const places = ['audit:', ...Object.keys(resources).map((record) => `resources:${record}.`)]
    const unnamed = recorded.filter(
      ({ path }) => !places.some((place) => zh.has(`${place}calls.${path.slice(1)}`)),
    )
    expect(unnamed.map(({ path }) => path)).toEqual([])
  })

  it('have the text of every key that the source writes out', () => {
    const written = [...sources.matchAll(keyInSource)].flatMap(([, key]) => (key ? [key] : []))
    const keys = new Set([...zh.keys()].map(base))
    expect(written.length).toBeGreaterThan(1_000)
    expect(written.filter((key) => !keys.has(key))).toEqual([])
  })

  it('name every field of a device that is drawn, and each of its values', () => {
    const wanted = deviceTypes
      .flatMap(({ capabilities }) => capabilities)
      .flatMap((capability) => [
        ...drawnFields(capability).map((field) => `devices:fields.${capability.labels?.[field] ?? field}`),
        ...Object.values(capability.choices ?? {}).flatMap((choices) =>
          choices.map(([, name]) => `devices:values.${name}`),
        ),
      ])
    // The last of several, e.g. Switch3, takes its name from its family and its number.
    const named = (key: string) => zh.has(key) || zh.has(key.replace(/\d$/, ''))
    expect([...new Set(wanted)].filter((key) => !named(key))).toEqual([])
  })

  it.each([
    ['zh-TW', zh],
    ['en-US', en],
  ])('write a text of %s in one way: no other article, spacing or punctuation', (_, language) => {
    const plain = (text: string) =>
      text
        .normalize('NFKC')
        .replace(/\b(an?|the) /gi, '')
        .replace(/[\s\-–「」“”]/g, '')
        .replace(/[,;。]/g, '.')
        .replace(/\.$/, '')
    const ways = new Map<string, Set<string>>()
    for (const text of language.values())
      ways.set(plain(text), (ways.get(plain(text)) ?? new Set()).add(text))
    ways.delete('')
    const several = [...ways.values()].filter((texts) => texts.size > 1).map((texts) => [...texts])
    expect(several).toEqual([])
  })

  it('call the list of a record what the menu calls its page', () => {
    const lists = Object.entries(paths).flatMap(([page, { record }]) =>
      record?.as === 'List' && zh.has(`resources:${record.name}.list`) ? [[page, record.name] as const] : [],
    )
    expect(lists.length).toBeGreaterThan(3)
    for (const language of [zh, en])
      expect(
        lists.filter(
          ([page, name]) => language.get(`shell:pages.${page}`) !== language.get(`resources:${name}.list`),
        ),
      ).toEqual([])
  })

  it('spell a word in one way', () => {
    const banned = /e-mail|\blog ?in\b|\blog ?out\b|colour|\w …/i
    expect([...en, ...zh].filter(([, text]) => banned.test(text))).toEqual([])
  })

  it('use the words of Taiwan', () => {
    const foreign =
      /用戶|賬號|登錄|視頻|服務器|網絡|信息|數據|默認|保存|刷新|搜索|導出|創建|禁用|攝像頭|傳感器|固件/
    expect([...zh].filter(([, text]) => foreign.test(text))).toEqual([])
  })
})
