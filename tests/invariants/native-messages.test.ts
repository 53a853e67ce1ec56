import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ErrorCode, MAX_CHARACTERS, VERSIONS } from '../../src/native/messages.ts'
import { messageTables } from '../support/native-messages.ts'

const PAGE = 'docs/native-app.md'
const page = readFileSync(PAGE, 'utf8')

describe('the page for authors of the native application', () => {
  it('lists the messages as their schemas have them (mended by `vitest -u`)', async () => {
    const current = page.replace(
      /(<!-- messages -->).*(<!-- \/messages -->)/s,
      (_, before: string, after: string) => `${before}\n\n${messageTables()}\n\n${after}`,
    )
    await expect(current).toMatchFileSnapshot(`../../${PAGE}`)
  })

  it('names every reason of a refusal, the limit and the version', () => {
    expect(ErrorCode.options.filter((code) => !page.includes(`| \`${code}\` |`))).toEqual([])
    expect(page).toContain(MAX_CHARACTERS.toLocaleString('en-US'))
    expect(page).toContain(`version ${VERSIONS[0]}`)
  })
})
