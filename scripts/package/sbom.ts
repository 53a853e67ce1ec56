import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Writes what the product is made of as CycloneDX: all packages that run or are built into its files, with licences and hashes. */
export function writeSbom(file: string): void {
  const written = execFileSync(
    'npm',
    [
      'sbom',
      '--package-lock-only',
      '--omit',
      'dev',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
    ],
    { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 },
  )
  const bom = JSON.parse(written) as { metadata: { component: { name: string } } }
  // npm takes the name of the directory.
  bom.metadata.component.name = 'building-dashboard'
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
}
