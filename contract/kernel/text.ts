/**
 * Display name of a person: first and last name joined, or the one that exists (§3); in Chinese the family name first, without a
 * space. Falls back to the nickname, then to the email address.
 */
export function displayName(person: {
  FirstName: string
  LastName: string
  nickname?: string
  Email: string
}): string {
  const { FirstName: first, LastName: last } = person
  const fullName = /\p{Script=Han}/u.test(first + last)
    ? last + first
    : [first, last].filter(Boolean).join(' ')
  return fullName || person.nickname || person.Email
}

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

/** Right-to-left scripts, and characters that change the direction of the text after them. */
const TURNS =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** Bidirectional isolate characters in a name; an extra one would end the isolate around it. */
const ISOLATES = /[\u2066-\u2069]/g

/**
 * Name for use within a sentence: right-to-left text is wrapped in a first strong isolate (Unicode Bidirectional Algorithm), so
 * that it does not reorder the words around it. Left-to-right text is returned unchanged.
 */
export const isolated = (text: string): string =>
  TURNS.test(text) ? `\u2068${text.replace(ISOLATES, '')}\u2069` : text
