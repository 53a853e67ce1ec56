import { createServer, type AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ADDRESS_TTL_MS,
  createOutbox,
  MESSAGE_TTL_MS,
  createSmtpMail,
} from '../../../../gateway/lib/mail/outbox.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'
import { randomBytes, randomUUID } from 'node:crypto'

const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() }
const clock = { now: () => Date.UTC(2026, 0, 1), after: () => () => {} }
let test: TestDb

beforeAll(async () => {
  test = await createTestDb()
})
afterAll(() => test.dropDatabase())

describe('the outbox, for a gateway without a mail server', () => {
  it('shows messages, newest first, only to those who know its address', async () => {
    const outbox = createOutbox({ db: test.db, clock, random })
    await outbox.send({ to: 'a@example.com', subject: 'First', text: 'Your code is 123456' })
    await outbox.send({ to: 'b@example.com', subject: 'Second', text: '<script>alert(1)</script> & "more"' })
    const token = outbox.path.split('/').at(-1)!
    const page = (await outbox.renderPage(token))!
    expect(page.indexOf('Second')).toBeLessThan(page.indexOf('First'))
    expect(page).toContain('Your code is 123456')
    expect(page).not.toContain('<script>')
    expect(token.length).toBeGreaterThanOrEqual(24)
    for (const guess of ['', 'x', token.slice(0, -1), `${token}x`])
      expect(await outbox.renderPage(guess)).toBeUndefined()
  })

  it('keeps the calendar attached to a message', async () => {
    const outbox = createOutbox({ db: test.db, clock, random })
    const calendar = { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' }
    await outbox.send({ to: 'a@example.com', subject: 'Third', text: 'Come', calendar })
    const page = (await outbox.renderPage(outbox.path.split('/').at(-1)!))!
    expect(page).toMatch(/Come\n\n\[text\/calendar; method=REQUEST\]\nBEGIN:VCALENDAR\r?\nEND:VCALENDAR/)
  })

  it('has another address after a restart, and the same messages', async () => {
    const [one, two] = [
      createOutbox({ db: test.db, clock, random }),
      createOutbox({ db: test.db, clock, random }),
    ]
    expect(one.path).not.toBe(two.path)
    expect(await two.renderPage(two.path.split('/').at(-1)!)).toContain('Your code is 123456')
  })

  it('keeps the last 200', async () => {
    const outbox = createOutbox({ db: test.db, clock, random })
    for (let i = 0; i < 205; i++)
      await outbox.send({ to: 'a@example.com', subject: `Number ${i}.`, text: 'x' })
    const page = (await outbox.renderPage(outbox.path.split('/').at(-1)!))!
    expect(page.match(/<article>/g)).toHaveLength(200)
    expect(page).toContain('Number 204.')
    expect(page).not.toContain('Number 4.')
  })

  it('has an address that expires after a day, another one for later messages, and none older than a week', async () => {
    const moving = { time: clock.now(), now: () => moving.time }
    const told: string[] = []
    const outbox = createOutbox({
      db: test.db,
      clock: moving,
      random,
      onNewAddress: (path) => told.push(path),
    })
    await outbox.send({ to: 'a@example.com', subject: 'Early', text: 'x' })
    const first = outbox.path.split('/').at(-1)!
    moving.time += ADDRESS_TTL_MS - 1
    expect(await outbox.renderPage(first)).toContain('Early')
    moving.time += 1
    expect(await outbox.renderPage(first)).toBeUndefined()
    await outbox.send({ to: 'a@example.com', subject: 'Late', text: 'x' })
    expect(told).toEqual([outbox.path])
    expect(await outbox.renderPage(first)).toBeUndefined()
    expect(await outbox.renderPage(outbox.path.split('/').at(-1)!)).toContain('Late')
    moving.time = clock.now() + MESSAGE_TTL_MS
    await outbox.send({ to: 'a@example.com', subject: 'Next week', text: 'x' })
    const page = await outbox.renderPage(outbox.path.split('/').at(-1)!)
    expect(page).not.toContain('Early')
    expect(page).toContain('Late')
  })
})

describe('mail through a server', () => {
  it('delivers Chinese text and subject, and fails if the server rejects it', async () => {
    const received: string[] = []
    let refuse = false
    const server = createServer((socket) => {
      let inData = false
      socket.write('220 test\r\n')
      socket.on('data', (chunk) => {
        const text = chunk.toString()
        if (inData) {
          received.push(text)
          if (text.endsWith('\r\n.\r\n')) {
            inData = false
            socket.write('250 ok\r\n')
          }
        } else if (text.startsWith('RCPT') && refuse) socket.write('550 no such mailbox\r\n')
        else if (text.startsWith('DATA')) {
          inData = true
          socket.write('354 go on\r\n')
        } else if (text.startsWith('QUIT')) socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const mail = createSmtpMail(`smtp://127.0.0.1:${port}?ignoreTLS=true`, 'Building <noreply@example.com>')
    const sent = {
      to: 'a@example.com',
      subject: '重設密碼驗證碼',
      text: '您的驗證碼是 123456',
      html: '<p>123456</p>',
    }
    await mail.send(sent)
    const message = received.join('')
    expect(message).toContain('To: a@example.com')
    expect(message).toContain(`=?UTF-8?B?${Buffer.from(sent.subject).toString('base64')}?=`)
    expect(message).toContain('From: Building <noreply@example.com>')
    // Mail programs recognize the part as an invitation by this type.
    const content = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'
    await mail.send({ ...sent, calendar: { method: 'REQUEST', content } })
    expect(received.join('')).toMatch(/Content-Type: text\/calendar; charset=utf-8;\s+method=REQUEST/i)
    refuse = true
    await expect(mail.send(sent)).rejects.toThrow(/no such mailbox|All recipients/)
    mail.close()
    await new Promise((resolve) => server.close(resolve))
  })
})
