import { expect, it } from 'vitest'
import { plainName } from '../../../../gateway/lib/mail/address.ts'

it.each([
  ['王大明', '王大明'],
  ['J. R. Smith', 'J. R. Smith'],
  ['https://evil.example/pay', 'https: //evil. example/pay'],
  ['www.evil.example', 'www. evil. example'],
  ['a@evil.example', 'a@ evil. example'],
  ['A\r\nBcc: b@c.example', 'A Bcc: b@ c. example'],
  ['one\u2028two', 'one two'],
])('removes links and line breaks from %j', (name, plain) => {
  expect(plainName(name)).toBe(plain)
})
