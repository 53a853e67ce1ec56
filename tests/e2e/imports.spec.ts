import { readFileSync } from 'node:fs'
import { meterData } from '../../contract/energy/meter-data-calls.ts'
import { dayOf, startOfDay } from '../../contract/time/periods.ts'
import { addHome, ZONE } from './support/company.ts'
import { film } from './support/film.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** Hard files, the first day of each with its energy, and the answers that a person must give. */
const FILES = [
  // Dutch day-month-year with a decimal comma of three places.
  { name: 'decimal-comma-interval.csv', day: '2026-06-01', kWh: 1, answers: [] },
  // A line per day, 96 columns, no unit.
  { name: 'matrix-days-by-96.csv', day: '2026-06-01', kWh: 96, answers: ['kWh'] },
  // Ends of intervals up to 24:00.
  { name: 'stamp-at-end.csv', day: '2026-06-01', kWh: 96, answers: [] },
] as const

for (const language of LANGUAGES)
  test(`${language}: three hard files are imported, and a known one needs a single confirmation`, async ({
    browser,
    company,
  }, info) => {
    test.slow()
    const { product, owner, email } = company
    for (const [index, file] of FILES.entries()) {
      const HomeID = await addHome(company, `匯入 ${language} ${index}`)
      const uid = `import-${language}-${index}`
      const { hub } = await addOwnHub(company, {
        HomeID,
        DeviceName: `hub-${uid}`,
        devices: [{ PeripheralUID: uid, PeripheralType: '514', PeripheralName: uid }],
      })
      const person = await signIn(browser, product, language, email, { at: `/import/${HomeID}` })
      const { page, words } = person
      const choose = async () => {
        await page.getByLabel(words('meterImport:file')).setInputFiles({
          name: file.name,
          mimeType: 'application/octet-stream',
          buffer: readFileSync(`tests/data/imports/${file.name}`),
        })
      }
      const commit = page.getByRole('button', {
        name: new RegExp(`^${language === 'zh-TW' ? '匯入' : 'Import'} \\d`),
      })
      const energy = async () => {
        const from = startOfDay(dayOf(Date.parse(`${file.day}T12:00:00+08:00`), ZONE), ZONE)
        const { Series } = await owner(meterData.getEnergySeries, {
          HomeID,
          From: from,
          To: from + 86_400_000,
          Resolution: 'day',
          PeripheralUIDs: [uid],
        })
        return Series[0]?.Points[0]?.kWh ?? null
      }

      let clicks = 0
      const click = async (locator: ReturnType<typeof page.getByRole>) => {
        clicks++
        await locator.click()
      }
      const endFilm = await film(browser, page, { info, name: `import-${index}` })
      await choose()
      for (const answer of file.answers)
        await click(page.getByRole('radio', { name: new RegExp(`^${answer} `) }))
      await click(page.getByRole('button', { name: words('meterImport:check'), exact: true }))
      await click(commit)
      await expect(page.getByRole('alert').filter({ hasText: file.name })).toBeVisible()
      await endFilm()
      expect(clicks).toBe(file.answers.length + 2)
      expect(await energy()).toBeCloseTo(file.kWh, 6)

      // Undone and chosen again: the layout is known, so that only the result must be confirmed.
      await page
        .getByRole('button', { name: words('meterImport:undo'), exact: true })
        .first()
        .click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('meterImport:undo'), exact: true })
        .click()
      await expect.poll(energy).toBeNull()
      await choose()
      await commit.click()
      await expect(page.getByRole('alert').filter({ hasText: file.name })).toBeVisible()
      expect(await energy()).toBeCloseTo(file.kWh, 6)
      await hub.end()
      await person.leave()
    }
  })
