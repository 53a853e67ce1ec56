/**
 * Which call changed which entity in a run of the tests, against what the contract declares: `changes` of a call is what its
 * data-change events are about. That a call changes nothing else the gateway checks itself.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { endpoints } from '../contract/index.ts'
import { ENTITIES } from '../contract/kernel/entities.ts'

/** Names the file that every test worker appends to; nothing is recorded without it. */
export const EMITTED_CHANGES = 'EMITTED_CHANGES'

const recorded = new Set<string>()
const lineOf = (path: string, entity: string) => `${path} ${entity}`

/** Notes that a call changed an entity, once a worker. */
export function recordChange(path: string, entity: string): void {
  const file = process.env[EMITTED_CHANGES]
  const line = lineOf(path, entity)
  if (file === undefined || recorded.has(line)) return
  recorded.add(line)
  appendFileSync(file, `${line}\n`)
}

/** What calls declare that they change and changed in no test of a whole run, e.g. `/DeleteRoom thing`; of entities that events tell of. */
export function neverEmitted(file: string): string[] {
  const emitted = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  return endpoints
    .flatMap(({ path, changes }) =>
      ENTITIES.filter((entity) => changes.includes(entity)).map((entity) => lineOf(path, entity)),
    )
    .filter((line) => !emitted.has(line))
}
