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
