/**
 * Compares which call changed which entity in a run of the tests with the contract: `changes` of a call lists the entities of its
 * data-change events. The gateway itself checks that a call changes no other entity.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { endpoints } from '../contract/index.ts'
import { ENTITIES } from '../contract/kernel/entities.ts'

/** Environment variable with the file that every test worker appends to; without it nothing is recorded. */
export const EMITTED_CHANGES = 'EMITTED_CHANGES'

const recorded = new Set<string>()
const lineOf = (path: string, entity: string) => `${path} ${entity}`

/** Records that a call changed an entity, once per worker. */
export function recordChange(path: string, entity: string): void {
  const file = process.env[EMITTED_CHANGES]
  const line = lineOf(path, entity)
  if (file === undefined || recorded.has(line)) return
  recorded.add(line)
  appendFileSync(file, `${line}\n`)
}

/** Declared changes of calls that happened in no test of a whole run, e.g. `/DeleteRoom thing`; only entities with data-change events. */
export function neverEmitted(file: string): string[] {
  const emitted = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return endpoints
    .flatMap(({ path, changes }) =>
      ENTITIES.filter((entity) => changes.includes(entity)).map((entity) => lineOf(path, entity)),
    )
    .filter((line) => !emitted.has(line))
}
