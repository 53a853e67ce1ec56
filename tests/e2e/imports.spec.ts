import { readFileSync } from 'node:fs'
import { meterData } from '../../contract/energy/meter-data-calls.ts'
import { meterImports } from '../../contract/meters/import-calls.ts'
import { dayOf, startOfDay } from '../../contract/time/periods.ts'
import { addHome, ZONE } from './support/company.ts'
import { film } from './support/film.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/**
 * Hard files that a person imports without help.
 *
 * kWh      energy of the first meter on the first day
 * answers  answers that the file leaves to a person
 * clicks   budget from the choice of the file to the import: each answer, the trial and the import
 */
const FILES = [
  // Dutch day-month-year with a decimal comma of three places.
  { name: 'decimal-comma-interval.csv', day: '2026-06-01', kWh: 1, answers: [], clicks: 2 },
  // A line per day, 96 columns, no unit.
  { name: 'matrix-days-by-96.csv', day: '2026-06-01', kWh: 96, answers: ['kWh'], clicks: 3 },
  // Ends of intervals up to 24:00.
  { name: 'stamp-at-end.csv', day: '2026-06-01', kWh: 96, answers: [], clicks: 2 },
  // A line per day and meter, hours numbered to 24, a column and a line of totals, the unit in the title.
  {
    name: 'hour-numbers-24-columns.csv',
    meters: ['A棟', 'B棟'],
    day: '2026-06-13',
    kWh: 1030.2,
    answers: [],
    clicks: 2,
  },
  // Meter, direction and unit in columns; two meters that also return energy.
  {
    name: 'direction-column.csv',
    meters: ['M-07', 'M-08'],
    day: '2026-06-01',
    kWh: 59.242,
    answers: [],
    clicks: 2,
  },
] as const

for (const language of LANGUAGES)
  test(`${language}: hard files are imported within their clicks, and a known one needs a single confirmation`, async ({
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
        devices: ('meters' in file ? file.meters : [uid]).map((PeripheralName, at) => ({
          PeripheralUID: at === 0 ? uid : `${uid}-${at}`,
          PeripheralType: '514',
          PeripheralName,
        })),
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
      expect(clicks).toBe(file.clicks)
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

test('a trial and an import continue after failures of the gateway, and nothing is sent or imported twice', async ({
  browser,
  company,
}) => {
  const { product, owner, email } = company
  const HomeID = await addHome(company, '斷線的匯入')
  const uid = 'import-failures'
  const { hub } = await addOwnHub(company, {
    HomeID,
    DeviceName: `hub-${uid}`,
    devices: [{ PeripheralUID: uid, PeripheralType: '514', PeripheralName: uid }],
  })
  const person = await signIn(browser, product, 'zh-TW', email, { at: `/import/${HomeID}`, ownBrowser: true })
  const { page, words } = person
  const start = Date.parse('2026-01-01T00:00:00Z')
  const lines = Array.from({ length: 12_000 }, (_, at) => {
    const time = new Date(start + at * 900_000).toISOString().slice(0, 16).replace('T', ' ')
    return `${time},${1 + (at % 5) / 10}`
  })
  const requests: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (/MeterImport(Rows)?$/.test(path)) requests.push(path)
  })
  const sent = (path: string) => requests.filter((each) => each === path).length

  // The second batch fails once.
  await page.route('**/AddMeterImportRows', async (route) => {
    if (sent('/AddMeterImportRows') === 2) await route.fulfill({ status: 500, body: 'no envelope' })
    else await route.continue()
  })
  await page.getByLabel(words('meterImport:file')).setInputFiles({
    name: 'failures.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['時間,數值', ...lines].join('\n')),
  })
  const unit = page.getByRole('radio', { name: /^kWh / })
  await unit.click()
  const check = page.getByRole('button', { name: words('meterImport:check'), exact: true })
  await check.click()
  await expect(page.getByRole('alert').filter({ hasText: words('errors:call.INTERNAL') })).toBeInViewport()
  await expect(unit).toBeChecked()
  await check.click()

  // The import is executed, but its answer is lost.
  await page.route('**/CommitMeterImport', async (route) => {
    if (sent('/CommitMeterImport') > 1) return route.continue()
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: /^匯入 12,000/ }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'failures.csv' })).toContainText('12,000')
  expect(sent('/CreateMeterImport')).toBe(1)
  expect(sent('/AddMeterImportRows')).toBe(3)
  expect(sent('/CommitMeterImport')).toBe(2)
  const imports = await owner(meterImports.listMeterImport, { HomeID })
  expect(imports.map(({ Added }) => Added)).toEqual([12_000])
  await hub.end()
  await person.leave()
})

test('a file with a question is imported by keyboard alone', async ({ browser, company }) => {
  const { product, email } = company
  const HomeID = await addHome(company, '只用鍵盤')
  const uid = 'import-keyboard'
  const { hub } = await addOwnHub(company, {
    HomeID,
    DeviceName: `hub-${uid}`,
    devices: [{ PeripheralUID: uid, PeripheralType: '514', PeripheralName: uid }],
  })
  const person = await signIn(browser, product, 'zh-TW', email, { at: `/import/${HomeID}` })
  const { page, words } = person
  // Registered early: a key can reach the page before it intercepts the dialog.
  page.on('filechooser', (chooser) => void chooser.setFiles('tests/data/imports/kind-open.csv'))
  /** Tabs to a control; each step begins at its own content, so that it is a few tabs away. */
  const tabTo = async (control: ReturnType<typeof page.getByRole>) => {
    await expect(control).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    for (let tabs = 0; tabs < 12; tabs++) {
      if (await control.evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    await expect(control).toBeFocused()
  }
  const choose = page.getByRole('button', { name: words('meterImport:choose') })
  await choose.focus()
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('radio').first())
  await page.keyboard.press('ArrowDown')
  await tabTo(page.getByRole('button', { name: words('meterImport:check'), exact: true }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: /^匯入 \d/ }))
  await page.keyboard.press('Enter')
  await tabTo(page.getByRole('button', { name: words('meterImport:another') }))
  await page.keyboard.press('Enter')
  await tabTo(choose)
  await hub.end()
  await person.leave()
})
