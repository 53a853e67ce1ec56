import { expect, it } from 'vitest'
import { readRedirectPath } from '../../../src/lib/redirect-path.ts'

it('accepts paths of this product, with their search', () => {
  expect(readRedirectPath('/addDevice/h1?way=hub')).toBe('/addDevice/h1?way=hub')
  expect(readRedirectPath('/')).toBe('/')
})

it.each([
  null,
  '',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'relative',
])('rejects %j', (given) => expect(readRedirectPath(given)).toBeUndefined())

it('removes characters that browsers ignore in addresses, so that none leads elsewhere', () => {
  expect(readRedirectPath('/\t/evil.example')).toBeUndefined()
})
