/** Widths of characters in ems, as they are about: wide ones of Chinese, Japanese and Korean, and others. */
const WIDE = 1
const NARROW = 0.58
const isWide = (char: string) => (char.codePointAt(0) as number) >= 0x2e80

/** About how wide words are, px. */
export const widthOfText = (text: string, fontSize: number): number =>
  [...text].reduce((sum, char) => sum + (isWide(char) ? WIDE : NARROW) * fontSize, 0)

/** Words that fit into a width in px, cut short with an ellipsis; empty when not even one character fits. */
export function fitText(text: string, width: number, fontSize: number): string {
  if (widthOfText(text, fontSize) <= width) return text
  let used = fontSize
  let kept = ''
  for (const char of text) {
    used += (isWide(char) ? WIDE : NARROW) * fontSize
    if (used > width) break
    kept += char
  }
  return kept === '' ? '' : `${kept.trimEnd()}…`
}
