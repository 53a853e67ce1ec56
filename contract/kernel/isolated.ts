/** Letters that are written from right to left, and marks that turn the direction of what follows. */
const TURNS =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** Beginnings and ends of isolates: one too many would end ours. */
const ISOLATES = /[\u2066-\u2069]/g

/**
 * A name as it stands among other words: in its own direction, and without turning theirs (first strong isolate of the Unicode
 * Bidirectional Algorithm). What is written from left to right stays as it is.
 */
export const isolated = (text: string): string =>
  TURNS.test(text) ? `\u2068${text.replace(ISOLATES, '')}\u2069` : text
