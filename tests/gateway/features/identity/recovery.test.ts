import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { caller, CLIENT, PASSWORD, startPool, type PoolWorld } from './pool-world.ts'

let world: PoolWorld
let address = ''
let next = 0

beforeAll(async () => {
  world = await startPool()
})
afterAll(() => world.stop())
beforeEach(() => {
  address = `203.0.113.${++next}`
})

const NEW = 'new secret 1'
const forgot = (email: string) =>
  world.call('ForgotPassword', { ClientId: CLIENT, Username: email }, { address })
const confirm = (email: string, code: string, password = NEW) =>
  world.call(
    'ConfirmForgotPassword',
    { ClientId: CLIENT, Username: email, ConfirmationCode: code, Password: password },
    { address },
  )

async function lastMail(email: string): Promise<string> {
  await world.identity.close()
  return world.mail.sent.findLast(({ to }) => to === email)!.text
}

async function mailedCode(email: string): Promise<string> {
  await forgot(email)
  return /(?:code|驗證碼) (\d{6})\b/.exec(await lastMail(email))![1]!
}

/** Secret of the link in the newest mail, as the page reads it. */
async function mailedSecret(email: string): Promise<string> {
  const [link] = /http\S+/.exec(await lastMail(email))!
  const { pathname, hash } = new URL(link)
  const given = new URLSearchParams(hash.slice(1))
  expect([pathname, given.get('email')]).toEqual(['/resetPassWord', email])
  return given.get('code')!
}

const other = (code: string) => String((Number(code) + 1) % 1e6).padStart(6, '0')

describe('a forgotten password', () => {
  it('is replaced with the emailed code, once, and every session ends', async () => {
    const { email, cognitoId } = await world.addPerson()
    const { RefreshToken } = await world.tokens(email)
    const code = await mailedCode(email)
    expect((await confirm(email, code)).json).toEqual({})
    expect((await world.signIn(email, NEW)).status).toBe(200)
    expect((await world.signIn(email, PASSWORD)).status).toBe(400)
    expect((await world.refresh(RefreshToken)).status).toBe(400)
    expect((await confirm(email, code, 'another 1')).json.__type).toBe('CodeMismatchException')
    expect(world.revoked).toContain(cognitoId)
  })

  it('gives the same answer for an unknown address, and sends nothing', async () => {
    const { email } = await world.addPerson()
    const before = world.mail.sent.length
    const [known, unknown] = [await forgot(email), await forgot(`${email.slice(0, 1)}zz@example.com`)]
    await world.identity.close()
    expect(unknown.body).toBe(known.body)
    expect(unknown.status).toBe(200)
    expect(world.mail.sent.length - before).toBe(1)
    const wrong = await Promise.all([confirm(email, '000000'), confirm('stranger@example.com', '000000')])
    expect(wrong[0].body).toBe(wrong[1].body)
  })

  it('sends nothing to a disabled person', async () => {
    const { email } = await world.addPerson({ enabled: false })
    await forgot(email)
    await world.identity.close()
    expect(world.mail.sent.some(({ to }) => to === email)).toBe(false)
  })

  it('is locked after five wrong codes, with the same words for known and unknown addresses', async () => {
    const { email } = await world.addPerson()
    const code = await mailedCode(email)
    const answers = { known: [] as string[], unknown: [] as string[] }
    for (let i = 0; i < 7; i++) {
      answers.known.push((await confirm(email, other(code))).body)
      answers.unknown.push((await confirm('nobody@example.com', other(code))).body)
    }
    expect(answers.known).toEqual(answers.unknown)
    expect(answers.known.map((body) => JSON.parse(body).__type)).toEqual([
      ...Array.from({ length: 5 }, () => 'CodeMismatchException'),
      ...Array.from({ length: 2 }, () => 'LimitExceededException'),
    ])
    world.clock.advance(60_000)
    expect((await confirm(email, code)).json.__type).toBe('CodeMismatchException')
    expect((await world.signIn(email)).status).toBe(200)
  })

  it('can also be replaced by the link of the email, once, for an hour', async () => {
    const { email } = await world.addPerson()
    await forgot(email)
    const late = await mailedSecret(email)
    world.clock.advance(60 * 60_000)
    expect((await confirm(email, late)).json.__type).toBe('ExpiredCodeException')
    await forgot(email)
    const secret = await mailedSecret(email)
    expect((await confirm(email, late)).json.__type).toBe('CodeMismatchException')
    expect((await confirm('nobody@example.com', secret)).json.__type).toBe('CodeMismatchException')
    expect((await confirm(email, secret)).json).toEqual({})
    expect((await world.signIn(email, NEW)).status).toBe(200)
    expect((await confirm(email, secret, 'another 1')).json.__type).toBe('CodeMismatchException')
  })

  it('can be replaced by link while someone uses up the attempts of its code', async () => {
    const { email } = await world.addPerson()
    const code = await mailedCode(email)
    const secret = await mailedSecret(email)
    for (let network = 0; network < 9; network++) {
      address = `203.0.113.1${network}0`
      for (let i = 0; i < 6; i++) await confirm(email, other(code))
    }
    expect((await confirm(email, code)).json.__type).toBe('LimitExceededException')
    expect((await confirm(email, secret)).json).toEqual({})
    expect((await world.signIn(email, NEW)).status).toBe(200)
  })

  it('can be requested by its person while one address makes failing requests', async () => {
    const { email } = await world.addPerson()
    for (let i = 0; i < 30; i++) await forgot(email)
    address = '203.0.113.250'
    expect((await forgot(email)).status).toBe(200)
    expect((await confirm(email, await mailedSecret(email))).json).toEqual({})
  })

  it('expires after 15 minutes, and says so only for the right code', async () => {
    const { email } = await world.addPerson()
    const code = await mailedCode(email)
    world.clock.advance(15 * 60_000)
    expect((await confirm(email, other(code))).json.__type).toBe('CodeMismatchException')
    expect((await confirm(email, code)).json.__type).toBe('ExpiredCodeException')
  })

  it('has one active code: a second email ends the first', async () => {
    const { email } = await world.addPerson()
    const first = await mailedCode(email)
    let second = await mailedCode(email)
    while (second === first) second = await mailedCode(email)
    expect((await confirm(email, first)).json.__type).toBe('CodeMismatchException')
    expect((await confirm(email, second)).status).toBe(200)
  })

  it('allows only one of two confirmations with the same code', async () => {
    const { email } = await world.addPerson()
    const code = await mailedCode(email)
    const answers = await Promise.all([confirm(email, code, 'winner 1'), confirm(email, code, 'winner 2')])
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  })

  it('sends at most five emails an hour to one address', async () => {
    const { email } = await world.addPerson()
    const count = () => world.mail.sent.filter(({ to }) => to === email).length
    const names: string[] = []
    for (let i = 0; i < 8; i++) names.push((await forgot(email)).json.__type ?? 'sent')
    await world.identity.close()
    expect(names).toEqual([
      ...Array.from({ length: 5 }, () => 'sent'),
      ...Array.from({ length: 3 }, () => 'LimitExceededException'),
    ])
    expect(count()).toBe(5)
  })

  it('uses the language of the person, Chinese by default', async () => {
    const chinese = await world.addPerson()
    const english = await world.addPerson()
    await world.db.query(sql`
      insert into personal_configs (tenant, cognito_id, notification, custom_dashboard, decimal_precision, language)
      values (${english.tenant}::uuid, ${english.cognitoId}::uuid, true, 'DEFAULT', 2, 'en-US')`)
    await mailedCode(chinese.email)
    await mailedCode(english.email)
    const subjectTo = (email: string) => world.mail.sent.find(({ to }) => to === email)?.subject
    expect(subjectTo(chinese.email)).toBe('重設密碼驗證碼')
    expect(subjectTo(english.email)).toBe('Password reset code')
  })

  it('stores no readable code in the database or the log', async () => {
    const { email, cognitoId } = await world.addPerson()
    const code = await mailedCode(email)
    const rows = await world.db.query<{ row: string }>(sql`
      select row_to_json(c)::text as row from confirmation_codes c where cognito_id = ${cognitoId}::uuid`)
    expect(rows[0]!.row.replace(/"expires_at":\d+/, '')).not.toContain(`"${code}"`)
    expect(JSON.stringify(world.log.lines)).not.toContain(code)
  })

  it('rejects a weak new password without using up an attempt', async () => {
    const { email } = await world.addPerson()
    const code = await mailedCode(email)
    for (let i = 0; i < 6; i++)
      expect((await confirm(email, code, 'weak')).json.__type).toBe('InvalidPasswordException')
    expect((await confirm(email, code)).status).toBe(200)
  })

  it('tells callers of POST calls which field was wrong', async () => {
    const { email } = await world.addPerson()
    const from = { ...caller, address }
    await world.identity.forgotPassword(email, from)
    await expect(world.identity.confirmForgotPassword(email, '000', NEW, from)).rejects.toMatchObject({
      code: 'INVALID',
      fields: { ConfirmationCode: 'code' },
    })
    await expect(world.identity.confirmForgotPassword(email, '000000', 'weak', from)).rejects.toMatchObject({
      code: 'INVALID',
      fields: { NewPassword: 'password' },
    })
    for (let i = 0; i < 4; i++) await world.identity.forgotPassword(email, from)
    await expect(world.identity.forgotPassword(email, from)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })
})
