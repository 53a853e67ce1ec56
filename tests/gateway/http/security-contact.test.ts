import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../../gateway/config/config.ts'
import { checkAddress } from '../../../gateway/doctor/check-machine.ts'
import { startWorld, type World } from '../../support/world.ts'

const PATH = '/.well-known/security.txt'
const DAY = 86_400_000

/** Fields of the file, as a reader of RFC 9116 parses them. */
const fieldsOf = (text: string) =>
  Object.fromEntries(
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2) as [string, string]),
  )

describe('/.well-known/security.txt', () => {
  let world: World
  let origin: string
  beforeAll(async () => {
    world = await startWorld({
      config: { securityContact: 'mailto:security@building.example', publicUrl: 'https://building.example' },
    })
    origin = await world.gateway.listen(0, '127.0.0.1')
  })
  afterAll(() => world.close())

  it('names the contact, the languages and its own address without authentication', async () => {
    const answer = await fetch(origin + PATH)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(fieldsOf(await answer.text())).toEqual({
      Contact: 'mailto:security@building.example',
      Expires: expect.any(String),
      'Preferred-Languages': 'zh-TW, en',
      Canonical: `https://building.example${PATH}`,
    })
  })

  it('expires in the future and in less than a year, however long the gateway runs', async () => {
    for (const elapsed of [0, 400 * DAY]) {
      world.clock.suspend(elapsed)
      const { Expires = '' } = fieldsOf(await (await fetch(origin + PATH)).text())
      const validMs = Date.parse(Expires) - world.clock.now()
      expect(validMs).toBeGreaterThan(0)
      expect(validMs).toBeLessThan(365 * DAY)
    }
  })
})

describe('without SECURITY_CONTACT', () => {
  it('is not found, in browsers too', async () => {
    const world = await startWorld()
    const origin = await world.gateway.listen(0, '127.0.0.1')
    for (const accept of ['*/*', 'text/html']) {
      const answer = await fetch(origin + PATH, { headers: { accept } })
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('SECURITY_CONTACT')])
    }
    await world.close()
  })
})

describe('SECURITY_CONTACT', () => {
  const read = (SECURITY_CONTACT?: string) =>
    readConfig({ SECRET: 'a secret of its own', ...(SECURITY_CONTACT && { SECURITY_CONTACT }) })

  it('is an address with mailto: or a page with https:', () => {
    for (const contact of ['mailto:security@building.example', 'https://building.example/security'])
      expect(read(contact).SECURITY_CONTACT).toBe(contact)
    for (const wrong of [
      'security@building.example',
      'mailto:',
      'http://building.example',
      'https://',
      'https://a.example\nContact: x',
    ])
      expect(() => read(wrong)).toThrow('SECURITY_CONTACT: must be mailto: and an address, or an https: page')
  })

  it('is checked by the doctor, which says what to set if it is missing', () => {
    const sentences = (contact?: string) => checkAddress(read(contact)).map(({ messageKey }) => messageKey)
    expect(sentences('mailto:security@building.example')).toContain('securityContactSet')
    expect(sentences()).toContain('securityContactNone')
  })
})
