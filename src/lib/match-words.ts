import { foldText } from '../../contract/kernel/text.ts'

/** Predicate for texts that contain every word of `search`, folded by `foldText`; without words every text matches. */
export function matchesAllWords(search: string): (text: string) => boolean {
  const words = foldText(search).split(/\s+/).filter(Boolean)
  return (text) => {
    const folded = foldText(text)
    return words.every((word) => folded.includes(word))
  }
}

/** Option filter of a select: matches labels that contain every typed word, in any Unicode normalization form. */
export const holdsLabel = (typed: string, option?: { label?: unknown }): boolean =>
  typeof option?.label === 'string' && matchesAllWords(typed)(option.label)
