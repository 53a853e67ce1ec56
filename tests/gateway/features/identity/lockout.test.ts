import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { networkKeyOf } from '../../../../gateway/lib/network.ts'
import { readDeviceCookie } from '../../../../gateway/features/identity/device-marks.ts'
import { createIdentity } from '../../../../gateway/features/identity/identity.ts'
import { createPasswords } from '../../../../gateway/features/identity/passwords.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { cases } from '../../../support/thorough.ts'
import { addPerson, PASSWORD, startPool, type PoolWorld } from './pool-world.ts'
import { PATIENT } from '../../../support/patient.ts'

let world: PoolWorld

beforeAll(async () => {
  world = await startPool()
})
afterAll(() => world.stop())

let next = 0
/** New address for each test, so that tests do not lock each other out. */
const address = () => `198.51.100.${++next}`

describe('failed sign-ins', () => {
  it('get the same answer for unknown, wrong and disabled accounts, with one hash each', async () => {
    const known = await world.addPerson()
    const disabled = await world.addPerson({ enabled: false })
    const from = { address: address() }
    const attempts = [
      () => world.signIn('nobody@example.com', 'guess 1', from),
      () => world.signIn(known.email, 'guess 1', from),
      () => world.signIn(disabled.email, PASSWORD, from),
      () => world.signIn(disabled.email, 'guess 1', from),
      () => world.signIn(known.email, `${PASSWORD}${'x'.repeat(400)}`, from),
    ]
    const seen = new Set<string>()
    for (const attempt of attempts) {
      const before = world.passwords.hashed
      const { status, body } = await attempt()
      expect(world.passwords.hashed - before).toBe(1)
      seen.add(`${status} ${body}`)
    }
    expect([...seen]).toEqual([
      '400 {"__type":"NotAuthorizedException","message":"Incorrect username or password."}',
    ])
  })

  it('lock known and unknown accounts alike after five, with doubling pauses up to 15 minutes', async () => {
    const { email } = await world.addPerson()
    for (const account of [email, 'stranger@example.com']) {
      const from = { address: address() }
      const guess = async () => (await world.signIn(account, 'guess 1', from)).json.message
      for (let i = 0; i < 5; i++) expect(await guess()).toBe('Incorrect username or password.')
      for (const delay of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
        expect(await guess()).toBe('Password attempts exceeded')
        world.clock.advance(delay * 1000 - 1)
        expect(await guess()).toBe('Password attempts exceeded')
        world.clock.advance(1)
        expect(await guess()).toBe('Incorrect username or password.')
      }
    }
  })

  it('are throttled as much if each guess comes from another address', async () => {
    const { email } = await world.addPerson()
    const guess = async () => (await world.signIn(email, 'guess 1', { address: address() })).json.message
    // The network with the most failures is excluded: one failure more than from one address.
    for (let i = 0; i < 6; i++) expect(await guess()).toBe('Incorrect username or password.')
    for (const delay of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await guess()).toBe('Password attempts exceeded')
      world.clock.advance(delay * 1000)
      expect(await guess()).toBe('Incorrect username or password.')
    }
  })

  it('lock out the right password while locked, but not afterwards', async () => {
    const { email } = await world.addPerson()
    const from = { address: address() }
    for (let i = 0; i < 5; i++) await world.signIn(email, 'guess 1', from)
    expect((await world.signIn(email, PASSWORD, from)).status).toBe(400)
    world.clock.advance(1000)
    expect((await world.signIn(email, PASSWORD, from)).status).toBe(200)
  })

  it('from one address do not lock a person out', async () => {
    const { email } = await world.addPerson()
    const attacker = { address: address() }
    for (let hour = 0; hour < 12; hour++)
      for (let i = 0; i < 8; i++) {
        await world.signIn(email, 'guess 1', attacker)
        world.clock.advance(5 * 60_000)
      }
    for (let i = 0; i < 5; i++) await world.signIn(email, 'guess 1', attacker)
    expect((await world.signIn(email, PASSWORD, attacker)).status).toBe(400)
    expect((await world.signIn(email, PASSWORD, { address: address() })).status).toBe(200)
  })

  it('from any addresses do not lock out a device on which the person signed in before', async () => {
    const { email } = await world.addPerson()
    const first = await world.signIn(email)
    const cookie = String(first.headers['set-cookie'])
    expect(cookie).toMatch(/^device=[\w-]+; Path=\/cognito; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    const deviceMark = readDeviceCookie(cookie.split(';')[0])
    for (let i = 0; i < 20; i++) await world.signIn(email, 'guess 1', { address: address() })
    expect((await world.signIn(email, PASSWORD, { address: address() })).status).toBe(400)
    expect((await world.signIn(email, PASSWORD, { address: address(), deviceMark })).status).toBe(200)
  })

  it('on a known device are counted separately, equally throttled, and lock out no one else', async () => {
    const { email } = await world.addPerson()
    const deviceMark = readDeviceCookie(
      String((await world.signIn(email)).headers['set-cookie']).split(';')[0],
    )
    const stolen = { address: address(), deviceMark }
    const before = world.passwords.hashed
    for (let i = 0; i < 40; i++) await world.signIn(email, 'guess 1', { ...stolen, address: address() })
    expect(world.passwords.hashed - before).toBe(5)
    expect((await world.signIn(email, PASSWORD, stolen)).status).toBe(400)
    expect((await world.signIn(email, PASSWORD, { address: address() })).status).toBe(200)
  })

  it('accept a device mark only from its person, and only a mark made here', async () => {
    const [mine, other] = [await world.addPerson(), await world.addPerson()]
    const deviceMark = readDeviceCookie(
      String((await world.signIn(mine.email)).headers['set-cookie']).split(';')[0],
    )!
    const forged = `${deviceMark.slice(0, -4)}AAAA`
    for (let i = 0; i < 20; i++)
      for (const { email } of [mine, other]) await world.signIn(email, 'guess 1', { address: address() })
    expect((await world.signIn(other.email, PASSWORD, { address: address(), deviceMark })).status).toBe(400)
    expect(
      (await world.signIn(mine.email, PASSWORD, { address: address(), deviceMark: forged })).status,
    ).toBe(400)
    expect(world.identity.deviceOf(forged)).toBeUndefined()
    const again = await world.signIn(mine.email, PASSWORD, { address: address(), deviceMark })
    const renewed = readDeviceCookie(String(again.headers['set-cookie']).split(';')[0])!
    expect(world.identity.deviceOf(renewed)).toBe(world.identity.deviceOf(deviceMark))
  })

  it('are reset after a success', async () => {
    const { email } = await world.addPerson()
    for (let round = 0; round < 3; round++) {
      const from = { address: address() }
      for (let i = 0; i < 4; i++) await world.signIn(email, 'guess 1', from)
      expect((await world.signIn(email, PASSWORD, from)).status).toBe(200)
    }
  })

  const batches = cases(10, 100)
  it(`cost a few hashes for ${batches * 100} wrong passwords on one account, from any addresses`, async () => {
    const { email } = await world.addPerson()
    const before = world.passwords.hashed
    let refused = 0
    for (let batch = 0; batch < batches; batch++)
      await Promise.all(
        Array.from({ length: 100 }, async (_, i) => {
          const from = { address: `10.${batch}.${i}.1` }
          if ((await world.signIn(email, `guess ${batch}${i}`, from)).status === 400) refused++
        }),
      )
    expect(refused).toBe(batches * 100)
    expect(world.passwords.hashed - before).toBe(6)
  })

  it('throttle one address that tries many accounts, and hash a bounded number', async () => {
    const before = world.passwords.hashed
    const from = { address: address() }
    const answers = Promise.all(
      Array.from({ length: 200 }, (_, i) => world.signIn(`person${i}@example.com`, 'Summer2026', from)),
    )
    await vi.waitFor(
      () => expect([world.clock.waiting(), world.passwords.hashed - before]).toEqual([4, 20]),
      PATIENT,
    )
    world.clock.advance(15_000)
    const refused = (await answers).filter((answer) => answer.json.__type === 'TooManyRequestsException')
    expect(refused).toHaveLength(176)
    expect(world.passwords.hashed - before).toBe(24)
  })

  it('with many invented names in an office allow others: slowly on a new device, immediately on a known one', async () => {
    const [known, newcomer] = [await world.addPerson(), await world.addPerson()]
    const from = { address: address() }
    const deviceMark = readDeviceCookie(
      String((await world.signIn(known.email, PASSWORD, from)).headers['set-cookie']).split(';')[0],
    )
    for (let i = 0; i < 20; i++) await world.signIn(`invented${i}@example.com`, 'guess 1', from)
    expect((await world.signIn(known.email, PASSWORD, { ...from, deviceMark })).status).toBe(200)
    const held = world.signIn(newcomer.email, PASSWORD, from)
    await vi.waitFor(() => expect(world.clock.waiting()).toBe(1), PATIENT)
    world.clock.advance(1_000)
    expect((await held).status).toBe(200)
  })

  it('of one person do not affect others in an office', async () => {
    const [clumsy, colleague] = [await world.addPerson(), await world.addPerson()]
    const from = { address: address() }
    for (let i = 0; i < 15; i++) await world.signIn(clumsy.email, 'guess 1', from)
    for (let i = 0; i < 30; i++)
      expect((await world.signIn(colleague.email, PASSWORD, from)).status).toBe(200)
  })

  it('are not counted for internal errors', async () => {
    const { email } = await world.addPerson()
    const from = { address: address() }
    const real = world.passwords.verify
    world.passwords.verify = () => Promise.reject(new Error('out of memory'))
    for (let i = 0; i < 8; i++) expect((await world.signIn(email, PASSWORD, from)).status).toBe(500)
    world.passwords.verify = real
    expect((await world.signIn(email, PASSWORD, from)).status).toBe(200)
  })

  it('treat an IPv6 network as one address', () => {
    expect(networkKeyOf('2001:db8:1:2:3:4:5:6')).toBe(networkKeyOf('2001:DB8:1:2::9'))
    expect(networkKeyOf('2001:db8::1')).toBe(networkKeyOf('2001:db8:0:0:ffff::'))
    expect(networkKeyOf('2001:db8:1:2::1')).not.toBe(networkKeyOf('2001:db8:1:3::1'))
    expect(networkKeyOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
    expect(networkKeyOf('::1')).toBe('0:0:0:0::/64')
  })
})

describe('hashing', () => {
  it('runs a few at once, queues some and rejects the rest, so that a flood starves no one', async () => {
    const passwords = createPasswords({ maxRunning: 2, maxWaiting: 10 })
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => passwords.verify(undefined, 'guess 1')),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(12)
    const reasons = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.name] : [],
    )
    expect(new Set(reasons)).toEqual(new Set(['TooManyRequestsException']))
    expect(await passwords.verify(await passwords.hash(PASSWORD), PASSWORD)).toBe(true)
  })

  it('stores salted argon2id at the strength recommended by OWASP', async () => {
    const { passwords: _, ...parts } = world.parts
    const asDeployed = createIdentity({ ...parts, baseUrl: world.url })
    await addPerson(world.db, asDeployed)
    await addPerson(world.db, asDeployed)
    const stored = await world.db.query<{ hash: string }>(
      sql`select password_hash as hash from credentials where password_hash like '%m=19456,t=2,p=1$%'`,
    )
    expect(stored).toHaveLength(2)
    for (const { hash } of stored) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(stored[0]!.hash).not.toBe(stored[1]!.hash)
  })

  it('takes as long for an unknown person as for a known one', async () => {
    const passwords = createPasswords()
    const stored = await passwords.hash(PASSWORD)
    const times: [stranger: number[], person: number[]] = [[], []]
    // Alternates, so that background load affects both.
    for (let i = 0; i < 15; i++)
      for (const [who, hash] of [undefined, stored].entries()) {
        const start = performance.now()
        await passwords.verify(hash, 'guess 1')
        times[who]!.push(performance.now() - start)
      }
    const [stranger, person] = times.map((all) => all.toSorted((a, b) => a - b)[7]!)
    const ratio = stranger! / person!
    expect(ratio).toBeGreaterThan(0.4)
    expect(ratio).toBeLessThan(2.5)
  })
})
