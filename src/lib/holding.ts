/**
 * One spelling of texts that people read as the same: composed and decomposed Unicode, full and half width, letters with and
 * without accents (José, jose), any letter case.
 */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    // Other scripts keep their marks: か and が are two letters.
    .normalize('NFKC')

/** Returns a test for texts that contain every searched word, folded by `foldText`; without words every text passes. */
export function holding(search: string): (text: string) => boolean {
  const words = foldText(search).split(/\s+/).filter(Boolean)
  return (text) => {
    const folded = foldText(text)
    return words.every((word) => folded.includes(word))
  }
}
