import type { Page } from '@playwright/test'
import { bookings } from '../../contract/bookings/calls.ts'
import { conferenceRoom } from '../../contract/bookings/conference-room.ts'
import { formatDay, toEpoch, toWallTime } from '../../contract/time/periods.ts'
import { addHome, newEmail, ZONE, type Company } from './support/company.ts'
import { pressInMenu, signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const MINUTE = 60_000
const WEEK = 7 * 24 * 60 * MINUTE
const TOMORROW = toWallTime(Date.now(), ZONE).day + 1
const TABLETS = { 'zh-TW': { width: 1024, height: 768 }, 'en-US': { width: 768, height: 1024 } }

const addRoom = async (company: Company, ConferenceRoomName: string) =>
  company.owner(conferenceRoom.operations.create, {
    ConferenceRoomName,
    Capacity: 4,
    HomeID: await addHome(company),
  })

/** Whether the page neither scrolls nor cuts off content horizontally. */
const fits = (page: Page) =>
  page.evaluate(
    () =>
      document.documentElement.scrollWidth <= innerWidth &&
      document.documentElement.scrollHeight <= innerHeight,
  )

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('checks in and ends a meeting at the door, and the calendar shows it', async ({
      browser,
      company,
    }) => {
      const { product, owner, email } = company
      const Subject = `門口 ${language}`
      const { ConferenceRoomID, ConferenceRoomName } = await addRoom(company, `會議室 ${language}`)
      const person = await signIn(browser, product, language, email, { at: '/ConferenceRoomListing' })
      const { page, words } = person

      await pressInMenu(person, ConferenceRoomName, words('screens:list.edit', { name: ConferenceRoomName }))
      const door = page.locator('.ant-card', { hasText: words('bookings:link.door') }).last()
      await door.getByRole('button', { name: words('bookings:link.make') }).click()
      const address = await door.getByLabel(words('bookings:link.address'), { exact: true }).inputValue()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('screens:cancel'), exact: true })
        .click()

      // New browser without a session or a chosen language.
      const tablet = await browser.newContext({ viewport: TABLETS[language], hasTouch: true })
      const screen = await tablet.newPage()
      await screen.goto(address)
      await screen.locator(`button[lang="${language}"]`).tap()
      await expect(screen.getByRole('heading', { name: ConferenceRoomName })).toBeVisible()
      await expect(screen.getByText(words('bookings:door.free'), { exact: true })).toBeVisible()

      const StartTimestamp = Math.floor(Date.now() / MINUTE) * MINUTE
      const EndTimestamp = StartTimestamp + 15 * MINUTE
      const asked = { ConferenceRoomID, StartTimestamp, EndTimestamp, Subject, Attendees: [email] }
      const [made] = await owner(bookings.add, asked)
      const date = formatDay(toWallTime(StartTimestamp, ZONE).day)
      await person.goTo(`/ConferenceRoomBooking?date=${date}&booking=${made?.RecordID}`)
      const details = page.getByRole('dialog', { name: Subject })
      await expect(details).toContainText(email)
      await person.live()
      await screen.reload()
      await expect(screen.getByText(words('bookings:door.busy'), { exact: true })).toBeVisible()
      expect(await fits(screen)).toBe(true)
      await screen.getByRole('button', { name: words('bookings:door.checkIn', { subject: Subject }) }).tap()
      await expect(screen.getByText(words('bookings:checkedIn'), { exact: true })).toBeVisible()
      await expect(details.getByText(words('bookings:checkedIn'), { exact: true })).toBeVisible()
      await screen.getByRole('button', { name: words('bookings:door.release'), exact: true }).tap()
      await screen.getByRole('button', { name: words('bookings:door.releaseSure') }).tap()
      await expect(details.getByText(words('bookings:released'), { exact: true })).toBeVisible()
      await tablet.close()
      await person.leave()
    })

    test('a series skips occupied days, emails its guests, and calendars follow its cancellations', async ({
      browser,
      company,
    }) => {
      const { product, owner, email } = company
      const GUEST = newEmail('guest')
      const Subject = `系列 ${language}`
      const { ConferenceRoomID, ConferenceRoomName } = await addRoom(company, `系列室 ${language}`)
      const first = toEpoch(TOMORROW, 9 * 60, ZONE)
      const taken = { StartTimestamp: first + 2 * WEEK, EndTimestamp: first + 2 * WEEK + 15 * MINUTE }
      await owner(bookings.add, { ConferenceRoomID, ...taken, Subject: '董事會', Attendees: [GUEST] })
      const person = await signIn(browser, product, language, email, {
        at: '/ConferenceRoomBooking?date=' + formatDay(TOMORROW),
      })
      const { page, words } = person
      const booked = page.getByRole('button', { name: new RegExp(Subject) })

      await test.step('book through the form, without the day that is occupied', async () => {
        await page
          .getByRole('button', { name: words('bookings:grid.line', { room: ConferenceRoomName, count: 0 }) })
          .focus()
        // The first key press selects nine o'clock.
        await page.keyboard.press('ArrowRight')
        await expect(page.getByRole('status').filter({ hasText: '09:00' })).toBeVisible()
        await page.keyboard.press('Enter')
        const form = page.getByRole('dialog')
        await form.getByLabel(words('bookings:form.subject')).fill(Subject)
        await form.getByRole('combobox', { name: words('bookings:form.attendees') }).fill('guest')
        await page.keyboard.press('Enter')
        const book = form.getByRole('button', { name: words('bookings:form.book'), exact: true })
        await book.click()
        await expect(form.getByText(words('bookings:form.noAddress', { texts: 'guest' }))).toBeVisible()
        await form.locator('.ant-select-selection-item-remove').last().click()
        await form.getByRole('combobox', { name: words('bookings:form.attendees') }).fill(GUEST)
        await page.keyboard.press('Enter')
        await form.getByText(words('screens:form.more'), { exact: true }).click()
        const repeat = form.getByRole('combobox', { name: words('bookings:form.repeat') })
        await repeat.press('ArrowDown')
        await expect(repeat).toHaveAttribute('aria-expanded', 'true')
        // From never via every day to every week.
        for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
        await expect(form.getByText(words('bookings:form.weekdays'), { exact: true })).toBeVisible()
        // Enter completes a typed time without booking.
        const end = form.getByLabel(words('bookings:form.end'), { exact: true })
        await end.fill('09:45')
        await end.press('Enter')
        await expect(end).toHaveValue('09:45')
        await book.click()
        await expect(form.getByRole('alert').first()).toContainText(words('errors:fields.booked'))
        await form.getByRole('button', { name: words('bookings:form.skipTaken') }).click()
        await expect(page.getByText(words('bookings:booked', { count: 4 }))).toBeVisible()
        await expect(booked).toBeVisible()
      })

      const feed = await test.step('subscribe with a calendar program', async () => {
        await person.goTo('/ConferenceRoomMyBooking')
        await page
          .getByRole('button', {
            name: new RegExp(`${words('bookings:link.make')}|${words('bookings:link.renew')}`),
          })
          .click()
        const sure = page.getByRole('dialog').getByRole('button', { name: words('bookings:link.renew') })
        const address = page.getByLabel(words('bookings:link.address'), { exact: true })
        await expect(sure.or(address)).toBeVisible()
        if (await sure.isVisible()) await sure.click()
        const url = await address.inputValue()
        return async () => eventsOf(await (await fetch(url)).text(), Subject)
      })
      expect((await feed()).map(({ DTSTART }) => DTSTART)).toEqual(
        [0, 1, 3, 4].map((weeks) => utc(first + weeks * WEEK)),
      )

      await test.step('cancel one booking and keep the others', async () => {
        await person.goTo(`/ConferenceRoomBooking?date=${formatDay(TOMORROW + 7)}`)
        await booked.click()
        await page.getByRole('button', { name: words('bookings:cancel.ok') }).click()
        const sure = page.getByRole('dialog', { name: words('bookings:cancel.title', { subject: Subject }) })
        await expect(sure.getByRole('radio', { name: words('bookings:scopes.one') })).toBeChecked()
        await sure.getByRole('button', { name: words('bookings:cancel.ok') }).click()
        await expect(booked).toHaveCount(0)
        await page.getByRole('button', { name: words('bookings:later') }).click()
        await expect(booked).toHaveCount(0)
        await person.goTo(`/ConferenceRoomBooking?date=${formatDay(TOMORROW + 21)}`)
        await expect(booked).toBeVisible()
      })
      expect((await feed()).map(({ DTSTART }) => DTSTART)).toEqual(
        [0, 3, 4].map((weeks) => utc(first + weeks * WEEK)),
      )

      await test.step('the guest gets an invitation and a cancellation that calendars understand', async () => {
        const outbox = async () => (await fetch(product.outboxUrl)).text()
        // People without an account receive email in Chinese.
        for (const what of ['會議邀請', '會議取消'])
          await expect.poll(outbox, { timeout: 90_000 }).toContain(`${what}：${Subject}</h2><p>${GUEST}`)
        const text = await outbox()
        for (const line of ['METHOD:REQUEST', 'METHOD:CANCEL', 'STATUS:CANCELLED'])
          expect(text).toContain(line)
        expect(text).toContain(`mailto:${GUEST}`)
      })
      await person.leave()
    })
  })

const utc = (timestamp: number) => new Date(timestamp).toISOString().replace(/[-:]|\.\d{3}/g, '')

/** Events of an iCalendar object with a summary, as a subscribed program reads them (RFC 5545 §3.1, §3.4, §3.6.1). */
function eventsOf(text: string, summary: string): Record<string, string>[] {
  expect(text).not.toMatch(/[^\r]\n/)
  const lines = text.replaceAll('\r\n ', '').trimEnd().split('\r\n')
  expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR'])
  const events: Record<string, string>[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1)]
    if (name === 'BEGIN') events.push({})
    else Object.assign(events.at(-1) ?? {}, { [name]: value })
  }
  // The first is the calendar itself.
  const found = events.slice(1)
  for (const event of found)
    for (const name of ['UID', 'DTSTAMP', 'DTSTART', 'DTEND']) expect(event, name).toHaveProperty(name)
  expect(new Set(found.map(({ UID }) => UID)).size).toBe(found.length)
  return found.filter(({ SUMMARY }) => SUMMARY === summary)
}
