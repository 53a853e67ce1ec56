import { afterEach, describe, expect, it } from 'vitest'
import type { GatewayConfig } from '../../../gateway/features/deps.ts'
import { createTenantLimit } from '../../../gateway/http/rate-limits.ts'
import { startWorld, type World } from '../../support/world.ts'

const NONE = { perSecond: 0, burst: 0 }
const without = { address: NONE, user: NONE, tenant: NONE, auth: NONE }
let world: World
const start = async (limits: Partial<GatewayConfig['limits']>) =>
  (world = await startWorld({ config: { limits: { ...without, ...limits } } }))

const LIMITED = { http: 429, status: { code: 6 }, headers: { 'retry-after': '1' } }

describe('too many calls', () => {
  afterEach(() => world.close())

  it('of one person are rejected with the time to wait, and accepted after it', async () => {
    await start({ user: { perSecond: 1, burst: 3 } })
    const root = await world.signUp()
    for (let i = 0; i < 3; i++) expect((await root.post('/ListHome')).status.code).toBe(0)
    expect(await root.post('/ListHome')).toMatchObject(LIMITED)
    world.clock.advance(1000)
    expect((await root.post('/ListHome')).status.code).toBe(0)
    expect((await root.post('/ListHome')).status.code).toBe(6)
  })

  it('of one company do not slow another company', async () => {
    await start({ tenant: { perSecond: 1, burst: 5 } })
    const [busy, calm] = [await world.signUp(), await world.signUp()]
    const answers = await Promise.all(Array.from({ length: 50 }, () => busy.post('/ListHome')))
    expect(answers.filter(({ status }) => status.code === 6)).toHaveLength(45)
    expect((await calm.post('/ListHome')).status.code).toBe(0)
  })

  it('from the addresses of one IPv6 network are counted together', async () => {
    await start({ address: { perSecond: 1, burst: 2 } })
    const codes = []
    for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'])
      codes.push((await world.gateway.http.inject({ url: '/nothing', remoteAddress })).statusCode)
    expect(codes).toEqual([404, 404, 429, 404])
  })

  it('from one address are rejected before any other check, except health checks', async () => {
    await start({ address: { perSecond: 1, burst: 2 } })
    const ask = (url: string) => world.gateway.http.inject({ method: 'GET', url, remoteAddress: '192.0.2.1' })
    await ask('/nothing')
    await ask('/nothing')
    const refused = await ask('/nothing')
    expect(refused.statusCode).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    expect((await ask('/health/live')).statusCode).toBe(200)
  })

  it('to sign in have a smaller limit of their own', async () => {
    await start({ auth: { perSecond: 0.1, burst: 2 } })
    const forgot = () => world.post('/ForgotPassword', { Email: 'nobody@example.com' })
    await forgot()
    await forgot()
    expect(await forgot()).toMatchObject({ http: 429, headers: { 'retry-after': '10' } })
    expect(await world.cognito('InitiateAuth', {})).toMatchObject({ http: 429 })
  })
})

describe('the limit of a company', () => {
  it('allows each company a number of concurrent calls and queued ones, and rejects the rest', async () => {
    const tenantLimit = createTenantLimit({ running: 2, waiting: 1 })
    expect(tenantLimit.acquire('busy')).toBeUndefined()
    expect(tenantLimit.acquire('busy')).toBeUndefined()
    const third = tenantLimit.acquire('busy')
    expect(third).toBeInstanceOf(Promise)
    expect(() => tenantLimit.acquire('busy')).toThrow('Too many requests')
    expect(tenantLimit.acquire('calm')).toBeUndefined()
    tenantLimit.release('busy')
    await third
    tenantLimit.release('busy')
    tenantLimit.release('busy')
    expect(tenantLimit.acquire('busy')).toBeUndefined()
  })
})
