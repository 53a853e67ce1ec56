import { endpoints, resources } from '../../../contract/index.ts'
import { listFields } from './mask-credentials.ts'

let names: ReadonlySet<string> | undefined

/**
 * Whether every field of this name in the contract is flagged as a credential: for values without a declared schema, such as what a
 * handler adds to an audit row.
 */
export function isCredentialName(name: string): boolean {
  names ??= readNames()
  return names.has(name)
}

function readNames(): ReadonlySet<string> {
  const credentials = new Set<string>()
  const plain = new Set<string>()
  const schemas = [
    ...Object.values(endpoints).flatMap(({ input, results }) => [input, results]),
    ...Object.values(resources).map(({ record }) => record),
  ]
  for (const [name, isFlagged] of schemas.flatMap((schema) => listFields(schema)))
    (isFlagged ? credentials : plain).add(name)
  return new Set([...credentials].filter((name) => !plain.has(name)))
}
