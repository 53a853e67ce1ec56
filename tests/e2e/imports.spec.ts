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

test('an exported workbook of two meters is imported again into another site, without a question', async ({
  browser,
  company,
}) => {
  test.slow()
  const { product, owner, email } = company
  const day = '2026-06-01'
  const site = async (name: string) => {
    const HomeID = await addHome(company, name)
    const devices = ['甲表', '乙表'].map((PeripheralName, at) => ({
      PeripheralUID: `${name}-${at}`,
      PeripheralType: '514',
      PeripheralName,
    }))
    const { hub } = await addOwnHub(company, { HomeID, DeviceName: `hub-${name}`, devices })
    const energy = async () => {
      const from = startOfDay(dayOf(Date.parse(`${day}T12:00:00+08:00`), ZONE), ZONE)
      const PeripheralUIDs = devices.map(({ PeripheralUID }) => PeripheralUID)
      const { Series } = await owner(meterData.getEnergySeries, {
        HomeID,
        From: from,
        To: from + 86_400_000,
        Resolution: 'day',
        By: 'meter',
        PeripheralUIDs,
      })
      return PeripheralUIDs.map((uid) => Series.find(({ Key }) => Key === uid)?.Points[0]?.kWh ?? null)
    }
    return { HomeID, hub, energy }
  }
  const [first, second] = [await site('export-from'), await site('export-to')]
  const person = await signIn(browser, product, 'zh-TW', email, { at: `/import/${first.HomeID}` })
  const { page, words } = person
  const importFile = async (name: string, buffer: Buffer) => {
    const file = page.getByLabel(words('meterImport:file'))
    await file.setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
    await page.getByRole('button', { name: words('meterImport:check'), exact: true }).click()
    await page.getByRole('button', { name: /^匯入 \d/ }).click()
    await expect(page.getByRole('alert').filter({ hasText: name })).toBeVisible()
  }
  const lines = Array.from({ length: 96 }, (_, at) => {
    const clock = `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`
    return `${day} ${clock},${1 + (at % 5) / 10},${2 + (at % 7) / 10}`
  })
  await importFile('past.csv', Buffer.from(['時間,甲表 (kWh),乙表 (kWh)', ...lines].join('\n')))
  const stored = await first.energy()
  expect(stored.every((kWh) => typeof kWh === 'number')).toBe(true)

  await person.open(`/export/${first.HomeID}/meter?range=${day}&detail=quarter`)
  const downloading = page.waitForEvent('download')
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`${words('export:start')}$`) })
    .click()
  const workbook = readFileSync(await (await downloading).path())
  await person.open(`/import/${second.HomeID}`)
  await importFile('exported.xlsx', workbook)
  const imported = await second.energy()
  expect(imported.map((kWh) => kWh?.toFixed(6))).toEqual(stored.map((kWh) => kWh?.toFixed(6)))
  await first.hub.end()
  await second.hub.end()
  await person.leave()
})
