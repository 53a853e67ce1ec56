/**
 * One spelling of texts that people read as the same: composed and decomposed Unicode, full and half width, letters with and
 * without accents (José, jose), any letter case. The database has the same as the function `fold_text`.
 */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    // Other scripts keep their marks: か and が are two letters.
    .normalize('NFKC')
