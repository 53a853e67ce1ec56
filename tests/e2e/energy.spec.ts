import { readFile } from 'node:fs/promises'
import { read as readWorkbook, utils as sheets, type WorkSheet } from 'xlsx'
import { homeTariff } from '../../contract/tariffs/home-tariff-calls.ts'
import { dayOf, formatDay, startOfDay } from '../../contract/time/periods.ts'
import { homeTariff as aTariff } from '../support/home-tariff.ts'
import { formatWhen } from '../../contract/time/format-time.ts'
import { addHome, ZONE } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const HOUR = 3_600_000

for (const language of LANGUAGES)
  test(`${language}: turns counters into energy, and corrects and undoes faults in them`, async ({
    browser,
    company,
  }) => {
    test.slow()
    const { product, owner, email } = company
    const HomeID = await addHome(company)
    const meter = `meter-${language}`
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: `hub-${language}`,
      devices: [{ PeripheralUID: meter, PeripheralType: '514', PeripheralName: meter }],
    })
    const today = dayOf(Date.now(), ZONE)
    const [eve, yesterday, midnight] = [today - 2, today - 1, today].map((day) => startOfDay(day, ZONE)) as [
      number,
      number,
      number,
    ]
    const count = (Timestamp: number, AccumulatePower: number) =>
      hub.read(meter, { Timestamp, AccumulatePower })
    await count(eve, 100)
    await count(eve + 12 * HOUR, 112)
    await count(yesterday, 124)
    await count(yesterday + 10 * HOUR, 134)
    // Another meter is installed, but the replacement is not recorded.
    await count(yesterday + 12 * HOUR, 5)
    await count(midnight, 17)

    const person = await signIn(browser, product, language, email)
    const { page, words } = person
    const [dayBefore, lastDay] = [formatDay(today - 2), formatDay(today - 1)]
    const totals = page.getByRole('region', { name: words('energy:totals') })
    const energyIs = async (range: string, kWh: string) => {
      await person.open(`/electricity/${HomeID}?range=${range}`)
      await expect(totals.getByRole('button', { name: words('energy:measures.kwh') })).toContainText(kWh)
    }

    await test.step("the energy of a day equals the counter's increase", async () => {
      await energyIs(dayBefore, '24.0kWh')
      await expect(totals).not.toContainText(words('energy:resets', { count: 1 }))
    })

    const plot = page.locator('.u-over')
    const all = page.getByRole('button', { name: words('charts:zoomReset') })
    /** Drags a box over a part of the plot, 0 to 1. */
    const dragOver = async (from: number, to: number) => {
      await plot.scrollIntoViewIfNeeded()
      const { x, y, width } = (await plot.boundingBox()) as { x: number; y: number; width: number }
      await page.mouse.move(x + from * width, y + 80)
      await page.mouse.down()
      await page.mouse.move(x + to * width, y + 80, { steps: 4 })
      await page.mouse.up()
      await expect(all).toBeEnabled()
    }

    await test.step('zoom to a part, also by link; a double click resets the zoom', async () => {
      const part = `zoom=${eve + 6 * HOUR}..${eve + 12 * HOUR}`
      const drag = async () => {
        await dragOver(0.26, 0.49)
        await expect(page).toHaveURL((url) => url.search === `?range=${dayBefore}&${part}`)
      }
      await drag()
      await plot.dblclick()
      await expect(all).toBeDisabled()
      await expect(page).toHaveURL((url) => url.search === `?range=${dayBefore}`)
      await person.open(`/electricity/${HomeID}?range=${dayBefore}&${part}`)
      await expect(all).toBeEnabled()
    })

    await test.step('zoom the history by drag and by keys, and mark times without readings', async () => {
      /** Hours of the day in the address's zoom. */
      const zoomed = () =>
        new URL(page.url()).searchParams
          .get('zoom')
          ?.split('..')
          .map((at) => Math.round((Number(at) - eve) / HOUR))
      const shows = (part: number[] | undefined) =>
        expect.poll(zoomed, { message: 'what is zoomed to' }).toEqual(part)
      await person.open(`/history/${HomeID}?range=${dayBefore}&q=${meter}:AccumulatePower`)
      const chart = page.getByRole('figure')
      await dragOver(0.25, 0.75)
      await shows([6, 18])
      await expect(chart.getByText(words('charts:missing'), { exact: true })).toBeVisible()
      await chart.getByRole('slider').focus()
      await page.keyboard.press('+')
      await shows([9, 15])
      await page.keyboard.press('0')
      await shows(undefined)
      await dragOver(0.25, 0.75)
      await shows([6, 18])
      await chart.getByRole('button', { name: words('charts:asTable') }).click()
      const table = chart.getByRole('table')
      await expect(table.getByText('112.00')).toBeVisible()
      await expect(table.getByText(words('charts:missing'), { exact: true }).first()).toBeVisible()
    })

    await test.step('a falling counter adds no energy and is flagged', async () => {
      await energyIs(lastDay, '22.0kWh')
      await expect(totals).toContainText(words('energy:resets', { count: 1 }))
    })

    const entries = page.getByRole('list', { name: words('meters:journal.titles.replacement') })
    await test.step('a suggested replacement is previewed and corrects the day', async () => {
      await person.open(`/meters/${HomeID}?tab=replace&meter=${meter}`)
      await page.getByLabel(words('meters:replace.at')).fill(`${lastDay} 11:00`)
      await page.keyboard.press('Enter')
      const next = page.getByRole('button', { name: words('screens:addDevice.next'), exact: true })
      await next.click()
      const old = page.getByLabel(words('meters:replace.old'))
      const first = page.getByLabel(words('meters:replace.new'))
      await expect(old).toHaveValue('134')
      await expect(first).toHaveValue('5')
      await old.fill('135')
      await first.fill('3.5')
      await next.click()
      const preview = page.getByRole('region', { name: words('meters:preview.title') })
      await expect(preview).toContainText('22.00kWh')
      await expect(preview).toContainText('24.50kWh')
      await page.getByRole('button', { name: words('meters:replace.save'), exact: true }).click()
      await expect(entries.getByRole('listitem')).toContainText('135.00')
      await energyIs(lastDay, '24.5kWh')
    })

    await test.step('after undo it stays in the journal and the day has its previous value', async () => {
      await person.open(`/meters/${HomeID}?tab=replace`)
      const undo = words('meters:journal.undo')
      await entries.getByRole('button', { name: undo, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: undo, exact: true }).click()
      await expect(entries.getByRole('listitem').locator('.ant-tag')).toBeVisible()
      await expect(entries.getByRole('button')).toHaveCount(0)
      await energyIs(lastDay, '22.0kWh')
    })

    await test.step('an implausible jump is quarantined, shown with its neighbors and discarded', async () => {
      await count(yesterday + 20 * HOUR, 1_000_000)
      await energyIs(lastDay, '22.0kWh')
      await page.getByRole('link', { name: words('energy:quarantined', { count: 1 }) }).click()
      const quarantined = page.getByRole('list', { name: words('meters:quarantined.title') })
      await expect(quarantined).toContainText(words('meters:quarantined.reasons.jump'))
      await expect(quarantined).toContainText('1,000,000.00kWh')
      await expect(quarantined).toContainText(
        words('meters:quarantined.before', {
          kwh: '5.00',
          at: formatWhen(yesterday + 12 * HOUR, language, ZONE, 'second'),
        }),
      )
      const drop = words('meters:quarantined.drop')
      await quarantined.getByRole('button', { name: drop }).click()
      await page
        .getByRole('dialog')
        .filter({ hasText: words('meters:quarantined.dropText') })
        .getByRole('button', { name: drop, exact: true })
        .click()
      const results = page.getByRole('dialog', { name: words('meters:quarantined.dropping') })
      await expect(results).toContainText(words('lists:results.done'))
      // In English the close button above has the same name.
      await results
        .getByRole('button', { name: words('lists:results.close'), exact: true })
        .last()
        .click()
      await expect(page.getByText(words('meters:quarantined.none'))).toBeVisible()
    })

    await test.step('an export opens as a workbook of real numbers and dates', async () => {
      await person.open(`/export/${HomeID}/meter?range=${dayBefore}&detail=hour&meters=${meter}`)
      const downloading = page.waitForEvent('download')
      // The name of its icon precedes its own.
      const start = new RegExp(`${words('export:start')}$`)
      await page.getByRole('main').getByRole('button', { name: start }).click()
      const workbook = readWorkbook(await readFile(await (await downloading).path()), { cellDates: true })
      const rows = sheets.sheet_to_json<Record<string, unknown>>(
        workbook.Sheets[workbook.SheetNames[0] ?? ''] as WorkSheet,
      )
      expect(rows).toHaveLength(24)
      const time = words('export:headings.start', { length: words('export:lengths.hour'), zone: ZONE })
      expect(rows.every((row) => row[time] instanceof Date)).toBe(true)
      const iso = words('export:headings.startIso', { length: words('export:lengths.hour') })
      expect(rows[0]?.[iso]).toBe(`${dayBefore}T00:00:00+08:00`)
      const kWh = rows.map((row) => row[words('export:headings.kWh')])
      expect(kWh.every((value) => typeof value === 'number')).toBe(true)
      expect(kWh.reduce<number>((sum, value) => sum + (value as number), 0)).toBeCloseTo(24, 9)
    })

    await test.step('energy has a cost once a tariff is set', async () => {
      const cost = totals.getByRole('button', { name: words('energy:measures.cost') })
      await energyIs(dayBefore, '24.0kWh')
      await expect(cost).toContainText('–')
      await owner(homeTariff.updateHomeTariff, { HomeID, Tariffs: [aTariff()] })
      await energyIs(dayBefore, '24.0kWh')
      await expect(cost).toContainText(/NT\$ [1-9][\d,]*/)
    })
    await hub.end()
    await person.leave()
  })

test('one finger selects the zoom range of a chart on a phone and still scrolls the page', async ({
  browser,
  company,
}) => {
  const { product, email } = company
  const HomeID = await addHome(company)
  const { hub } = await addOwnHub(company, {
    HomeID,
    DeviceName: 'hub-phone',
    devices: [{ PeripheralUID: 'meter-phone', PeripheralType: '514', PeripheralName: 'meter' }],
  })
  const day = dayOf(Date.now(), ZONE) - 1
  const midnight = startOfDay(day, ZONE)
  await hub.read('meter-phone', { Timestamp: midnight, AccumulatePower: 100 })
  await hub.read('meter-phone', { Timestamp: midnight + 24 * HOUR, AccumulatePower: 124 })
  const address = `?range=${formatDay(day)}`
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const person = await signIn(browser, product, 'zh-TW', email, {
    ...phone,
    ownBrowser: true,
    at: `/electricity/${HomeID}${address}`,
  })
  const { page, words } = person
  const plot = page.locator('.u-over')
  const all = page.getByRole('button', { name: words('charts:zoomReset') })
  await expect(all).toBeDisabled()
  await plot.scrollIntoViewIfNeeded()
  const place = async () => (await plot.boundingBox()) as { x: number; y: number; width: number }
  const screen = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints })

  const { x, y, width } = await place()
  await touch('touchStart', { x: x + 0.26 * width, y: y + 80 })
  for (const part of [0.3, 0.4, 0.49]) await touch('touchMove', { x: x + part * width, y: y + 82 })
  await touch('touchEnd')
  const part = `zoom=${midnight + 6 * HOUR}..${midnight + 12 * HOUR}`
  await expect(page).toHaveURL((url) => url.search === `${address}&${part}`)

  await touch('touchStart', { x: x + width / 2, y: y + 40 })
  for (const down of [70, 120, 180]) await touch('touchMove', { x: x + width / 2, y: y + down })
  await touch('touchEnd')
  await expect.poll(async () => (await place()).y, { message: 'where the chart is' }).toBeGreaterThan(y + 40)
  await expect(page).toHaveURL((url) => url.search === `${address}&${part}`)
  await all.click()
  await expect(all).toBeDisabled()
  await hub.end()
  await person.leave()
})
