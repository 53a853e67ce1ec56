/** Widths of characters in ems, as they are about: wide ones of Chinese, Japanese and Korean, others, and others in bold. */
const WIDE = 1
const NARROW = 0.58
const NARROW_BOLD = 0.68
const ELLIPSIS = 0.8
const isWide = (char: string) => (char.codePointAt(0) as number) >= 0x2e80

/** How words are set: their size in px. */
interface Font {
  size: number
  bold?: boolean
}

/** About how wide words are, px. */
export const widthOfText = (text: string, { size, bold = false }: Font): number =>
  [...text].reduce((sum, char) => sum + (isWide(char) ? WIDE : bold ? NARROW_BOLD : NARROW) * size, 0)

/** Words that fit into a width in px, cut short with an ellipsis; empty when not even one character fits. */
export function fitText(text: string, width: number, font: Font): string {
  if (widthOfText(text, font) <= width) return text
  const kept = firstThatFit(text, width - ELLIPSIS * font.size, font)
  // Part of a number would be another number.
  const whole = isNumber(text[kept.length]) ? kept.replace(/[\d.,/]+$/, '') : kept
  return whole === '' ? '' : `${whole.trimEnd()}…`
}

/** Words over lines of the given widths in px, as few of them as it takes; the last is cut short where all are too few. */
export function wrapText(text: string, widths: readonly number[], font: Font): string[] {
  const [width = 0, ...others] = widths
  if (others.length === 0 || widthOfText(text, font) <= width) return [fitText(text, width, font)]
  const kept = firstThatFit(text, width, font)
  // Between words, where letters or digits would be torn apart; a first word that needs more begins in a longer line.
  const isTorn = /[^\s⺀-\uffff]/.test(text[kept.length] ?? '')
  const space = kept.lastIndexOf(' ')
  const end = !isTorn ? kept.length : space > 0 ? space : (others[0] ?? 0) > width ? 0 : kept.length
  return [text.slice(0, end).trimEnd(), ...wrapText(text.slice(end).trimStart(), others, font)]
}

function firstThatFit(text: string, width: number, font: Font): string {
  let kept = ''
  for (const char of text) {
    if (widthOfText(kept + char, font) > width) break
    kept += char
  }
  return kept
}

const isNumber = (char: string | undefined): boolean => char !== undefined && /[\d.,/]/.test(char)
