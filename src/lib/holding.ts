import { foldText } from './fold-text.ts'

/** What tells whether a text holds every word that is searched for, in any spelling of `foldText`; without words every text does. */
export function holding(search: string): (text: string) => boolean {
  const words = foldText(search).split(/\s+/).filter(Boolean)
  return (text) => {
    const folded = foldText(text)
    return words.every((word) => folded.includes(word))
  }
}
