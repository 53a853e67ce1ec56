import { basename } from 'node:path'
import { isThorough } from '../../support/thorough.ts'
import { LANGUAGES, type Language } from './words.ts'

/** Language in which a file's journeys run: about half of the files in each. */
export function languageOf(file: string): Language {
  const sum = [...basename(file)].reduce((all, letter) => all + letter.charCodeAt(0), 0)
  return LANGUAGES[(sum + 1) % 2] as Language
}

/** Whether a journey runs with THOROUGH=1 only: the same one runs in the other language. The titles of the two contain their language. */
export function isExcluded({ file, titlePath }: { file: string; titlePath: readonly string[] }): boolean {
  const language = LANGUAGES.find((one) => titlePath.some((title) => title.includes(one)))
  return !isThorough && language !== undefined && language !== languageOf(file)
}
