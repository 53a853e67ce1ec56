import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

/** Writes the bill of materials as CycloneDX: all packages that run or are built into its files, with licenses and hashes. */
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
  // npm uses the name of the directory.
  bom.metadata.component.name = 'building-dashboard'
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
}
