import { readFileSync } from 'node:fs'
import { satisfies } from 'semver'
import { expect, it } from 'vitest'

interface Locked {
  version?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}
const { overrides } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  overrides: Record<string, string>
}

/** Version of another package that a package resolves to: the nearest above it. */
function foundFrom(path: string, name: string): string | undefined {
  for (let above = path; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const found = packages[`${above}${above && '/'}node_modules/${name}`]
    if (found) return found.version
    if (above === '') return undefined
  }
}

// npm 11 ignores an optional peer of another version; npm 10, part of Node.js 20 and 22, rejects the whole file.
it('locks for each package what it asks for, also where that is optional', () => {
  const wrong = Object.entries(packages).flatMap(([path, locked]) =>
    Object.entries({
      ...locked.peerDependencies,
      ...locked.optionalDependencies,
      ...locked.dependencies,
    }).flatMap(([name, asked]) => {
      const version = foundFrom(path, name)
      const range = overrides[name] ?? asked
      // Optional packages may be missing; an alias (npm:…) names another package.
      return version === undefined ||
        range.startsWith('npm:') ||
        satisfies(version, range, { includePrerelease: true })
        ? []
        : [`${path} asks for ${name} ${range} and gets ${version}`]
    }),
  )
  expect(wrong).toEqual([])
})
