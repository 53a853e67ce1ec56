import { foldText } from '../../contract/kernel/fold-text.ts'

/** Returns a test for texts that contain every searched word, folded by `foldText`; without words every text passes. */
export function matchesAllWords(search: string): (text: string) => boolean {
  const words = foldText(search).split(/\s+/).filter(Boolean)
  return (text) => {
    const folded = foldText(text)
    return words.every((word) => folded.includes(word))
  }
}
