import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { read as readWorkbook, utils as sheets, type WorkSheet } from 'xlsx'
import { meterData } from '../../contract/energy/meter-data-calls.ts'
import { home } from '../../contract/homes/home.ts'
import { user } from '../../contract/people/user.ts'
import { dayOf, formatDay, startOfDay } from '../../contract/time/periods.ts'
import { addHome, foundCompany, hire, ZONE, type Company } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn, type Person } from './support/person.ts'
import { expect, test } from './support/test.ts'

const HOUR = 3_600_000
/** Number of days that two calls fetch in quarters of an hour. */
const DAYS = 12
const ROWS = DAYS * 96
const KWH = 240
const today = dayOf(Date.now(), ZONE)

/** Site with a meter that counted on twelve days, and its export address. */
async function aSite(company: Company, HomeName: string): Promise<{ HomeID: string; address: string }> {
  const HomeID = await addHome(company, HomeName)
  const uid = `meter-${HomeID.slice(0, 8)}`
  const { hub } = await addOwnHub(company, {
    HomeID,
    DeviceName: HomeName,
    devices: [{ PeripheralUID: uid, PeripheralType: '514', PeripheralName: HomeName }],
  })
  const [first, end] = [startOfDay(today - DAYS, ZONE), startOfDay(today, ZONE)]
  for (let at = first; at <= end; at += 6 * HOUR)
    await hub.read(uid, { Timestamp: at, AccumulatePower: ((at - first) / (end - first)) * KWH })
  await hub.end()
  const range = `${formatDay(today - DAYS)}..${formatDay(today - 1)}`
  return { HomeID, address: `/export/${HomeID}/meter?range=${range}&detail=quarter` }
}

const series = `**${meterData.getEnergySeries.path}`
/** Blocks the first or second part of an export until released. */
async function holdPart(page: Page, part: 1 | 2): Promise<{ held: Promise<void>; letGo: () => void }> {
  let [tell, letGo] = [() => {}, () => {}]
  const held = new Promise<void>((resolve) => (tell = resolve))
  const isFree = new Promise<void>((resolve) => (letGo = resolve))
  let asked = 0
  await page.unroute(series)
  await page.route(series, async (route) => {
    if (++asked === part) {
      tell()
      await isFree
    }
    // The page may be closed by now.
    await route.continue().catch(() => {})
  })
  return { held, letGo }
}

/** Number of export parts that a gateway has returned. */
async function partsAnswered({ url }: { url: string }): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const { path } = meterData.getEnergySeries
  return Number(
    new RegExp(`gateway_call_answers_total\\{path="${path}"[^}]*\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
  )
}

/** The button's icon has a name of its own, which precedes the label. */
const start = ({ page, words }: Pick<Person, 'page' | 'words'>) =>
  page.getByRole('main').getByRole('button', { name: new RegExp(`${words('export:start')}$`) })
const progress = ({ page, words }: Pick<Person, 'page' | 'words'>) =>
  page.getByRole('progressbar', { name: words('export:progress') })

async function rowsOf(download: Download): Promise<Record<string, unknown>[]> {
  const book = readWorkbook(await readFile(await download.path()), { cellDates: true })
  return sheets.sheet_to_json(book.Sheets[book.SheetNames[0] ?? ''] as WorkSheet)
}
async function expectWhole(download: Download, { words }: Pick<Person, 'words'>): Promise<void> {
  const rows = await rowsOf(download)
  expect(rows).toHaveLength(ROWS)
  const kWh = rows.map((row) => row[words('export:headings.kWh')] as number)
  expect(kWh.reduce((sum, each) => sum + each, 0)).toBeCloseTo(KWH, 6)
  const marks = rows.map((row) => row[words('export:headings.Quality')])
  const known = ['measured', 'between', 'estimated'].map((mark) => words(`export:qualities.${mark}`))
  expect(marks.filter((mark) => !known.includes(mark as string))).toEqual([])
}

test('confirms before an export is left, discards an abandoned export, and completes the next one', async ({
  browser,
  ownProduct: product,
}) => {
  test.slow()
  const company = await foundCompany(product)
  const { address } = await aSite(company, '離開')
  const person = await signIn(browser, product, 'zh-TW', company.email, { at: address, ownBrowser: true })
  const { page, words } = person
  const downloads: string[] = []
  page.on('download', (download) => downloads.push(download.suggestedFilename()))
  const { held, letGo } = await holdPart(page, 1)
  await start(person).click()
  await held

  await test.step('closing the tab asks for confirmation', async () => {
    const asks = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asks
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await expect(progress(person)).toBeVisible()
  })

  await test.step('opening another page asks for confirmation', async () => {
    await page.locator('.crumbs a').first().click()
    const question = page.locator('.ant-modal-confirm')
    await expect(question).toContainText(words('export:leave.title'))
    await question.getByRole('button', { name: words('shell:unsaved.stay'), exact: true }).click()
    await expect(question).toBeHidden()
    await expect(progress(person)).toBeVisible()
  })

  await test.step('closing anyway leaves no file and sends no more calls', async () => {
    const asks = page.waitForEvent('dialog')
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await (await asks).accept()
    await closed
    letGo()
    expect(downloads).toEqual([])
    // At most one of the two parts: a browser that closes a page may release the blocked request.
    expect(await partsAnswered(product)).toBeLessThanOrEqual(1)
  })

  const back = { page: await page.context().newPage(), words }
  await test.step('after a return no export is running or finished, and a new one is complete', async () => {
    await back.page.goto(new URL(address, product.url).href)
    await expect(start(back)).toBeEnabled()
    await expect(progress(back)).toHaveCount(0)
    await expect(back.page.getByRole('alert')).toHaveCount(0)
    const downloading = back.page.waitForEvent('download')
    await start(back).click()
    await expectWhole(await downloading, back)
    expect(await partsAnswered(product)).toBeGreaterThanOrEqual(2)
  })

  await test.step('closing while the browser writes the file leaves a complete file or none', async () => {
    const downloading = back.page.waitForEvent('download')
    await start(back).click()
    const download = await downloading
    await back.page.close()
    if ((await download.failure()) === null) await expectWhole(download, back)
  })
  await person.leave()
})

test('an export survives network loss and a gateway restart, and reports that the browser ended its worker', async ({
  browser,
  ownProduct: product,
}) => {
  test.slow()
  const company = await foundCompany(product)
  const { address } = await aSite(company, 'surviving')
  const person = await signIn(browser, product, 'en-US', company.email, { at: address, ownBrowser: true })
  const { page, words } = person
  const stopped = page.getByRole('alert').filter({ hasText: words('export:stopped', { meter: 'surviving' }) })
  const goOn = async () => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: words('export:resume'), exact: true }).click()
    await expectWhole(await downloading, person)
  }

  await test.step('lose the network', async () => {
    const { held, letGo } = await holdPart(page, 2)
    await start(person).click()
    await held
    await page.context().setOffline(true)
    letGo()
    await expect(stopped).toContainText(words('errors:call.NETWORK'))
    await page.context().setOffline(false)
    await goOn()
  })

  await test.step('restart the gateway', async () => {
    const { held, letGo } = await holdPart(page, 2)
    await start(person).click()
    await held
    await product.kill()
    letGo()
    await expect(stopped).toBeVisible()
    await product.restart()
    await goOn()
  })

  await test.step('the browser ends the worker without a message', async () => {
    const { held, letGo } = await holdPart(page, 2)
    await start(person).click()
    await held
    // The live channel has a worker of its own.
    const worker = page.workers().find((each) => each.url().includes('export'))
    expect(worker).toBeDefined()
    await worker?.evaluate(() => close()).catch(() => {})
    letGo()
    // The page detects a silent worker after several pings.
    await expect(page.getByText(words('export:faults.worker'))).toBeVisible({ timeout: 60_000 })
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: words('export:again'), exact: true }).click()
    await expectWhole(await downloading, person)
  })
  await person.leave()
})

test('ends an export with a message when its site or the right to it is removed', async ({
  browser,
  company,
}) => {
  test.slow()
  const { product, owner, email } = company
  const { HomeID, address } = await aSite(company, '結束')
  const rights = [
    { FeatureKey: 'home' as const, OperationList: ['Read' as const] },
    { FeatureKey: 'device' as const, OperationList: ['Read' as const] },
    { FeatureKey: 'history' as const, OperationList: ['Read' as const] },
    { FeatureKey: 'electricity' as const, OperationList: ['Read' as const] },
  ]
  const download = { FeatureKey: 'electricity_download' as const, OperationList: ['Export' as const] }
  const { Email } = await hire(company, '同事', [...rights, download])

  const downloads: string[] = []
  const begin = async (who: string) => {
    const person = await signIn(browser, product, 'zh-TW', who, { at: address, ownBrowser: true })
    person.page.on('download', (each) => downloads.push(each.suggestedFilename()))
    await person.live()
    const { held, letGo } = await holdPart(person.page, 2)
    await start(person).click()
    await held
    return { person, letGo }
  }

  await test.step('remove the right to download', async () => {
    const { person, letGo } = await begin(Email)
    const { page, words } = person
    await owner(user.operations.update, { Email, Permissions: rights })
    await expect(page.getByRole('dialog', { name: words('shell:forced.permissionsChanged') })).toBeVisible()
    await expect(page.getByText(words('export:faults.refused'))).toBeVisible()
    letGo()
    await page.getByRole('button', { name: words('shell:forced.signIn') }).click()
    await expect(page.getByRole('heading', { name: words('auth:signIn.title') })).toBeVisible()
    await person.leave()
  })

  await test.step('delete the site', async () => {
    const { person, letGo } = await begin(email)
    const { page, words } = person
    await owner(home.operations.remove, { HomeID })
    await expect(page.getByRole('alert').filter({ hasText: words('export:ended.homeGone') })).toBeVisible()
    await expect(page).toHaveURL(/\/HomeList$/)
    letGo()
    await person.leave()
  })
  expect(downloads).toEqual([])
})
