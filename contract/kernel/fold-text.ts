/**
 * Normalizes a text for comparison: ignores Unicode composition, full and half width, accents (José, jose) and case. The database
 * function `fold_text` does the same.
 */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    // Recompose marks of other scripts: か and が are two characters.
    .normalize('NFKC')
