import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Modules with classes selected by a value, as `styles[name]`: each counts as used if the value includes it. */
const CHOSEN_BY_VALUE = ['dashboard.module.css', 'state-tag.module.css']

interface Declared {
  selectors: string[]
  declarations: string[]
}
interface Sheet {
  path: string
  /** Classes in selectors, except antd's. */
  classes: Set<string>
  /** Classes of other modules that this one composes. */
  composed: { name: string; of: string }[]
  /** Declarations of classes that are a whole selector outside of @media. */
  declared: Map<string, string>
}

const oneSpaced = (text: string) => text.replace(/\s+/g, ' ').trim()
const withoutGlobal = (selector: string) => selector.replace(/:global\((?:[^()]|\([^()]*\))*\)/g, '')

const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).map((file) =>
  join('src', file),
)
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const sheets = new Map(
  files.filter((file) => file.endsWith('.module.css')).map((path) => [path, parse(path, read(path))]),
)

/** Use of a class in a screen: `styles.name`, or `styles[…]`, which has no name. */
interface Use {
  file: string
  sheet: string
  name: string | undefined
}
const uses = files.filter((file) => /\.tsx?$/.test(file)).flatMap(usesOf)

function parse(path: string, text: string): Sheet {
  const sheet: Sheet = { path, classes: new Set(), composed: [], declared: new Map() }
  const effective = new Map<string, Map<string, string>>()
  for (const { selectors, declarations, inside } of rulesOf(text.replace(/\/\*[\s\S]*?\*\//g, ''))) {
    for (const selector of selectors)
      for (const [, name] of withoutGlobal(selector).matchAll(/\.([A-Za-z_][\w-]*)/g))
        sheet.classes.add(name as string)
    for (const line of declarations) {
      const from = /^composes:\s*(.+?)\s+from\s+'([^']+)'$/.exec(line)
      for (const name of from?.[1]?.split(/\s+/) ?? [])
        sheet.composed.push({ name, of: join(dirname(path), from?.[2] as string) })
    }
    if (inside) continue
    for (const selector of selectors.filter((one) => /^\.[\w-]+$/.test(one))) {
      const known = effective.get(selector) ?? new Map<string, string>()
      effective.set(selector, known)
      for (const line of declarations) known.set(line.slice(0, line.indexOf(':')), line)
    }
  }
  for (const [selector, known] of effective)
    sheet.declared.set(selector.slice(1), [...known.values()].sort().join('; '))
  return sheet
}

/** Rules in order; `inside` a block like @media. Braces in strings and nested rules are not supported. */
function* rulesOf(css: string, inside = false): Generator<Declared & { inside: boolean }> {
  let at = 0
  for (;;) {
    const open = css.indexOf('{', at)
    if (open < 0) return
    let depth = 1
    let end = open + 1
    for (; depth > 0; end++) depth += css[end] === '{' ? 1 : css[end] === '}' ? -1 : 0
    const head = css.slice(at, open).trim()
    const body = css.slice(open + 1, end - 1)
    at = end
    if (/^@(media|container|supports)/.test(head)) yield* rulesOf(body, true)
    else if (!head.startsWith('@'))
      yield {
        inside,
        selectors: head.split(/,(?![^(]*\))/).map(oneSpaced),
        declarations: body
          .split(';')
          .map((line) => oneSpaced(line).replace(/^([\w-]+)\s*:\s*/, '$1:'))
          .filter(Boolean),
      }
  }
}

function usesOf(file: string): Use[] {
  const source = read(file)
  const imported = [...source.matchAll(/^import (\w+) from '(\.[^']+\.module\.css)'/gm)]
  const body = source.replace(/^(import|export) .* from '[^']*'$/gm, '')
  return imported.flatMap(([, variable, path]) =>
    [...body.matchAll(new RegExp(`(?<![\\w.'"])${variable}(?:\\.(\\w+)|\\[)`, 'g'))].map(([, name]) => ({
      file,
      sheet: join(dirname(file), path as string),
      name,
    })),
  )
}

describe('style sheets', () => {
  it('say the same in at most two modules', () => {
    const modules = new Map<string, Set<string>>()
    for (const { path, declared } of sheets.values())
      for (const [name, said] of declared)
        modules.set(said, (modules.get(said) ?? new Set()).add(`${relative('src', path)} .${name}`))
    const repeated = [...modules]
      .map(([said, places]) => ({ said, places: [...places] }))
      .filter(({ places }) => new Set(places.map((place) => place.split(' ')[0])).size > 2)
    expect(repeated).toEqual([])
  })

  it('hold no class that no file uses', () => {
    const used = new Set([
      ...uses.map(({ sheet, name }) => `${sheet} ${name}`),
      ...[...sheets.values()].flatMap(({ composed }) => composed.map(({ name, of }) => `${of} ${name}`)),
    ])
    const idle = [...sheets.values()]
      .filter(({ path }) => !CHOSEN_BY_VALUE.includes(basename(path)))
      .flatMap(({ path, classes }) => [...classes].map((name) => `${path} ${name}`))
      .filter((place) => !used.has(place))
    expect(idle).toEqual([])
  })

  it('have every class that a file asks for', () => {
    const missing = uses
      .filter(({ sheet, name }) => name !== undefined && !sheets.get(sheet)?.classes.has(name))
      .map(({ file, name }) => `${file} ${name}`)
    expect(missing).toEqual([])
  })

  it('choose classes by value only where that is said here', () => {
    const found = uses.filter(({ name }) => name === undefined).map(({ sheet }) => basename(sheet))
    expect([...new Set(found)].sort()).toEqual(CHOSEN_BY_VALUE)
  })
})
