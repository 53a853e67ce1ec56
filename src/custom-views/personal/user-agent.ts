/** Browser and system, to help a user recognize a device. */
export interface DeviceName {
  browser: string | undefined
  system: string | undefined
}

/** In this order, because many browsers also name those they derive from. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bLine\//, 'LINE'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const first = (patterns: readonly [RegExp, string][], text: string) =>
  patterns.find(([pattern]) => pattern.test(text))?.[1]

/** Browser and system of a User-Agent; undefined if not recognized. */
export const readUserAgent = (userAgent: string): DeviceName => ({
  browser: first(BROWSERS, userAgent),
  system: first(SYSTEMS, userAgent),
})
