import { basename } from 'node:path'
import { isThorough } from '../../support/thorough.ts'
import { LANGUAGES, type Language } from './words.ts'

/** The language in which the journeys of a file are walked: about half of the files in each. */
export function languageOf(file: string): Language {
  const sum = [...basename(file)].reduce((all, letter) => all + letter.charCodeAt(0), 0)
  return LANGUAGES[(sum + 1) % 2] as Language
}

/** Whether a journey is left to THOROUGH=1: the same one is walked in the other language. A title names the language of each of the two. */
export function isLeft({ file, titlePath }: { file: string; titlePath: readonly string[] }): boolean {
  const language = LANGUAGES.find((one) => titlePath.some((title) => title.includes(one)))
  return !isThorough && language !== undefined && language !== languageOf(file)
}
