import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endpoints, resources } from '../../contract/index.ts'

const FOLDER = 'mock'
/** Only file that may name calls and records: no recording contains the signed-in user. */
const MAY_NAME = 'identity.ts'

it('answers nothing by hand on recorded data: no file of it names a call or a record', () => {
  const paths = endpoints.map(({ path }) => `'${path}'`)
  const records = Object.keys(resources).flatMap((name) => [`resources.${name}`, `resources/${name}`])
  const found = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.ts') && name !== MAY_NAME)
    .flatMap((name) => {
      const text = readFileSync(join(FOLDER, name), 'utf8')
      return [...paths, ...records].filter((one) => text.includes(one)).map((one) => `${name}: ${one}`)
    })
  expect(found).toEqual([])
})
