import { commands } from '../../contract/devices/command-calls.ts'
import { session } from '../../contract/people/session-calls.ts'
import { home as homeResource, type HomeWithRooms } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { thing } from '../../contract/devices/thing.ts'
import { findings } from './support/axe.ts'
import { PERMISSION_TEMPLATES } from '../../contract/people/permission-templates.ts'
import { addHome, hire } from './support/company.ts'
import { connectHub } from './support/hub.ts'
import { enter, homeSelector, signIn, visit, type Person } from './support/person.ts'
import { ACCOUNTS, type Demo } from './support/product.ts'
import { expect, test as base } from './support/test.ts'
import { LANGUAGES, wordsOf } from './support/words.ts'

/** Light that each language's run switches, so that they do not interfere. */
const LIGHTS = { 'zh-TW': '招牌燈', 'en-US': '頂樓機電區燈' }
const CONTACTS = { 'zh-TW': '排風機接點', 'en-US': '冷卻水塔補水閥' }

/** Site with the devices above, and another one. */
const test = base.extend<{ sites: { site: HomeWithRooms; other: HomeWithRooms } }>({
  sites: async ({ demo }, provide) => {
    const homes = await demo.owner(homeResource.operations.list, {})
    await provide({
      site: homes.find(({ HomeName }) => HomeName === '內湖總部') as HomeWithRooms,
      other: homes.find(({ HomeName }) => HomeName === '高雄分公司') as HomeWithRooms,
    })
  },
})

/** Number of commands ever sent to a device. */
async function commandsTo(demo: Demo, { HomeID }: HomeWithRooms, name: string): Promise<number> {
  const { Peripherals } = await demo.owner(peripheral.operations.list, { HomeID })
  const { PeripheralUID = '' } = Peripherals.find(({ PeripheralName }) => PeripheralName === name) ?? {}
  return (await demo.owner(commands.listCommand, { HomeID, PeripheralUID })).length
}

const menu = ({ page, words }: Person) => page.getByRole('navigation', { name: words('shell:menu.label') })
const heading = ({ page }: Person, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const choose = (person: Person, home: HomeWithRooms) =>
  homeSelector(person).selectOption({ label: home.HomeName })

for (const language of LANGUAGES)
  test.describe(language, () => {
    const [LIGHT, CONTACT] = [LIGHTS[language], CONTACTS[language]]

    test('keeps the page when the site changes, if that site has it', async ({
      browser,
      demo,
      sites: { site, other },
    }) => {
      const at = `/DeviceList/${other.HomeID}`
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { at })
      const { page, words } = person
      const crumbs = page.getByRole('navigation', { name: words('shell:breadcrumbs') })
      const [all, ...sites] = await homeSelector(person).locator('option').allInnerTexts()
      expect(all).toBe(words('shell:home.all'))
      expect(sites).toEqual([...sites].sort((a, b) => a.localeCompare(b, 'zh-TW', { numeric: true })))

      const rules = [
        ['/Dashboard', `/DeviceList/${other.HomeID}`],
        ['/HomeList', `/DeviceList/${other.HomeID}`],
        [`/Rooms/${site.HomeID}`, `/Rooms/${other.HomeID}`],
        [`/RoomDevice/${site.HomeID}/${site.RoomList[1]?.RoomID}`, `/RoomDevice/${other.HomeID}/0`],
        ['/user/list', '/user/list'],
      ] as const
      for (const [from, to] of rules) {
        await choose(person, site)
        await expect(page).toHaveURL(new RegExp(site.HomeID))
        // The page follows its address, and the next choice starts from it.
        await expect(crumbs).toContainText(site.HomeName)
        await person.goTo(from)
        await choose(person, other)
        await expect(page, `from ${from}`).toHaveURL(new URL(to, demo.url).href)
      }
      await person.leave()
    })

    test('breadcrumbs show the current location and link back', async ({
      browser,
      demo,
      sites: { site },
    }) => {
      const room = site.RoomList[1]
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: `/RoomDevice/${site.HomeID}/${room?.RoomID}`,
      })
      const { page, words } = person
      const crumbs = page.getByRole('navigation', { name: words('shell:breadcrumbs') })
      await expect(crumbs.getByRole('listitem')).toHaveText(
        [words('shell:pages.Home'), site.HomeName, room?.RoomName ?? ''].map(
          (text) => new RegExp(`${text}$`),
        ),
      )
      await expect(page).toHaveTitle(new RegExp(`^${room?.RoomName}`))
      await crumbs.getByRole('link', { name: site.HomeName }).click()
      await expect(page).toHaveURL(new RegExp(`/DeviceList/${site.HomeID}`))

      await person.goTo('/user/add')
      await expect(crumbs.getByRole('listitem')).toHaveText(
        [words('shell:pages.Home'), words('resources:user.create')].map((text) => new RegExp(`${text}$`)),
      )
      await crumbs.getByRole('link', { name: words('shell:pages.Home') }).click()
      await expect(heading(person, words('dashboard:title'))).toBeVisible()
      await person.leave()
    })

    test('the side menu lists only permitted pages, and others do not open', async ({ browser, demo }) => {
      const owner = await signIn(browser, demo, language, ACCOUNTS.owner)
      const { Email } = await hire(
        { product: demo, owner: demo.owner },
        `no-office-${language}`,
        PERMISSION_TEMPLATES.viewer.filter(({ FeatureKey }) => !['user', 'company'].includes(FeatureKey)),
      )
      const viewer = await signIn(browser, demo, language, Email)
      const { words } = viewer
      const forOwner = ['AddDevices', 'deptSetting', 'UserListing', 'CompanyProfile']
      await menu(owner)
        .getByRole('button', { name: words('shell:menu.accounts') })
        .click()
      for (const name of ['Dashboard', 'DeviceList', 'RoomList', 'HomeList', ...forOwner]) {
        const entry = { name: words(`shell:pages.${name}`) }
        await expect(menu(owner).getByRole('link', entry)).toBeVisible()
        await expect(menu(viewer).getByRole('link', entry)).toHaveCount(forOwner.includes(name) ? 0 : 1)
      }
      await expect(owner.page.getByText(words('shell:version', { version: '0.2.8.5.1' }))).toBeVisible()

      await viewer.goTo('/user/list')
      await expect(heading(viewer, words('shell:denied.title'))).toBeVisible()
      await expect(viewer.page.getByRole('main')).toContainText(
        words('shell:denied.missing', {
          feature: words('shell:features.user'),
          operation: words('shell:operations.Read'),
        }),
      )
      await viewer.page.getByRole('button', { name: words('shell:backHome') }).click()
      await expect(heading(viewer, words('dashboard:title'))).toBeVisible()
      await Promise.all([owner.leave(), viewer.leave()])
    })

    test('changes the language without a reload and keeps a half-filled form', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { at: '/user/add' })
      const { page, words } = person
      const next = language === 'zh-TW' ? 'en-US' : 'zh-TW'
      const inOther = wordsOf(next)
      await page.evaluate(() => (document.body.dataset['loaded'] = 'once'))
      await page.getByLabel(words('resources:user.fields.FirstName')).fill('淑')
      await page.getByRole('button', { name: words('shell:header.language') }).click()
      await page.getByRole('menuitemradio', { name: words(`shell:language.${next}`) }).click()
      await expect(heading(person, inOther('resources:user.create'))).toBeVisible()
      await expect(page.getByLabel(inOther('resources:user.fields.FirstName'))).toHaveValue('淑')
      await expect(page.locator('html')).toHaveAttribute('lang', next)
      await expect(page.locator('body')).toHaveAttribute('data-loaded', 'once')

      await test.step('leaving it asks for confirmation', async () => {
        await menu({ ...person, words: inOther })
          .getByRole('link', { name: inOther('shell:pages.HomeList') })
          .click()
        const dialog = page.getByRole('dialog', { name: inOther('shell:unsaved.title') })
        await dialog.getByRole('button', { name: inOther('shell:unsaved.stay') }).click()
        await expect(dialog).toBeHidden()
        await expect(page.getByLabel(inOther('resources:user.fields.FirstName'))).toHaveValue('淑')
      })
      await person.leave()
    })

    test('keeps the selected appearance after a reload', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { colorScheme: 'light' })
      const { page, words } = person
      await expect(page.locator('html')).toHaveCSS('color-scheme', 'light')
      await page.getByRole('button', { name: words('shell:header.personal') }).click()
      await page.getByRole('menuitemradio', { name: words('shell:theme.dark') }).click()
      await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
      await page.reload()
      await expect(homeSelector(person)).toBeVisible()
      await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
      await person.leave()
    })

    test('opens the menu over the page on a phone and closes it on navigation', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      })
      const { page, words } = person
      const entry = menu(person).getByRole('link', { name: words('shell:pages.HomeList') })
      await expect(entry).not.toBeInViewport()
      await page.getByRole('button', { name: words('shell:bottomBar.more'), exact: true }).tap()
      // A site with many kinds of devices has a menu longer than a phone screen.
      await entry.scrollIntoViewIfNeeded()
      await expect(entry).toBeInViewport()
      await entry.tap()
      await expect(heading(person, words('resources:home.list'))).toBeVisible()
      await expect(entry).not.toBeInViewport()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
      await person.leave()
    })

    test('Ctrl-K finds a device and opens it', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner)
      const { page, words } = person
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: words('search:placeholder') }).fill(LIGHT)
      await expect(page.getByRole('option', { name: LIGHT })).toBeVisible()
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/DeviceInfo\//)
      await expect(heading(person, LIGHT)).toBeVisible()
      await person.leave()
    })

    test('shows a message and a link home for an unknown address', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.viewer, { at: '/no/such/page' })
      const { page, words } = person
      await expect(heading(person, words('shell:notFound.title'))).toBeVisible()
      await page.goto(new URL('/DeviceList/no-such-site', page.url()).href)
      await expect(page.getByText(words('shell:notFound.home'))).toBeVisible()
      await page.getByRole('link', { name: words('shell:backHome') }).click()
      await expect(heading(person, words('dashboard:title'))).toBeVisible()
      await person.leave()
    })

    test('leaves no personal data in the browser after sign-out', async ({
      browser,
      demo,
      sites: { site },
    }) => {
      const person = await visit(browser, demo, language)
      const { page, words } = person
      await enter(person, ACCOUNTS.viewer)
      await choose(person, site)
      await page.getByRole('button', { name: words('shell:header.personal') }).click()
      await page.getByRole('menuitem', { name: words('shell:header.signOut') }).click()
      // Not the only status while the previously chosen page still opens.
      await expect(page.getByRole('status').filter({ hasText: words('auth:reason.signedOut') })).toBeVisible()
      await expect(page).toHaveURL(`${demo.url}/`)
      await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual(['language'])
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
      await page.goBack()
      await expect(page.getByRole('heading', { name: words('auth:signIn.title') })).toBeVisible()
      await person.leave()
    })

    test('confirms before it switches a dry contact', async ({ browser, demo, sites: { site } }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: `/DeviceList/${site.HomeID}?q=${CONTACT}`,
      })
      const { page, words } = person
      await person.live()
      const contact = page.getByRole('switch', { name: `${CONTACT} ${words('devices:fields.Contact')}` })
      await expect(contact).toBeVisible()
      const closed = await contact.isChecked()
      const before = await commandsTo(demo, site, CONTACT)
      const question = page.getByRole('dialog', {
        name: words(closed ? 'devices:confirm.openContact' : 'devices:confirm.closeContact'),
      })
      await contact.click()
      await expect(question).toContainText(words('devices:confirm.contactNote'))
      await question.getByRole('button', { name: words('screens:cancel') }).click()
      await expect(question).toBeHidden()
      await expect(contact).toBeChecked({ checked: closed })
      expect(await commandsTo(demo, site, CONTACT)).toBe(before)
      await contact.click()
      await question
        .getByRole('button', { name: words(closed ? 'devices:confirm.open' : 'devices:confirm.close') })
        .click()
      await expect(contact).toBeChecked({ checked: !closed })
      expect(await commandsTo(demo, site, CONTACT)).toBe(before + 1)
      await person.leave()
    })

    test('shows an offline hub as offline and keeps its last reported fire', async ({ browser, company }) => {
      const { product, owner } = company
      const HomeName = '備用場域'
      const HomeID = await addHome(company, HomeName)
      const DeviceName = `備用閘道器 ${language}`
      const { ThingName, Secret } = await owner(thing.operations.create, { HomeID, DeviceName, RoomID: 0 })
      const { RootCognitoId: rootId } = await owner(session.getPersonalPermissions, {})
      const { hostname: host, port } = new URL(product.mqttUrl)
      const viewer = await hire(
        company,
        '檢視人員',
        (['dashboard', 'home', 'device'] as const).map((FeatureKey) => ({
          FeatureKey,
          OperationList: ['Read'],
        })),
      )
      const person = await signIn(browser, product, language, viewer.Email, {
        at: `/DeviceList/${HomeID}?kind=Hub&q=${encodeURIComponent(DeviceName)}`,
      })
      const { page, words } = person
      await expect(page.getByText(words('devices:state.offline'), { exact: true })).toBeVisible()
      await person.live()
      const hub = await connectHub({
        host,
        port: Number(port),
        username: ThingName,
        password: Secret,
        rootId,
        homeId: HomeID,
      })
      await expect(page.getByText(words('devices:state.online'), { exact: true })).toBeVisible()
      const smoke = `smoke-${language}`
      await hub.announce([{ PeripheralUID: smoke, PeripheralType: '756', PeripheralName: smoke }])
      const added = { HomeID, RoomID: 0, Peripherals: [{ PeripheralUID: smoke, PeripheralName: smoke }] }
      await expect
        .poll(() =>
          owner(peripheral.operations.create, added).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true)
      await hub.report(smoke, { SmokeState: 3 })
      hub.leave()
      await expect(page.getByText(words('devices:state.offline'), { exact: true })).toBeVisible()
      await person.goTo('/Dashboard')
      const attention = page.getByRole('region', { name: words('dashboard:attention.title') })
      const row = attention.getByRole('listitem').filter({ hasText: smoke })
      const verdict = attention.getByRole('status')
      await expect(row).toContainText(words('devices:values.fire'))
      // The fire comes before everything else, with the time since when data is missing; nothing is green.
      await expect(attention.locator('ol > li').first()).toContainText(smoke)
      await expect(row).toContainText(
        words('dashboard:attention.lostAt', { time: '⁕' }).split('⁕')[1] as string,
      )
      await expect(row).toContainText(/\d\d:\d\d/)
      await expect(verdict).toHaveAttribute('data-verdict', 'attention')
      await expect(row.getByRole('button')).toHaveCount(0)
      expect(await findings(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect(row).toContainText(words('devices:values.fire'))
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
      expect(await findings(page)).toEqual([])
      await page.setViewportSize({ width: 1280, height: 720 })

      // Another user acknowledges the alarm, then clears it: both appear here immediately.
      const operator = await hire(
        company,
        '操作人員',
        (
          [
            ['dashboard', 'Read'],
            ['home', 'Read'],
            ['device', 'Read'],
            ['device_control', 'Control'],
          ] as const
        ).map(([FeatureKey, operation]) => ({ FeatureKey, OperationList: [operation] })),
      )
      const other = await signIn(browser, product, language, operator.Email, { at: '/Dashboard' })
      const ack = other.page.getByRole('button', {
        name: words('dashboard:attention.acknowledgeOf', { name: smoke }),
      })
      await ack.click()
      await expect(ack).toHaveCount(0)
      await expect(row).toContainText('操作人員')
      await other.page
        .getByRole('button', { name: words('dashboard:attention.clearOf', { name: smoke }) })
        .click()
      const dialog = other.page.getByRole('dialog')
      await expect(
        dialog.getByRole('button', { name: words('alarms:acts.clear'), exact: true }),
      ).toBeDisabled()
      await dialog.getByLabel(words('alarms:acts.clearReason')).fill('已到現場查看')
      await dialog.getByRole('button', { name: words('alarms:acts.clear'), exact: true }).click()
      await expect(row).toHaveCount(0)
      await expect(verdict).not.toHaveAttribute('data-verdict', 'clear')
      await other.leave()
      await hub.end()
      await owner(thing.operations.remove, { HomeID, ThingName })
      await expect(page.getByText(DeviceName)).toHaveCount(0)
      await person.leave()
    })

    test('disables device control while the live channel is down, and the switch says why', async ({
      browser,
      demo,
      sites: { site },
    }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { ownBrowser: true })
      const { page, words } = person
      await person.open(`/DeviceList/${site.HomeID}?q=${LIGHT}`)
      const light = page.getByRole('switch', { name: `${LIGHT} ${words('devices:fields.Switch')}` })
      await expect(light).toBeVisible()
      await person.live()
      const before = await light.isChecked()
      await page.context().setOffline(true)
      await expect(
        page.getByRole('status').getByRole('button', { name: words('shell:connection.now') }),
      ).toBeVisible()
      const sent = await commandsTo(demo, site, LIGHT)
      await expect(light).toHaveAttribute('aria-disabled', 'true')
      await expect(light).toHaveAttribute('title', words('shell:connection.noControl'))
      await light.click({ force: true })
      await expect(light).toBeChecked({ checked: before })

      await page.getByRole('button', { name: words('shell:connection.now') }).click()
      await expect(light).toHaveAttribute('aria-disabled', 'true')
      await page.context().setOffline(false)
      await expect(page.getByRole('button', { name: words('shell:connection.now') })).toBeHidden()
      // A command pressed during the outage is not sent later.
      expect(await commandsTo(demo, site, LIGHT)).toBe(sent)
      await expect(light).toHaveAttribute('aria-disabled', 'false')
      await light.click()
      await expect(light).toBeChecked({ checked: !before })
      await person.leave()
    })

    test('Back and Forward follow the open device and the pages', async ({
      browser,
      demo,
      sites: { site },
    }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: `/DeviceList/${site.HomeID}?q=${LIGHT}`,
      })
      const { page, words } = person
      await page.getByRole('link', { name: LIGHT, exact: true }).click()
      const panel = page.getByRole('dialog', { name: LIGHT })
      await expect(panel).toBeVisible()
      await panel.getByRole('link', { name: words('devices:openPage') }).click()
      await expect(heading(person, LIGHT)).toBeVisible()
      await page.goBack()
      await expect(panel).toBeVisible()
      await page.goBack()
      await expect(panel).toBeHidden()
      await expect(page.getByRole('searchbox', { name: words('screens:devices.search') })).toHaveValue(LIGHT)
      await page.goForward()
      await expect(panel).toBeVisible()
      await person.leave()
    })
  })

test('loads a page by itself once the network is back, if its code failed to load', async ({
  browser,
  demo,
}) => {
  const person = await signIn(browser, demo, 'en-US', ACCOUNTS.owner, { ownBrowser: true })
  const { page, words } = person
  const cut = (url: URL) => url.pathname.startsWith('/assets/') || url.pathname === '/health/live'
  await page.route(cut, (route) => route.abort())
  await menu(person)
    .getByRole('link', { name: words('shell:pages.AuditLog') })
    .click()
  await expect(heading(person, words('shell:crash.title'))).toBeVisible()
  await page.unroute(cut)
  await expect(heading(person, words('shell:pages.AuditLog'))).toBeVisible()
})
