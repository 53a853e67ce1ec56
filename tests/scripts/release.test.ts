import { describe, expect, it } from 'vitest'
import { type Candidate, faultsOf, sectionOf } from '../../scripts/release/faults.ts'

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.1.0] - 2026-11-27

### Added

- Something.

## [1.0.0] - 2026-10-01

- The first.
`
const good: Candidate = {
  status: '',
  version: '1.1.0',
  locked: '1.1.0',
  changelog: CHANGELOG,
  tags: ['v1.0.0'],
  today: '2026-11-27',
  recorded: { released: '1.1.0', through: '0002_add_names.sql' },
  lastMigration: '0002_add_names.sql',
}

describe('a release', () => {
  it('is made of a clean tree whose changelog says when and what', () => {
    expect(faultsOf(good)).toEqual([])
    expect(faultsOf({ ...good, version: '1.0.0', locked: '1.0.0', tags: [], recorded: { ...good.recorded, released: '1.0.0' } })).toEqual([]) // prettier-ignore
  })

  it.each<[string, Partial<Candidate>, RegExp]>([
    ['the tree has changes', { status: ' M README.md\n' }, /not committed:\n M README\.md$/],
    [
      'the version is none',
      { version: '1.1', locked: '1.1', changelog: '## [1.1] - 2026-11-27\n- x' },
      /no version/,
    ],
    ['the lock file says another version', { locked: '1.0.0' }, /package-lock\.json says 1\.0\.0/],
    ['it was made before', { tags: ['v1.1.0'] }, /released already/],
    [
      'the changelog says nothing of it',
      { changelog: '# Changelog\n' },
      /no section "## \[1\.1\.0\] - 2026-11-27"/,
    ],
    ['the changelog has no date', { changelog: '## [1.1.0]\n\n- x\n' }, /does not say when/],
    ['the date is to come', { today: '2026-11-26' }, /is released on 2026-11-27/],
    [
      'the section is empty',
      { changelog: '## [1.1.0] - 2026-11-27\n\n## [1.0.0] - 2026-10-01\n- x' },
      /says nothing of 1\.1\.0/,
    ],
    [
      'lines were left behind',
      { changelog: CHANGELOG.replace('[Unreleased]\n', '[Unreleased]\n\n- Late.\n') },
      /\[Unreleased\]/,
    ],
    [
      'it was not recorded what it uses of its database',
      { recorded: { released: '1.0.0', through: '0002_add_names.sql' } },
      /1\.1\.0 uses of its database is not recorded/,
    ],
    [
      'migrations came after that was recorded',
      { lastMigration: '0003_drop_names.sql' },
      /record-release\.ts/,
    ],
  ])('is not made when %s', (_, wrong, sentence) => {
    const faults = faultsOf({ ...good, ...wrong })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toMatch(sentence)
  })

  it('takes the lines of its own section', () => {
    expect(sectionOf(CHANGELOG, '1.1.0')).toEqual({ date: '2026-11-27', text: '### Added\n\n- Something.' })
    expect(sectionOf(CHANGELOG, '2.0.0')).toBeUndefined()
  })
})
