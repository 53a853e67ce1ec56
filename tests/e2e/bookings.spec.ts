import type { Page } from '@playwright/test'
import { bookings } from '../../contract/bookings/calls.ts'
import { conferenceRoom, type ConferenceRoomWithClock } from '../../contract/bookings/conference-room.ts'
import { formatDay, toEpoch, toWallTime } from '../../contract/time/periods.ts'
import { shortDayText } from '../../src/custom-views/bookings/booking-words.ts'
import { addHome, hire, ZONE, type Company } from './support/company.ts'
import { signIn, type Person } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const HOUR = 3_600_000
/** Free all day, whenever the test runs. */
const TOMORROW = toWallTime(Date.now(), ZONE).day + 1

/** Two rooms at a home of the company. */
async function addRooms(
  company: Company,
): Promise<{ small: ConferenceRoomWithClock; large: ConferenceRoomWithClock }> {
  const HomeID = await addHome(company)
  const add = (ConferenceRoomName: string, Capacity: number) =>
    company.owner(conferenceRoom.operations.create, { ConferenceRoomName, Capacity, HomeID })
  return { small: await add('小會議室', 4), large: await add('大會議室', 12) }
}

const calendar = `/ConferenceRoomBooking?date=${formatDay(TOMORROW)}`
/** Time zone in which the date differs from the site's. */
const elsewhere = () =>
  ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find(
    (zone) => toWallTime(Date.now(), zone).day !== toWallTime(Date.now(), ZONE).day,
  ) as string

/** Booking on the calendar, by its subject. */
const booked = (page: Page, subject: string) => page.getByRole('button', { name: new RegExp(subject) })

async function openFreeTimes({ page, words, goTo }: Person, language: (typeof LANGUAGES)[number]) {
  await goTo('/ConferenceRoomAddBooking')
  await page
    .getByRole('radiogroup', { name: words('bookings:date') })
    .getByText(shortDayText(TOMORROW, language), { exact: true })
    .click()
  return page.locator('.ant-card', { hasText: words('bookings:free.title') }).getByRole('region')
}

for (const [index, language] of LANGUAGES.entries())
  test.describe(language, () => {
    const other = LANGUAGES[1 - index] as (typeof LANGUAGES)[number]

    test('shows bookings and cancellations to another person at once and prevents double booking', async ({
      browser,
      company,
    }) => {
      const subject = `週會 ${language}`
      const { small } = await addRooms(company)
      const colleague = await hire(company, '同事', [
        { FeatureKey: 'home', OperationList: ['Read'] },
        { FeatureKey: 'conference_room', OperationList: ['Read', 'Create'] },
      ])
      const booker = await signIn(browser, company.product, language, company.email)
      const watcher = await signIn(browser, company.product, other, colleague.Email, { at: calendar })
      const { page, words } = booker
      await watcher.live()
      await expect(booked(watcher.page, subject)).toHaveCount(0)

      await test.step('opens the form with a free time and books it', async () => {
        await (await openFreeTimes(booker, language)).first().getByRole('button').first().click()
        await page.getByLabel(words('bookings:form.subject')).fill(subject)
        await page.getByRole('button', { name: words('bookings:form.book'), exact: true }).click()
        const notice = words('bookings:bookedOne', { room: small.ConferenceRoomName, when: '' }).trim()
        await expect(page.getByText(notice)).toBeVisible()
        await expect(booked(watcher.page, subject)).toBeVisible()
      })

      await test.step('rejects a period that overlaps by a minute and names the conflict', async () => {
        const { page: there, words: say } = watcher
        const offers = await openFreeTimes(watcher, other)
        await offers.filter({ hasText: small.ConferenceRoomName }).getByRole('button').first().click()
        const start = there.getByLabel(say('bookings:form.start'), { exact: true })
        await expect(start).toHaveValue('09:00')
        await start.fill('08:59')
        await start.press('Enter')
        await expect(start).toHaveValue('08:59')
        await there.getByLabel(say('bookings:form.subject')).fill('面談')
        await there.getByRole('button', { name: say('bookings:form.book'), exact: true }).click()
        const refusal = there.getByRole('alert').filter({ hasText: subject })
        await expect(refusal).toContainText(say('errors:fields.booked'))
        await watcher.open(calendar)
        await watcher.live()
        await expect(booked(there, subject)).toBeVisible()
        await expect(booked(there, '面談')).toHaveCount(0)
      })

      await test.step("confirms a cancellation and removes it from the other person's calendar", async () => {
        await booker.goTo(calendar)
        await booked(page, subject).click()
        await page.getByRole('button', { name: words('bookings:cancel.ok') }).click()
        await page
          .getByRole('dialog', { name: words('bookings:cancel.title', { subject }) })
          .getByRole('button', { name: words('bookings:cancel.ok') })
          .click()
        await expect(booked(watcher.page, subject)).toHaveCount(0)
        await expect(booked(page, subject)).toHaveCount(0)
      })
      await Promise.all([booker.leave(), watcher.leave()])
    })

    test('offers free times only in rooms with enough seats', async ({ browser, company }) => {
      const { small, large } = await addRooms(company)
      const person = await signIn(browser, company.product, language, company.email)
      const { page, words } = person
      const offers = await openFreeTimes(person, language)
      await expect(offers).toHaveText([
        new RegExp(small.ConferenceRoomName),
        new RegExp(large.ConferenceRoomName),
      ])
      const people = page.getByLabel(words('bookings:atLeast'))
      await people.fill('12')
      await expect(offers).toHaveText([new RegExp(large.ConferenceRoomName)])
      await people.fill('13')
      await expect(page.getByText(words('bookings:free.none'))).toBeVisible()
      await person.leave()
    })

    test("uses the site's time zone even if the browser is on another day", async ({ browser, company }) => {
      const subject = `跨時區 ${language}`
      const StartTimestamp = toEpoch(TOMORROW, 10 * 60, ZONE)
      const { product, owner, email } = company
      const { ConferenceRoomID, ConferenceRoomName } = (await addRooms(company)).small
      await owner(bookings.add, {
        ConferenceRoomID,
        StartTimestamp,
        EndTimestamp: StartTimestamp + HOUR,
        Subject: subject,
        Attendees: [email],
      })
      const timezoneId = elsewhere()
      const person = await signIn(browser, product, language, email, {
        timezoneId,
        at: '/ConferenceRoomBooking',
      })
      const { page, words } = person
      const date = page.getByLabel(words('bookings:date'))
      await expect(date).toHaveValue(formatDay(toWallTime(Date.now(), ZONE).day))
      await expect(page.getByText(words('bookings:form.zone', { zone: ZONE }))).toBeVisible()
      await page.getByRole('button', { name: words('bookings:later') }).click()
      await expect(date).toHaveValue(formatDay(TOMORROW))
      await expect(booked(page, subject)).toContainText('10:00')

      await test.step('fits the hours of a day into the page, and jumps to booked days', async () => {
        const grid = page.locator('[data-tracks]')
        await expect(grid).toContainText('07:00')
        await expect(grid).toContainText('20:00')
        expect(await grid.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
        await person.goTo(`/ConferenceRoomBooking?date=${formatDay(TOMORROW + 9)}`)
        await page.getByRole('button', { name: words('bookings:previousBooked') }).click()
        await expect(date).toHaveValue(formatDay(TOMORROW))
        await expect(booked(page, subject)).toBeVisible()
        await page.getByRole('button', { name: words('bookings:nextBooked') }).click()
        await expect(page.getByText(words('bookings:noBookedDay', { count: 60 }))).toBeVisible()
        await expect(date).toHaveValue(formatDay(TOMORROW))
      })

      await test.step('shows how to use the calendar on request', async () => {
        const help = page.getByText(words('bookings:grid.help'))
        await expect(help).toBeHidden()
        await page.getByRole('button', { name: words('bookings:grid.howTo') }).click()
        await expect(help).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(help).toBeHidden()
      })

      await test.step('moves through the week of one room by keyboard and opens bookings', async () => {
        await page
          .getByRole('button', { name: words('bookings:weekOf', { room: ConferenceRoomName }) })
          .click()
        await expect(page).toHaveURL(new RegExp(`room=${ConferenceRoomID}`))
        await expect(booked(page, subject)).toContainText('10:00')
        const columns = page.locator('[data-track]')
        await expect(columns).toHaveCount(7)
        const weekday = (TOMORROW + 3) % 7
        await columns.nth(weekday).focus()
        // From nine down to ten.
        for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowDown')
        await expect(page.getByRole('status').filter({ hasText: subject })).toBeVisible()
        await page.keyboard.press('Enter')
        await expect(page.getByRole('dialog', { name: subject })).toContainText('10:00 – 11:00')
      })
      await person.leave()
    })

    test('shows bookings as a list that fits a phone and opens them', async ({ browser, company }) => {
      const subject = `電話會議 ${language}`
      const StartTimestamp = toEpoch(TOMORROW, 14 * 60, ZONE)
      const { product, owner, email } = company
      const { large } = await addRooms(company)
      const { ConferenceRoomID } = large
      const [made] = await owner(bookings.add, {
        ConferenceRoomID,
        StartTimestamp,
        EndTimestamp: StartTimestamp + HOUR,
        Subject: subject,
        Attendees: [email],
      })
      const person = await signIn(browser, product, language, email, { ...PHONE, at: calendar })
      const { page, words } = person
      const entry = page.getByRole('listitem').filter({ hasText: subject })
      await expect(entry).toContainText('14:00 – 15:00')
      await expect(entry).toContainText(large.ConferenceRoomName)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await entry.getByRole('button').tap()
      await expect(page.getByRole('dialog', { name: subject })).toContainText(email)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await page.getByRole('button', { name: words('bookings:edit') }).tap()
      await expect(page.getByLabel(words('bookings:form.subject'))).toHaveValue(subject)
      await owner(bookings.remove, { RecordID: made?.RecordID ?? '' })

      await test.step('shows an empty day and offers to book on it', async () => {
        const empty = TOMORROW + 40
        await person.open(`/ConferenceRoomBooking?date=${formatDay(empty)}`)
        await expect(page.getByText(words('bookings:nothingOnDay'))).toBeVisible()
        await page
          .getByRole('main')
          .getByRole('button', { name: words('shell:pages.ConferenceRoomAddBooking') })
          .tap()
        const dialog = page.getByRole('dialog')
        await expect(dialog.getByLabel(words('bookings:date'))).toHaveValue(formatDay(empty))
        await expect(dialog.getByLabel(words('bookings:form.start'), { exact: true })).toHaveValue('09:00')
      })

      await test.step('shows rooms as cards that fit long names', async () => {
        const name = `Conference-room-with-a-name-of-sixty-four-letters-in-one-word-${language}`.slice(0, 64)
        const long = await owner(conferenceRoom.operations.create, { ConferenceRoomName: name, Capacity: 1 })
        await person.open('/ConferenceRoomListing')
        await expect(page.getByText(name)).toBeVisible()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
        await owner(conferenceRoom.operations.remove, { ConferenceRoomID: long.ConferenceRoomID })
      })

      await test.step('shows a week as a list of days, one room at a time', async () => {
        await person.open(`/ConferenceRoomBooking?view=week&date=${formatDay(TOMORROW + 40)}`)
        await expect(page.getByText(words('bookings:nothingOnDay'))).toHaveCount(7)
        const add = page.getByRole('button', { name: words('bookings:bookOn', { day: '' }).trim() })
        await expect(add).toHaveCount(7)
        expect((await add.first().boundingBox())?.height).toBeGreaterThanOrEqual(44)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      })
      await person.leave()
    })
  })
