/** Approximate widths of characters in em: wide ones (Chinese, Japanese, Korean), others, others in bold. */
const WIDE = 1
const NARROW_WIDTH_EM = 0.58
const NARROW_BOLD_WIDTH_EM = 0.68
const ELLIPSIS = 0.8
const isWide = (char: string) => (char.codePointAt(0) as number) >= 0x2e80

/** Font of a text; size in px. */
interface Font {
  size: number
  bold?: boolean
}

/** Approximate width of a text, px. */
export const widthOfText = (text: string, { size, bold = false }: Font): number =>
  [...text].reduce(
    (sum, char) => sum + (isWide(char) ? WIDE : bold ? NARROW_BOLD_WIDTH_EM : NARROW_WIDTH_EM) * size,
    0,
  )

/** Text truncated with an ellipsis to a width in px; empty if not even one character fits. */
export function fitText(text: string, width: number, font: Font): string {
  if (widthOfText(text, font) <= width) return text
  const fittingText = firstThatFit(text, width - ELLIPSIS * font.size, font)
  // A truncated number would be a different number.
  const trimmed = isNumber(text[fittingText.length]) ? fittingText.replace(/[\d.,/]+$/, '') : fittingText
  return trimmed === '' ? '' : `${trimmed.trimEnd()}…`
}

/** Text wrapped into lines of the given widths in px, as few as possible; the last line is truncated if the text is too long. */
export function wrapText(text: string, widths: readonly number[], font: Font): string[] {
  const [width = 0, ...otherWidths] = widths
  if (otherWidths.length === 0 || widthOfText(text, font) <= width) return [fitText(text, width, font)]
  const fittingText = firstThatFit(text, width, font)
  // Breaks at a space, not within a word of letters or digits; a first word that does not fit starts in the next line if that is longer.
  const isTorn = /[^\s⺀-\uffff]/.test(text[fittingText.length] ?? '')
  const space = fittingText.lastIndexOf(' ')
  const end = !isTorn
    ? fittingText.length
    : space > 0
      ? space
      : (otherWidths[0] ?? 0) > width
        ? 0
        : fittingText.length
  return [text.slice(0, end).trimEnd(), ...wrapText(text.slice(end).trimStart(), otherWidths, font)]
}

function firstThatFit(text: string, width: number, font: Font): string {
  let fittingText = ''
  for (const char of text) {
    if (widthOfText(fittingText + char, font) > width) break
    fittingText += char
  }
  return fittingText
}

const isNumber = (char: string | undefined): boolean => char !== undefined && /[\d.,/]/.test(char)
