import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { channels, endpoints } from '../../../contract/index.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'

let world: World
let root: Caller
let web: string
beforeAll(async () => {
  web = await mkdtemp(join(tmpdir(), 'web-'))
  await mkdir(join(web, 'assets'))
  await writeFile(join(web, 'index.html'), '<!doctype html><title>Dashboard</title>')
  await writeFile(join(web, 'assets/main-abc123.js'), 'export {}')
  await writeFile(join(web, 'THIRD-PARTY.txt'), '© third parties')
  await writeFile(join(web, 'assets/main-abc123.js.gz'), gzipSync('export {}'))
  world = await startWorld({
    config: {
      webDirectory: web,
      metricsToken: 'metrics-token-of-tests',
      corsOrigins: ['https://other.test'],
      connectOrigins: ['wss://broker.test'],
    },
  })
  root = await world.signUp()
})
afterAll(async () => {
  await world.close()
  await rm(web, { recursive: true })
})

const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  world.gateway.http.inject({ method: 'GET', url, headers, remoteAddress })
const HTML = { accept: 'text/html,application/xhtml+xml' }

describe('the dashboard', () => {
  it.each(['/', '/HomeList', '/Rooms/h1', '/ChangePassword', '/no/such/page'])(
    'opens at %s',
    async (path) => {
      const page = await get(path, HTML)
      expect(page.statusCode).toBe(200)
      expect(page.body).toContain('<title>Dashboard</title>')
      expect(page.headers['cache-control']).toBe('no-cache')
    },
  )

  it.each(['*/*', 'application/json, */*;q=0.8', undefined])(
    'opens for clients that request %s: curl, monitors, link previews',
    async (accept) => {
      for (const path of ['/', '/HomeList', '/ScannerEdit/door-1?from=a.b']) {
        const page = await get(path, accept === undefined ? {} : { accept })
        expect(page.statusCode).toBe(200)
        expect(page.body).toContain('<title>Dashboard</title>')
      }
    },
  )

  it('answers HEAD like GET, without the page', async () => {
    for (const headers of [HTML, { accept: '*/*' }]) {
      const {
        statusCode,
        headers: told,
        body,
      } = await world.gateway.http.inject({ method: 'HEAD', url: '/HomeList', headers })
      expect([statusCode, told['content-type'], body]).toEqual([200, 'text/html; charset=utf-8', ''])
    }
  })

  it('is not returned for a missing file or call', async () => {
    expect((await get('/assets/gone.js', { accept: '*/*' })).json().status.code).toBe(2)
    expect((await get('/.env', { accept: '*/*' })).json().status.code).toBe(2)
    expect((await get('/HomeList', { accept: 'application/json' })).json().status.code).toBe(2)
    const call = await world.gateway.http.inject({ method: 'POST', url: '/HomeList', headers: HTML })
    expect(call.json().status.code).toBe(2)
  })

  it('includes third-party licenses, as text that a browser shows', async () => {
    const file = await get('/THIRD-PARTY.txt', HTML)
    expect([file.statusCode, file.headers['content-type'], file.body]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '© third parties',
    ])
  })

  it('caches hashed files without limit and sends them compressed if accepted', async () => {
    const file = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip' })
    expect(file.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      'content-type': expect.stringContaining('javascript'),
    })
    expect((await get('/assets/main-abc123.js')).headers['content-encoding']).toBeUndefined()
  })

  it('serves the files of a new build', async () => {
    await writeFile(join(web, 'assets/main-def456.js'), 'export {}')
    expect((await get('/assets/main-def456.js')).body).toBe('export {}')
    await rename(join(web, 'index.html'), join(web, 'index.away'))
    expect((await get('/HomeList', HTML)).json().status.code).toBe(8)
    await rename(join(web, 'index.away'), join(web, 'index.html'))
    expect((await get('/HomeList', HTML)).statusCode).toBe(200)
  })

  it.each([
    '/',
    '/assets',
    '/assets/',
    '/.hidden.js',
    '/assets/../../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
  ])('has no file at %s', async (path) => {
    await writeFile(join(web, '.hidden.js'), 'hidden')
    expect((await get(path, { accept: 'application/json' })).json().status.code).toBe(2)
  })

  it('forbids external and inline scripts, and frames', async () => {
    const { headers } = await get('/', HTML)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  })

  it('can connect only to its own host', async () => {
    const connect = async (host: string) =>
      /connect-src ([^;]*);/.exec(
        String((await get('/', { ...HTML, host })).headers['content-security-policy']),
      )?.[1]
    expect(await connect('building.test:8080')).toBe("'self' ws://building.test:8080 wss://broker.test")
    expect(await connect('[2001:db8::1]:8080')).toBe("'self' ws://[2001:db8::1]:8080 wss://broker.test")
    expect(await connect('x; script-src *')).toBe("'self' wss://broker.test")
  })

  it('omits document policies on scripts and styles of a build', async () => {
    const { headers } = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip' })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const name of ['content-security-policy', 'permissions-policy', 'x-frame-options'])
      expect(headers).not.toHaveProperty(name)
    const missing = await get('/assets/gone.js')
    expect(missing.headers).toHaveProperty('content-security-policy')
    const page = await get('/assets/no-such-page', HTML)
    expect(page.headers).toMatchObject({ 'x-frame-options': 'DENY' })
    expect(page.headers['content-security-policy']).toContain("script-src 'self';")
  })

  it('reads its settings from /config.json, without secrets', async () => {
    const config = (await get('/config.json', { host: 'building.test' })).json()
    expect(config).toMatchObject({
      UserPoolId: 'local_t3stpool',
      UserPoolEndpoint: '/cognito',
      SignUpKey: { kty: 'EC' },
    })
    expect(config.SignUpKey).not.toHaveProperty('d')
  })
})

describe('a call', () => {
  it('is never cached and never answered with a page', async () => {
    const { headers } = await root.post('/ListHome')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })

  it('is compressed if it is long and the caller accepts it, and never if it is short', async () => {
    const ask = (url: string, encoding: string | undefined, origin?: string) =>
      world.gateway.http.inject({
        method: 'POST',
        url,
        payload: {},
        headers: {
          authorization: `Bearer ${root.token}`,
          ...(encoding !== undefined && { 'accept-encoding': encoding }),
          ...(origin !== undefined && { origin }),
        },
      })
    const plain = await ask('/ListPermissions', undefined)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const packed = await ask('/ListPermissions', 'gzip, deflate, br')
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    for (const refused of ['br', 'identity', 'gzip;q=0, *', 'gzip; q=0'])
      expect((await ask('/ListPermissions', refused)).body).toBe(plain.body)
    expect((await ask('/ListHome', 'gzip')).headers).not.toHaveProperty('content-encoding')
    const elsewhere = await ask('/ListPermissions', 'gzip', 'https://other.test')
    expect(elsewhere.headers['vary']).toBe('origin, accept-encoding')
  })

  it('is accepted only from pages of configured origins', async () => {
    const ask = (origin: string) =>
      world.gateway.http.inject({ method: 'OPTIONS', url: '/ListHome', headers: { origin } })
    expect((await ask('https://other.test')).headers['access-control-allow-origin']).toBe(
      'https://other.test',
    )
    expect((await ask('https://evil.test')).headers['access-control-allow-origin']).toBeUndefined()
  })

  it('reaches GET /GetPersonalConfig by GET', async () => {
    const answer = await get('/GetPersonalConfig', { authorization: `Bearer ${root.token}` })
    expect(answer.json()).toMatchObject({ status: { code: 0 }, results: { DecimalPrecision: 2 } })
  })

  it('is logged with its request id if it is a change or fails', async () => {
    const refused = await world.gateway.post('/ListHome')
    const { requestId } = refused.status
    const line = world.log.lines.find(({ fields }) => fields['requestId'] === requestId)
    expect(line).toMatchObject({ level: 'info', fields: { path: '/ListHome', code: 4, ip: '127.0.0.1' } })
    const before = world.log.lines.length
    await root.post('/ListHome')
    expect(world.log.lines).toHaveLength(before)
    await root.post('/UpdatePersonalConfig', { DecimalPrecision: 3 })
    expect(world.log.lines.at(-1)).toMatchObject({ fields: { path: '/UpdatePersonalConfig', code: 0 } })
  })

  it('warns once of an untrusted proxy', async () => {
    const warnings = () => world.log.lines.filter(({ text }) => text.includes('TRUST_PROXY'))
    await world.gateway.http.inject({ url: '/nothing' })
    expect(warnings()).toEqual([])
    for (let i = 0; i < 3; i++)
      await world.gateway.http.inject({ url: '/nothing', headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(warnings()).toMatchObject([{ fields: { proxy: '127.0.0.1' } }])
  })

  it('logs no token, body or password', async () => {
    await root.post('/CreateUser', {
      Email: 'logged@example.com',
      password: 'hunter of 22',
      Nonsense: 'logged-body',
    })
    const text = JSON.stringify(world.log.lines)
    for (const secret of [root.token, 'hunter of 22', 'logged-body']) expect(text).not.toContain(secret)
  })
})

describe('the operator', () => {
  it('sees that it is alive, in which version, and ready', async () => {
    expect((await get('/health/live')).json()).toEqual({ live: true, version: '0.0.0-test' })
    const ready = await get('/health/ready')
    expect(ready.statusCode).toBe(200)
    expect(ready.json()).toEqual({
      ready: true,
      database: true,
      writes: true,
      broker: true,
      details: [],
      warnings: [],
    })
  })

  it('does not block the database with many readiness checks', async () => {
    const ping = vi.spyOn(world.db, 'ping')
    const answers = await Promise.all(Array.from({ length: 50 }, () => get('/health/ready')))
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(ping.mock.calls.length).toBeLessThan(10)
    ping.mockRestore()
  })

  it('reads metrics on this machine, and elsewhere only with the token', async () => {
    await root.post('/ListHome')
    const local = await get('/metrics')
    expect(local.body).toMatch(/gateway_call_answers_total\{path="\/ListHome",code="0"\} [1-9]/)
    expect(local.body).toMatch(/gateway_call_duration_seconds_bucket\{path="\/ListHome",le="\+Inf"\} [1-9]/)
    expect((await get('/metrics', {}, '192.0.2.7')).statusCode).toBe(401)
    expect((await get('/metrics', { 'x-forwarded-for': '127.0.0.1' }, '192.0.2.7')).statusCode).toBe(401)
    const authorization = 'Bearer metrics-token-of-tests'
    expect((await get('/metrics', { authorization }, '192.0.2.7')).statusCode).toBe(200)
  })

  it('verifies tokens with the published keys', async () => {
    const { keys } = (await get('/local_t3stpool/.well-known/jwks.json')).json()
    expect(keys[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' })
    expect(keys[0]).not.toHaveProperty('d')
  })
})

describe('the API reference', () => {
  it('contains every call with its input, results, access and errors', async () => {
    const api = (await get('/openapi.json')).json()
    expect(api.openapi).toBe('3.1.0')
    expect(Object.keys(api.paths).sort()).toEqual(endpoints.map(({ path }) => path).sort())
    const create = api.paths['/CreateRoom'].post
    expect(create.requestBody.content['application/json'].schema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: expect.arrayContaining(['HomeID', 'RoomName']),
      properties: { RequestID: expect.anything() },
    })
    expect(Object.keys(create.responses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '404', '409', '429', '500', '503']),
    )
    const references = JSON.stringify(api).match(/"\$ref":"[^"]+"/g) ?? []
    expect(new Set(references)).toEqual(new Set(['"$ref":"#/components/schemas/Status"']))
  })

  it('lists renamed fields of every call, and accepts one name at a time', async () => {
    const api = (await get('/openapi.json')).json()
    const renaming = endpoints.filter(({ aliases }) => Object.keys(aliases).length > 0)
    expect(renaming.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/CreateHome', '/UpdateHomeInfo']),
    )
    for (const { path, aliases } of renaming)
      for (const [alias, field] of Object.entries(aliases)) {
        const call = api.paths[path].post
        expect(call.description).toContain(`${field} may be written ${alias}.`)
        const { properties } = call.requestBody.content['application/json'].schema
        expect(properties[alias]).toEqual({ ...properties[field], description: `Another name of ${field}` })
      }
    const body = (path: string) => api.paths[path].post.requestBody.content['application/json'].schema
    expect(body('/CreateHome').required).toEqual(['HomeName'])
    expect(body('/CreateHome').allOf).toEqual([
      { oneOf: [{ required: ['TimeZone'] }, { required: ['timezone'] }] },
    ])
    expect(body('/UpdateHomeInfo').allOf).toEqual([{ not: { required: ['TimeZone', 'timezone'] } }])
  })

  it('contains every topic with its payload and sender', async () => {
    const api = (await get('/asyncapi.json')).json()
    expect(api.asyncapi).toBe('3.0.0')
    expect(Object.keys(api.channels)).toEqual(Object.keys(channels))
    expect(api.operations).toHaveProperty('receive_statusReport')
    expect(api.operations).toHaveProperty('send_controlCommand')
  })

  it('groups calls by record or family, and describes one group alone', async () => {
    const { paths } = (await get('/openapi.json')).json()
    expect(paths['/CreateRoom'].post.tags).toEqual(['room'])
    expect(paths['/GetEnergySeries'].post.tags).toEqual(['meterData'])
    const rooms = (await get('/openapi.json?group=room')).json()
    expect(Object.keys(rooms.paths)).toContain('/CreateRoom')
    expect(rooms.paths['/CreateRoom']).toEqual(paths['/CreateRoom'])
    expect(Object.values<{ post: { tags: string[] } }>(rooms.paths).map(({ post }) => post.tags)).toEqual(
      Object.keys(rooms.paths).map(() => ['room']),
    )
    const unknown = await get('/openapi.json?group=nothing')
    expect(unknown.statusCode).toBe(404)
    expect(unknown.body).toBe('There is no group of calls named nothing')
  })

  it('is a page that names every call and topic, and loads nothing from elsewhere', async () => {
    const page = (await get('/reference', HTML)).body
    for (const { path } of endpoints) expect(page).toContain(`/${path.slice(1)}">${path}</a>`)
    for (const { template } of Object.values(channels)) expect(page).toContain(template)
    expect(page).not.toMatch(/<script|https?:\/\//)
  })

  it('has a page for each group, with the viewer from the gateway alone', async () => {
    const page = (await get('/reference?group=room', HTML)).body
    expect(page).toContain('data-description="/openapi.json?group=room"')
    expect(page.match(/<script[^>]*>/g)).toEqual([
      '<script src="/api-viewer/swagger-ui-bundle.js">',
      '<script src="/api-viewer/start.js">',
    ])
    expect(page).not.toMatch(/https?:\/\//)
    const unknown = await get('/reference?group=%3Cscript%3E', HTML)
    expect(unknown.statusCode).toBe(404)
    expect(unknown.headers['content-type']).toMatch('text/plain')
  })
})
