import { matchesAllWords } from '../../lib/match-words.ts'

/** Filter of a selection's options: those whose label holds every word that was typed, in any Unicode spelling. */
export const holdsLabel = (typed: string, option?: { label?: unknown }): boolean =>
  typeof option?.label === 'string' && matchesAllWords(typed)(option.label)
