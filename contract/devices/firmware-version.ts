/**
 * Compares two firmware versions: above 0 if `a` is newer, 0 if they are equal, below 0 if `b` is newer.
 *
 * Dotted numbers compare as numbers, a missing one is 0; a pre-release ("2.0.0-rc.1") precedes its release; a leading "v" and
 * everything after "+" are ignored (Semantic Versioning 2.0.0, also for versions with more or fewer parts).
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)]
  const core = compareParts(left.core, right.core, '0')
  if (core !== 0) return core
  if (!left.pre || !right.pre) return (left.pre ? 0 : 1) - (right.pre ? 0 : 1)
  return compareParts(left.pre.split('.'), right.pre.split('.'), '')
}

function parse(version: string) {
  const [release = ''] = version
    .trim()
    .replace(/^v(?=\d)/i, '')
    .split('+')
  const dash = release.indexOf('-')
  return dash < 0
    ? { core: release.split('.'), pre: undefined }
    : { core: release.slice(0, dash).split('.'), pre: release.slice(dash + 1) }
}

function compareParts(a: readonly string[], b: readonly string[], missing: string): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const order = comparePart(a[i] ?? missing, b[i] ?? missing)
    if (order !== 0) return order
  }
  return 0
}

/** Numbers compare by value and precede words; words compare as strings. */
function comparePart(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (left && right) return Math.sign(Number(a) - Number(b))
  if (left !== right) return a === '' ? -1 : b === '' ? 1 : left ? -1 : 1
  return a < b ? -1 : a > b ? 1 : 0
}
