import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { imports, zoneOf } from '../../scripts/test/import-graph.ts'

/**
 * Folders of the product import each other one way: of any two, at most one imports the other, types included, parent and child included.
 * Dynamic imports are not counted.
 */
const PRODUCT = ['contract', 'gateway', 'src', 'hubs', 'device-link', 'simulator', 'scripts']

/** Pairs of folders that import each other, as `a <-> b`; `folderOf` returns a file's folder, or undefined for none. */
function twoWayPairs(folderOf: (file: string) => string | undefined): string[] {
  const edges = new Set<string>()
  for (const { from, to, kind } of imports) {
    const [a, b] = [folderOf(from), folderOf(to)]
    const counts = kind !== 'later' && PRODUCT.includes(zoneOf(from)) && PRODUCT.includes(zoneOf(to))
    if (counts && a && b && a !== b) edges.add(`${a} ${b}`)
  }
  return [...edges]
    .map((edge) => edge.split(' ') as [string, string])
    .filter(([a, b]) => a < b && edges.has(`${b} ${a}`))
    .map(([a, b]) => `${a} <-> ${b}`)
    .toSorted()
}

const pairs = [
  ...new Set([
    ...twoWayPairs(dirname),
    // `contract/alarms` and all below it, for example.
    ...twoWayPairs((file) =>
      file.split('/').length > 2 ? file.split('/').slice(0, 2).join('/') : undefined,
    ),
  ]),
]

describe('folders of the product', () => {
  it('were read', () => expect(imports.length).toBeGreaterThan(5_000))

  it('import each other one way', () => expect(pairs).toEqual([]))
})
