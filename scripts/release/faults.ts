/** What a release is judged by. */
export interface Candidate {
  /** What `git status --porcelain` prints. */
  status: string
  /** Of package.json, and of its lock file. */
  version: string
  locked: string
  changelog: string
  /** Tags that there are. */
  tags: readonly string[]
  /** YYYY-MM-DD */
  today: string
  /** Of compat.json: the release whose use of the database was recorded last, and its last migration. */
  recorded: { released: string; through?: string | undefined }
  /** The last migration that there is. */
  lastMigration: string | undefined
}

/** MAJOR.MINOR.PATCH, and for a candidate a dash and what it is called. */
const VERSION = /^\d+\.\d+\.\d+(-[0-9a-z]+(\.[0-9a-z]+)*)?$/
const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/gm

/** The tag of a version. */
export const tagOf = (version: string): string => `v${version}`

/** What CHANGELOG.md says of a version: its date, where it has one, and its lines; undefined when it says nothing of it. */
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

/** Why this may not be released, a sentence each; none when it may. */
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
  // A candidate is not what later migrations are held against.
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
