/** Approximate widths of characters in em: wide ones (Chinese, Japanese, Korean), others, others in bold. */
const WIDE = 1
const NARROW = 0.58
const NARROW_BOLD = 0.68
const ELLIPSIS = 0.8
const isWide = (char: string) => (char.codePointAt(0) as number) >= 0x2e80

/** Font of a text; size in px. */
interface Font {
  size: number
  bold?: boolean
}

/** Approximate width of a text, px. */
export const widthOfText = (text: string, { size, bold = false }: Font): number =>
  [...text].reduce((sum, char) => sum + (isWide(char) ? WIDE : bold ? NARROW_BOLD : NARROW) * size, 0)

/** Text truncated with an ellipsis to a width in px; empty if not even one character fits. */
export function fitText(text: string, width: number, font: Font): string {
  if (widthOfText(text, font) <= width) return text
  const fitting = firstThatFit(text, width - ELLIPSIS * font.size, font)
  // A truncated number would be a different number.
  const trimmed = isNumber(text[fitting.length]) ? fitting.replace(/[\d.,/]+$/, '') : fitting
  return trimmed === '' ? '' : `${trimmed.trimEnd()}…`
}

/** Text wrapped into lines of the given widths in px, as few as possible; the last line is truncated if the text is too long. */
export function wrapText(text: string, widths: readonly number[], font: Font): string[] {
  const [width = 0, ...otherWidths] = widths
  if (otherWidths.length === 0 || widthOfText(text, font) <= width) return [fitText(text, width, font)]
  const fitting = firstThatFit(text, width, font)
  // Breaks at a space, not within a word of letters or digits; a first word that does not fit starts in the next line if that is longer.
  const isTorn = /[^\s⺀-\uffff]/.test(text[fitting.length] ?? '')
  const space = fitting.lastIndexOf(' ')
  const end = !isTorn
    ? fitting.length
    : space > 0
      ? space
      : (otherWidths[0] ?? 0) > width
        ? 0
        : fitting.length
  return [text.slice(0, end).trimEnd(), ...wrapText(text.slice(end).trimStart(), otherWidths, font)]
}

function firstThatFit(text: string, width: number, font: Font): string {
  let fitting = ''
  for (const char of text) {
    if (widthOfText(fitting + char, font) > width) break
    fitting += char
  }
  return fitting
}

const isNumber = (char: string | undefined): boolean => char !== undefined && /[\d.,/]/.test(char)
