import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Tree = { [key: string]: string | Tree }

const read = (...path: string[]) => JSON.parse(readFileSync(join('locales', ...path), 'utf8')) as Tree
const namesIn = (...path: string[]) =>
  readdirSync(join('locales', ...path)).flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -5)] : []))

/** Texts of a language by namespace, with those of the records in their places, as the screens use them. */
export function readWords(language: string): Record<string, Tree> {
  const words = Object.fromEntries(namesIn(language).map((name) => [name, read(language, `${name}.json`)]))
  const { resources = {}, shell = {} } = words
  for (const file of namesIn(language, 'records')) {
    const { pages = {}, ...own } = read(language, 'records', `${file}.json`)
    resources[file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())] = own
    Object.assign(shell['pages'] as Tree, pages)
  }
  return words
}
