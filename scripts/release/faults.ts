import { readdirSync } from 'node:fs'

/** State of the repository that decides whether a release is allowed. */
export interface Candidate {
  status: string
  /** Versions in package.json and in its lock file. */
  version: string
  locked: string
  changelog: string
  tags: readonly string[]
  /** YYYY-MM-DD */
  today: string
  /** Release and last migration that compat.json recorded last. */
  recorded: { released: string; through?: string | undefined }
  lastMigration: string | undefined
}

/** MAJOR.MINOR.PATCH, with a dash and a label for a release candidate. */
const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z]+(\.[0-9a-z]+)*)?$/
const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/gm

export const tagOf = (version: string): string => `v${version}`

/** Section of CHANGELOG.md for a version: its date, if stated, and its lines; undefined if there is none. */
export function sectionOf(
  changelog: string,
  version: string,
): { date: string | undefined; text: string } | undefined {
  const headings = [...changelog.matchAll(HEADING)]
  const at = headings.findIndex(([, name]) => name === version)
  const heading = headings[at]
  if (!heading) return undefined
  const text = changelog.slice(heading.index + heading[0].length, headings[at + 1]?.index)
  return { date: heading[2], text: text.trim() }
}

/** Reasons against a release, a sentence each; empty if it is allowed. */
export function faultsOf(candidate: Candidate): string[] {
  const { status, version, locked, changelog, tags, today, recorded, lastMigration } = candidate
  const faults: string[] = []
  if (status.trim()) faults.push(`The tree has changes that are not committed:\n${status.trimEnd()}`)
  if (!VERSION.test(version)) faults.push(`package.json: ${version} is no version, as 1.0.0 is`)
  if (locked !== version)
    faults.push(`package-lock.json says ${locked}, package.json ${version}: npm install`)
  if (tags.includes(tagOf(version))) faults.push(`${tagOf(version)} was released already`)
  const section = sectionOf(changelog, version)
  if (!section) faults.push(`CHANGELOG.md has no section "## [${version}] - ${today}"`)
  else if (section.date === undefined) faults.push(`CHANGELOG.md does not say when ${version} was released`)
  else if (section.date > today)
    faults.push(`The changelog says that ${version} is released on ${section.date}`)
  if (section?.text === '') faults.push(`CHANGELOG.md says nothing of ${version}`)
  const unreleased = sectionOf(changelog, 'Unreleased')
  if (unreleased?.text) faults.push('CHANGELOG.md has lines under [Unreleased]: they belong to this version')
  // Later migrations are not compared with a release candidate.
  if (
    VERSION.test(version) &&
    !version.includes('-') &&
    (recorded.released !== version || recorded.through !== lastMigration)
  )
    faults.push(
      `What ${version} uses of its database is not recorded: npx tsx tests/support/record-release.ts`,
    )
  return faults
}

/** File of the latest migration in a directory, by number; undefined if there is none. */
export const lastMigration = (directory: string): string | undefined =>
  readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .at(-1)
