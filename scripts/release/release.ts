/**
 * `npm run release`: checks that this commit may be released, writes its bill of materials (dist/building-dashboard-<version>.cdx.json)
 * and tags it. Nothing is pushed.
 *
 * --dry-run  everything but the tag
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Compat } from '../../gateway/store/migrate.ts'
import { writeSbom } from '../package/sbom.ts'
import { faultsOf, sectionOf, tagOf, lastMigration } from './faults.ts'

const MIGRATIONS = 'gateway/store/migrations'
const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' })
const versionIn = (file: string) => (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version

const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } })
const version = versionIn('package.json')
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const faults = faultsOf({
  status: git('status', '--porcelain'),
  version,
  locked: versionIn('package-lock.json'),
  changelog,
  tags: git('tag', '--list').split('\n'),
  today: new Date().toISOString().slice(0, 10),
  recorded: Compat.parse(JSON.parse(readFileSync(`${MIGRATIONS}/compat.json`, 'utf8'))),
  lastMigration: lastMigration(MIGRATIONS),
})
if (faults.length) {
  console.error(faults.join('\n'))
  process.exit(1)
}
const bom = `dist/building-dashboard-${version}.cdx.json`
mkdirSync('dist', { recursive: true })
writeSbom(bom)
console.log(`Made of: ${bom}`)
const tag = tagOf(version)
if (values['dry-run']) console.log(`${tag} would be made of ${git('rev-parse', '--short', 'HEAD').trim()}`)
else {
  const message = `Building Dashboard ${version}\n\n${sectionOf(changelog, version)?.text}\n`
  // Lines that begin with # are headings, not comments.
  execFileSync('git', ['tag', '--annotate', '--cleanup=verbatim', '--file=-', tag], { input: message })
  console.log(
    `Tagged ${tag}; npm run package:deb and the images carry it. git push origin ${tag} makes it known.`,
  )
}
