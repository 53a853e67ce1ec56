import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deviceKinds } from '../../contract/device-kinds/registry.ts'
import { CATEGORIES } from '../../contract/device-kinds/device-kind.ts'
import { FEATURES, OPERATIONS } from '../../contract/features.ts'
import { ERRORS } from '../../contract/kernel/errors.ts'
import { FIELD_REASONS } from '../../contract/kernel/reasons.ts'
import { COMMAND_FAILURES } from '../../contract/procedures/commands.ts'

const ROOT = join(import.meta.dirname, '../..')
type Tree = { [key: string]: string | Tree }

/** Every text by `namespace:dotted.key`. */
function texts(language: string): Map<string, string> {
  const all = new Map<string, string>()
  const walk = (tree: Tree, prefix: string) => {
    for (const [key, value] of Object.entries(tree))
      if (typeof value === 'string') all.set(prefix + key, value)
      else walk(value, `${prefix}${key}.`)
  }
  for (const file of readdirSync(join(ROOT, 'locales', language)))
    walk(
      JSON.parse(readFileSync(join(ROOT, 'locales', language, file), 'utf8')),
      `${file.replace('.json', '')}:`,
    )
  return all
}

const zh = texts('zh-TW')
const en = texts('en-US')
/** English has a singular that Chinese does not. */
const baseKey = (key: string) => key.replace(/_(one|other)$/, '')
const bases = (all: Map<string, string>) => new Set([...all.keys()].map(baseKey))
const placeholders = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map((found) => found[1]).toSorted()

/** What of a locale the contract needs; a map of the contract names to their place. */
const NEEDED: [string, readonly string[]][] = [
  ['errors:fields', FIELD_REASONS],
  ['errors:call', Object.keys(ERRORS)],
  ['errors:command', COMMAND_FAILURES],
  ['shell:features', FEATURES],
  ['shell:operations', OPERATIONS],
  ['devices:kinds', Object.keys(deviceKinds)],
  ['devices:categories', CATEGORIES],
]

describe('the locales', () => {
  it('have the same keys in both languages', () => {
    expect([...bases(en)].filter((key) => !bases(zh).has(key))).toEqual([])
    expect([...bases(zh)].filter((key) => !bases(en).has(key))).toEqual([])
  })

  it('have no empty text', () => {
    for (const [key, text] of [...zh, ...en]) expect(text.trim(), key).not.toBe('')
  })

  it('use the same placeholders in both languages', () => {
    for (const [key, text] of en)
      for (const [zhKey, zhText] of zh)
        if (baseKey(zhKey) === baseKey(key) && !key.endsWith('_one'))
          expect(placeholders(text), key).toEqual(placeholders(zhText))
  })

  it('say everything in Chinese in Chinese', () => {
    const latinOnly = [...zh].filter(([, text]) => !/\p{Script=Han}/u.test(text.replace(/\{\{.*?\}\}/g, '')))
    const wordless = latinOnly.filter(([, text]) => /[A-Za-z]{6,}/.test(text.replace(/\{\{.*?\}\}/g, '')))
    expect(wordless.filter(([, text]) => !/English|Dashboard v|kWh|example|@/.test(text))).toEqual([])
  })

  it('leave no Chinese in English but the name of the language', () => {
    expect([...en].filter(([, text]) => /\p{Script=Han}/u.test(text) && text !== '繁體中文')).toEqual([])
  })

  it('use the words of Taiwan', () => {
    const foreign =
      /用戶|設備商|賬號|登錄|視頻|服務器|網絡|信息|數據|默認|保存|刷新|搜索|導出|創建|禁用|攝像頭|傳感器|固件/
    expect([...zh].filter(([, text]) => foreign.test(text))).toEqual([])
  })

  it.each(NEEDED)('name everything of the contract under %s', (prefix, names) => {
    expect(names.filter((name) => !bases(zh).has(`${prefix}.${name}`))).toEqual([])
  })
})

describe('the screens', () => {
  const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'))
    .join('\n')
  const literals = new Set(
    [...source.matchAll(/['"`]([a-z]+:[\w.-]+)['"`]/g)].map((found) => found[1] as string),
  )
  const patterns = [...source.matchAll(/`([a-z]+:(?:[\w.-]|\$\{[^}]*\})+)`/g)].map(
    (found) =>
      new RegExp(`^${(found[1] as string).replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w.-]+')}$`),
  )

  it('use every key', () => {
    const unused = [...bases(zh)].filter(
      (key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)),
    )
    expect(unused).toEqual([])
  })
})
