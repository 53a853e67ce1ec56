import { meterData } from '../../contract/energy/meter-data-calls.ts'
import { virtualMeter } from '../../contract/meters/virtual-meter.ts'
import { dayOf, formatDay, startOfDay } from '../../contract/time/periods.ts'
import { addHome, ZONE } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const MARK = '\uFEFF'

for (const language of LANGUAGES)
  test(`${language}: corrects, subtracts and imports energy, and undoes each change completely`, async ({
    browser,
    company,
  }) => {
    test.slow()
    const { product, owner, email } = company
    const HomeID = await addHome(company)
    const [main, tenant] = [`main-${language}`, `tenant-${language}`]
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: `hub-${language}`,
      devices: [main, tenant].map((uid) => ({
        PeripheralUID: uid,
        PeripheralType: '514',
        PeripheralName: uid,
      })),
    })
    const today = dayOf(Date.now(), ZONE)
    const yesterday = today - 1
    const span = { From: startOfDay(yesterday, ZONE), To: startOfDay(today, ZONE) }
    for (const [uid, kWh] of [
      [main, 24],
      [tenant, 6],
    ] as const) {
      await hub.read(uid, { Timestamp: span.From, AccumulatePower: 100 })
      await hub.read(uid, { Timestamp: span.To, AccumulatePower: 100 + kWh })
    }
    const energyOf = async (uid: string, day = yesterday) => {
      const { Series } = await owner(meterData.getEnergySeries, {
        HomeID,
        From: startOfDay(day, ZONE),
        To: startOfDay(day + 1, ZONE),
        Resolution: 'day',
        PeripheralUIDs: [uid],
      })
      return Series[0]?.Points[0]?.kWh
    }

    const person = await signIn(browser, product, language, email, {
      at: `/meters/${HomeID}?tab=correct&meter=${main}`,
    })
    const { page, words } = person
    const button = (key: string) => page.getByRole('button', { name: words(key), exact: true })
    const confirm = (key: string) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: words(key), exact: true })
        .click()

    await test.step('correct six hours of doubled energy: preview, journal entry with note, undo', async () => {
      const moment = async (key: string, time: string) => {
        await page.getByLabel(words(key), { exact: true }).fill(`${formatDay(yesterday)} ${time}`)
        await page.keyboard.press('Enter')
      }
      await moment('meters:correct.from', '00:00')
      await moment('meters:correct.to', '06:00')
      await page.getByRole('spinbutton', { name: words('meters:correct.kwh') }).fill('12')
      await page.getByLabel(words('meters:noteRequired')).fill('read by hand')
      const preview = page.getByRole('region', { name: words('meters:preview.title') })
      await expect(preview).toContainText('6.00kWh')
      await expect(preview).toContainText('30.00kWh')
      await button('meters:correct.save').click()
      const entry = page
        .getByRole('list', { name: words('meters:journal.titles.interval') })
        .getByRole('listitem')
      await expect(entry).toContainText('read by hand')
      expect(await energyOf(main)).toBeCloseTo(30, 6)
      await entry.getByRole('button', { name: words('meters:journal.undo'), exact: true }).click()
      await confirm('meters:journal.undo')
      await expect(entry.locator('.ant-tag')).toBeVisible()
      await expect(entry.getByRole('button')).toHaveCount(0)
      expect(await energyOf(main)).toBeCloseTo(24, 6)
    })

    await test.step("create a meter from the main meter minus the tenant's meter", async () => {
      await person.open(`/meters/${HomeID}?tab=virtual`)
      await button('meters:virtual.add').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words('meters:virtual.name')).fill('ours')
      const choose = async (number: number, uid: string) => {
        const box = dialog.getByRole('combobox', { name: words('meters:virtual.term', { number }) })
        await box.fill(uid)
        await box.press('Enter')
      }
      await choose(1, main)
      await dialog.getByRole('button', { name: words('meters:virtual.addTerm') }).click()
      await dialog.getByText(words('meters:virtual.minus')).last().click()
      await choose(2, tenant)
      await dialog.getByRole('button', { name: words('screens:save'), exact: true }).click()
      const formed = page.getByRole('list', { name: words('meters:virtual.title') }).getByRole('listitem')
      await expect(formed).toContainText(`+ ${main}`)
      await expect(formed).toContainText(`− ${tenant}`)
      const [one] = await owner(virtualMeter.operations.list, { HomeID })
      expect(await energyOf(one?.VirtualMeterID ?? '')).toBeCloseTo(18, 6)
    })

    await test.step('import a day from a file with invalid rows, and undo it', async () => {
      const past = today - 10
      const lines = Array.from(
        { length: 24 },
        (_, hour) => `${formatDay(past)} ${String(hour).padStart(2, '0')}:00,0.5`,
      )
      const broken = [`${formatDay(past)} 00:00,half`, `${formatDay(today + 30)} 00:00,1`]
      await person.open(`/import/${HomeID}?meter=${main}`)
      await page.getByLabel(words('meterImport:file')).setInputFiles({
        name: 'past.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`${MARK}時間,度\r\n${[...lines, ...broken].join('\r\n')}\r\n`),
      })
      await expect(page.getByText(words('meterImport:seriesSum', { rows: '24', kwh: '12' }))).toBeVisible()
      await button('meterImport:check').click()
      const problems = page
        .getByRole('group')
        .filter({ hasText: words('meterImport:problems', { count: '2' }) })
      await expect(problems).toContainText(words('meterImport:reasons.notNumber'))
      await expect(problems).toContainText(words('meterImport:reasons.future'))
      expect(await energyOf(main, past)).toBeNull()
      await page
        .getByRole('button', { name: words('meterImport:commit', { count: '24' }), exact: true })
        .click()
      const done = page.getByRole('alert').filter({
        hasText: words('meterImport:done', { name: 'past.csv', count: '24' }),
      })
      await expect(done).toBeVisible()
      expect(await energyOf(main, past)).toBeCloseTo(12, 6)
      await done.getByRole('button', { name: words('meterImport:undo'), exact: true }).click()
      await confirm('meterImport:undo')
      await expect(button('meterImport:undo')).toHaveCount(0)
      expect(await energyOf(main, past)).toBeNull()
    })
    await hub.end()
    await person.leave()
  })
