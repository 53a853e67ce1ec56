/**
 * Formats that Excel stores by number only (ECMA-376, 18.8.30) and SheetJS does not know: money, and dates and times of its East Asian
 * versions, which differ in notation only.
 */
const IMPLICIT_FORMATS: readonly (readonly [code: string, ids: readonly number[]])[] = [
  ['"$"#,##0', [5, 6, 42]],
  ['"$"#,##0.00', [7, 8, 44]],
  ['#,##0', [41]],
  ['#,##0.00', [43]],
  ['yyyy/m/d', [27, 28, 29, 30, 31, 36, 50, 51, 54, 57, 58]],
  ['h:mm:ss', [32, 33, 34, 35, 52, 53, 55, 56]],
]

/** Style sheet with definitions of the formats that it uses by number only. */
export function addImplicitFormats(styles: Uint8Array): Uint8Array {
  const xml = new TextDecoder().decode(styles)
  const isUsed = (id: number) => xml.includes(`numFmtId="${id}"`)
  const isDefined = (id: number) => new RegExp(`<(?:\\w+:)?numFmt\\s[^<>]*\\bnumFmtId="${id}"`).test(xml)
  const missing = IMPLICIT_FORMATS.flatMap(([code, ids]) => ids.map((id) => ({ code, id }))).filter(
    ({ id }) => isUsed(id) && !isDefined(id),
  )
  const root = /<(\w+:)?styleSheet\b[^<>]*>/.exec(xml)
  if (missing.length === 0 || !root) return styles
  const prefix = root[1] ?? ''
  const definitions = missing
    .map(
      ({ code, id }) => `<${prefix}numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    )
    .join('')
  const list = /<(?:\w+:)?numFmts\b[^<>]*[^<>/]>/.exec(xml)
  const at = list ? list.index + list[0].length : root.index + root[0].length
  const added = list ? definitions : `<${prefix}numFmts>${definitions}</${prefix}numFmts>`
  return new TextEncoder().encode(xml.slice(0, at) + added + xml.slice(at))
}
