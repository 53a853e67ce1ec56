import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { deviceTypes } from '../../contract/devices/kinds/registry.ts'
import { channels } from '../../contract/index.ts'

const documents = [
  'README.md',
  'CHANGELOG.md',
  ...(readdirSync('docs', { recursive: true }) as string[])
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]
const read = (file: string) => readFileSync(file, 'utf8')

/** Anchor of a heading in links: lower case, dashes instead of spaces, no punctuation. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
const anchors = (file: string) =>
  [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading as string))

/** Targets of a page's links, without web addresses. */
const targetsOf = (file: string) =>
  [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !/^https?:/.test(link))

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const dead = documents.flatMap((file) =>
      targetsOf(file)
        .filter((link) => {
          const [path = '', heading] = link.split('#')
          const target = path ? join(dirname(file), path) : file
          return !existsSync(target) || (heading !== undefined && !anchors(target).includes(heading))
        })
        .map((link) => `${file}: ${link}`),
    )
    expect(dead).toEqual([])
  })

  it('name only files of the tree that exist', () => {
    const zones = 'src|contract|gateway|device-link|hubs|simulator|tests|bench|scripts|locales|deploy'
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(new RegExp(`\`((?:${zones})/[\\w./-]*)\``, 'g'))].map(
        ([, path]) => path as string,
      ),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  it('number the decisions without a hole, except those that were merged into 0006', () => {
    const merged = ['0048', '0049', '0050', '0051', '0052', '0053']
    const numbers = [...readdirSync('docs/decisions').map((file) => file.slice(0, 4)), ...merged]
    expect(numbers.toSorted()).toEqual(numbers.map((_, i) => String(i + 1).padStart(4, '0')))
  })

  it('number each of their sections once', () => {
    for (const file of documents) {
      const numbers = [...read(file).matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number)
      expect(numbers, file).toEqual([...new Set(numbers)])
    }
  })

  it('name only commands that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = documents.flatMap((file) =>
      [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name as string),
    )
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })

  it('say what each environment variable of the gateway is, and of none that it does not read', () => {
    const table = read('docs/operating/configuration.md')
    const named = [...table.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name)
    const taken = [
      ...read('gateway/config/config.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): (?!string|boolean)/gm),
    ]
    expect([...new Set(named)].sort()).toEqual(taken.map(([, name]) => name).sort())
  })

  it('describe every measurement', () => {
    const page = read('docs/operating/measurements.md')
    const names = [...read('bench/run.ts').matchAll(/^ {2}'?([\w-]+)'?: \(\) => import/gm)]
    expect(names.map(([, name]) => name).filter((name) => !page.includes(`\n| \`${name}\` |`))).toEqual([])
  })
})

describe('the hub protocol', () => {
  const page = read('docs/hub-protocol.md')
  const chapter = (heading: RegExp) => page.split(/^## /m).find((text) => heading.test(text)) ?? ''
  const devices = chapter(/^5\. /)

  it('has a row of four cells for every device type', () => {
    const rows = devices.split('\n').filter((line) => /^\| `\d{3}`/.test(line))
    expect(rows.filter((row) => row.split('|').length !== 6)).toEqual([])
    const types = rows.flatMap((row) => row.split('|')[1]?.match(/\d{3}/g) ?? [])
    expect(types.sort()).toEqual(deviceTypes.map(({ type }) => type).sort())
  })

  it('says what every field means that a device may report', () => {
    // "`Power1`-`Power3`" includes those in between.
    const named = new Set([...devices.matchAll(/`(\w+)`/g)].map(([, name]) => name as string))
    for (const [, name, first, last] of devices.matchAll(/`([A-Za-z]+)(\d)`(?:-| to )`\1(\d)`/g))
      for (let one = Number(first); one <= Number(last); one++) named.add(`${name}${one}`)
    const fields = deviceTypes.flatMap(({ capabilities }) =>
      capabilities.flatMap(({ status }) => Object.keys(status)),
    )
    expect([...new Set(fields)].filter((field) => !named.has(field))).toEqual([])
  })

  it('lists every topic that a hub may use', () => {
    const topics = chapter(/^4\. /)
    const used = Object.values(channels)
      .filter(({ publishers, subscribers }) =>
        [...publishers, ...subscribers].some((party: string) => party === 'hub'),
      )
      .map(({ template }) => template)
      .filter((template) => !template.startsWith('$aws'))
    expect(used.filter((template) => !topics.includes(`| \`${template}\` |`))).toEqual([])
  })
})
