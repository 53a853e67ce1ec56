import { matchesAllWords } from '../../lib/match-words.ts'

/** Option filter of a select: matches labels that contain every typed word, in any Unicode normalization form. */
export const holdsLabel = (typed: string, option?: { label?: unknown }): boolean =>
  typeof option?.label === 'string' && matchesAllWords(typed)(option.label)
