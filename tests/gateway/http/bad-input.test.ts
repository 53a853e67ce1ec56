import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
})
afterAll(() => world.close())

/** One raw request in root's name. */
async function raw(url: string, payload: string | Buffer, headers: Record<string, string> = {}) {
  const answer = await world.gateway.http.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization: `Bearer ${root.token}`, 'content-type': 'application/json', ...headers },
  })
  return { http: answer.statusCode, ...answer.json() }
}
const INVALID = { http: 400, status: { code: 1, error: expect.any(String) } }

describe('an invalid body', () => {
  it.each([
    ['cut short', '{"HomeName":'],
    ['not JSON at all', 'HomeName=x'],
    ['with a comment', '{} // hello'],
    ['that would change prototypes', '{"__proto__":{"isRoot":true}}'],
    ['that would change constructors', '{"constructor":{"prototype":{"isRoot":true}}}'],
    ['with a NUL', '{"HomeName":"a\\u0000b","TimeZone":"Asia/Taipei"}'],
    ['with half a character', '{"HomeName":"a\\ud800b","TimeZone":"Asia/Taipei"}'],
    ['that is a list', '[]'],
    ['that is a text', '"x"'],
    ['that is a number', '7'],
    ['nested a hundred thousand times', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('is rejected as INVALID: %s', async (_what, payload) => {
    expect(await raw('/CreateHome', payload)).toMatchObject(INVALID)
  })

  it('is rejected as INVALID if it is larger than 1 MiB', async () => {
    const payload = JSON.stringify({ HomeName: 'x'.repeat(1_100_000) })
    expect(await raw('/CreateHome', payload)).toMatchObject(INVALID)
  })

  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
    'is rejected as INVALID if it is %s',
    async (type) => {
      expect(await raw('/ListHome', '{}', { 'content-type': type })).toMatchObject(INVALID)
    },
  )

  it('can be omitted if the call has no input', async () => {
    expect(await raw('/ListHome', '')).toMatchObject({ http: 200, status: { code: 0 } })
  })
})

describe('an input of a wrong shape', () => {
  it.each([
    ['a number for a text', { HomeName: 7, TimeZone: 'Asia/Taipei' }],
    ['null for a text', { HomeName: null, TimeZone: 'Asia/Taipei' }],
    ['a list for a text', { HomeName: ['x'], TimeZone: 'Asia/Taipei' }],
    ['a text too long', { HomeName: 'x'.repeat(65), TimeZone: 'Asia/Taipei' }],
    ['only blanks', { HomeName: '   ', TimeZone: 'Asia/Taipei' }],
    ['nothing', {}],
  ])('is rejected with the invalid field: %s', async (_what, body) => {
    const answer = await root.post('/CreateHome', body)
    expect(answer).toMatchObject(INVALID)
    expect(answer.status.fields).toHaveProperty('HomeName')
  })

  it.each(['../../etc', "1' or '1'='1", '', 'x'.repeat(65), 'a b', '首'])(
    'is rejected for the id %j',
    async (HomeID) => {
      expect(await root.post('/GetRoombyHomeId', { HomeID })).toMatchObject(INVALID)
    },
  )

  it('is rejected for a field that the call does not have', async () => {
    const answer = await root.post('/ListHome', { tenant: 'other' })
    expect(answer).toMatchObject({ ...INVALID, status: { fields: { tenant: 'unknown' } } })
  })
})

describe('an unknown address', () => {
  it.each([
    '/Nothing',
    '/listhome',
    '/ListHome/',
    '/ListHome/../CreateHome',
    '/%00',
    '/%E0%A4%A',
    '/images/%zz.png',
    '/images/..%2f..%2fsecret',
  ])('answers %s with NOT_FOUND or INVALID in the envelope', async (url) => {
    const { http, status } = await raw(url, '{}')
    expect([
      [404, 2],
      [400, 1],
    ]).toContainEqual([http, status.code])
  })
})

describe('text of any kind', () => {
  const TEXTS = [
    `Robert'); drop table users; --`,
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    '${7*7} {{7*7}} %s %d \\ \\n',
    '混合 ünïcödé 🏢 ‮rtl‬',
  ]

  it('is stored and returned exactly as it was sent, in every text field', async () => {
    for (const [i, text] of TEXTS.entries()) {
      const home = await root.post('/CreateHome', { HomeName: text, TimeZone: 'Asia/Taipei' })
      expect(home.results.HomeName).toBe(text)
      const { HomeID } = home.results
      expect((await root.post('/CreateRoom', { HomeID, RoomName: text })).results.RoomName).toBe(text)
      expect((await root.post('/AddThing', { HomeID, DeviceName: text })).results.DeviceName).toBe(text)
      expect((await root.post('/CreateDepartment', { Department: text })).results.Department).toBe(text)
      const company = await root.post('/UpdateCompanyProfile', { CompanyName: text, LogoName: text })
      expect(company.results).toMatchObject({ CompanyName: text, LogoName: text })
      const names = { FirstName: text, LastName: text, nickname: text }
      const user = { Email: `text${i}@example.com`, password: 'colleague-passw0rd', ...names }
      expect((await root.post('/CreateUser', user)).results).toMatchObject(names)
      const config = await root.post('/UpdatePersonalConfig', { CustomDashboard: text })
      expect(config.results.CustomDashboard).toBe(text)
    }
    const homes = await root.post('/ListHome')
    expect(homes.results.map(({ HomeName }: { HomeName: string }) => HomeName).sort()).toEqual(
      TEXTS.toSorted(),
    )
  })
})
