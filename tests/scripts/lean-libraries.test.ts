import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lean } from '../../scripts/lean-libraries.ts'

const packages = join(import.meta.dirname, '../../node_modules')
const leanFile = (path: string) => {
  const id = join(packages, path)
  return lean(id, readFileSync(id, 'utf8'))
}

it('cuts JSON schemas out of schemas, and keeps how long a text may be', () => {
  const schemas = leanFile('zod/v4/classic/schemas.js')
  expect(schemas).not.toMatch(/processJSONSchema|to-json-schema/)
  expect(schemas).toContain('aggregateChecks(inst).maximum')
})

it('cuts warnings and the names of debugging out of the router', () => {
  const router = leanFile('react-router/dist/development/chunk-6KYCQHYJ.mjs')
  expect(router).not.toMatch(/ENABLE_DEV_WARNINGS = true|^\w+\.displayName/m)
})

it('cuts forms out of what may stand in one', () => {
  expect(leanFile('antd/es/form/context.js')).not.toMatch(/'rc-field-form'/)
})

it('cuts the colour picker out of buttons', () => {
  expect(leanFile('antd/es/button/style/token.js')).not.toContain('ColorPresets')
})

it('says so when a library no longer has what is cut out of it', () => {
  expect(() => lean('/node_modules/zod/v4/classic/schemas.js', 'export {}')).toThrow(RangeError)
})

it('leaves every other file as it is', () => {
  expect(lean('/node_modules/zod/v4/classic/parse.js', 'export {}')).toBe('export {}')
})
