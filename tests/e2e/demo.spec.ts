import type { Locator } from '@playwright/test'
import { OPERATIONS } from '../../contract/kernel/permissions.ts'
import { home, type HomeWithRooms } from '../../contract/homes/home.ts'
import { hire } from './support/company.ts'
import { film } from './support/film.ts'
import { pressInMenu, enter, homeSelector, signIn, visit, type Person } from './support/person.ts'
import { ACCOUNTS, startDemo, type Demo, type OwnProduct } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES, type Words } from './support/words.ts'

/** Slow enough that a user sees the requested state before the device reports it. */
const LATENCY = [1_500, 1_800] as const
const SITE = '內湖總部'
const LIGHT = '招牌燈'
const METER = '伺服器機櫃'

// One demo for all tests, which is killed repeatedly.
test.describe.configure({ mode: 'default' })

let demo: OwnProduct & Demo
test.beforeAll(async ({ data }) => {
  test.setTimeout(120_000)
  demo = await startDemo(data, { latency: LATENCY })
})
test.afterAll(() => demo?.stop())

async function site(): Promise<HomeWithRooms> {
  const homes = await demo.owner(home.operations.list, {})
  return homes.find(({ HomeName }) => HomeName === SITE) as HomeWithRooms
}

const chooseSite = (person: Person) => homeSelector(person).selectOption({ label: SITE })

/** Text next to a switch: its reported or requested state. */
const stateOf = (light: Locator) => light.page().locator('label').filter({ has: light })

const switchName = (words: Words) => `${LIGHT} ${words('devices:fields.Switch')}`

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('a person signs in, selects a site, and its devices are live', async ({ browser }, info) => {
      const person = await visit(browser, demo, language)
      const { page, words } = person
      const endFilm = await film(browser, page, { info, name: `journey-${language}` })
      await enter(person, ACCOUNTS.owner)
      await expect(page.getByRole('article', { name: SITE })).toContainText(words('dashboard:power'))
      await chooseSite(person)
      await expect(page.getByRole('heading', { level: 1, name: words('screens:devices.all') })).toBeVisible()
      await expect(page).toHaveURL(new RegExp(`/DeviceList/${(await site()).HomeID}`))
      await person.live()

      await test.step('a light is pending when switched, then confirmed by the device', async () => {
        await page.getByRole('searchbox', { name: words('screens:devices.search') }).fill(LIGHT)
        const light = page.getByRole('switch', { name: switchName(words) })
        await expect(light).toBeVisible()
        const before = await light.isChecked()
        const [from, to] = before ? ['on', 'off'] : ['off', 'on']
        await light.click()
        await expect(stateOf(light)).toContainText(
          words('devices:command.changing', {
            from: words(`devices:state.${from}`),
            to: words(`devices:state.${to}`),
          }),
        )
        await expect(light).toBeChecked({ checked: before })
        await expect(light).toBeChecked({ checked: !before })
        await expect(stateOf(light)).toHaveText(words(`devices:state.${to}`))
      })

      await test.step('the command is listed among the recent commands of the device', async () => {
        await page.getByRole('link', { name: LIGHT, exact: true }).click()
        const panel = page.getByRole('dialog', { name: LIGHT })
        await expect(panel.getByText(words('devices:commands.states.confirmed')).first()).toBeVisible()
        await panel.getByRole('button', { name: words('screens:close') }).click()
        await expect(panel).toBeHidden()
      })

      await test.step('a meter counts and shows the age of its reading', async () => {
        await page.getByRole('searchbox', { name: words('screens:devices.search') }).fill(METER)
        await page.getByRole('link', { name: METER, exact: true }).click()
        const panel = page.getByRole('dialog', { name: METER })
        const energy = panel.locator('dl > div', { hasText: words('devices:fields.AccumulatePower') })
        await expect(energy).toContainText(/\d kWh|\dkWh/)
        const shown = await energy.innerText()
        const age = panel.locator('time').first()
        const reportedAt = await age.getAttribute('datetime')
        await expect(age).toHaveText(
          words('devices:reported', {
            age: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second'),
          }),
        )
        await expect(energy).not.toHaveText(shown)
        await expect(age).not.toHaveAttribute('datetime', reportedAt ?? '')
      })
      await endFilm()
      await person.leave()
    })

    test('a room renamed in one browser is renamed in another', async ({ browser }) => {
      const { HomeID, RoomList } = await site()
      const room = RoomList.at(language === 'zh-TW' ? 1 : 2) as HomeWithRooms['RoomList'][number]
      const newName = `${room.RoomName}・${language}`
      const [writer, reader] = await Promise.all([
        signIn(browser, demo, language, ACCOUNTS.owner),
        signIn(browser, demo, language, ACCOUNTS.viewer),
      ])
      await reader.goTo(`/RoomDevice/${HomeID}/${room.RoomID}`)
      await expect(reader.page.getByRole('heading', { level: 1, name: room.RoomName })).toBeVisible()
      await reader.live()

      const { page, words } = writer
      await writer.goTo(`/Rooms/${HomeID}`)
      await pressInMenu(writer, room.RoomName, words('screens:list.edit', { name: room.RoomName }))
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words('resources:room.fields.RoomName')).fill(newName)
      await dialog.getByRole('button', { name: words('screens:save') }).click()
      await expect(dialog).toBeHidden()

      await expect(page.getByRole('cell', { name: newName, exact: true })).toBeVisible()
      await expect(reader.page.getByRole('heading', { level: 1, name: newName })).toBeVisible()
      await Promise.all([writer.leave(), reader.leave()])
    })

    test('signs out a person who loses a right and a person who is deleted', async ({ browser }) => {
      const name = `person-${language.toLowerCase()}`
      const { Email, CognitoId } = await hire(
        { product: demo, owner: demo.owner },
        name,
        (['dashboard', 'home', 'room', 'device', 'device_control'] as const).map((FeatureKey) => ({
          FeatureKey,
          OperationList: [...OPERATIONS],
        })),
      )
      const { HomeID } = await site()
      const admin = await signIn(browser, demo, language, ACCOUNTS.owner)
      const person = await signIn(browser, demo, language, Email, { at: `/DeviceList/${HomeID}?q=${LIGHT}` })
      const { words } = person
      const signInAgain = person.page.getByRole('button', { name: words('shell:forced.signIn') })
      await expect(person.page.getByRole('switch', { name: switchName(words) })).toBeVisible()
      await person.live()

      await test.step('remove the control right on the page of the person', async () => {
        await admin.goTo(`/user/${CognitoId}`)
        await admin.page.getByText(words('people:invite.adjust'), { exact: true }).click()
        await admin.page
          .getByRole('checkbox', {
            name: words('resources:user.matrix.cell', {
              feature: words('shell:features.device_control'),
              operation: words('shell:operations.Control'),
            }),
            exact: true,
          })
          .uncheck()
        await admin.page.getByRole('button', { name: words('screens:save') }).click()
        // The dialog names the rights before they are removed.
        const asked = admin.page.getByRole('dialog')
        await expect(asked).toContainText(words('shell:features.device_control'))
        await asked.getByRole('button', { name: words('screens:save') }).click()
        await expect(
          person.page.getByRole('dialog', { name: words('shell:forced.permissionsChanged') }),
        ).toBeVisible()
        if (language === 'en-US')
          await expect(person.page.getByRole('dialog')).toContainText(
            'Permissions have been changed – please sign in again',
          )
        await signInAgain.click()
        await expect(person.page.getByRole('heading', { name: words('auth:signIn.title') })).toBeVisible()
        await expect(
          person.page.getByRole('status').filter({ hasText: words('auth:reason.permissionsChanged') }),
        ).toBeVisible()
      })

      await test.step('after another sign-in, the person sees the light but cannot switch it', async () => {
        await enter(person, Email)
        await expect(homeSelector(person)).toBeVisible()
        await person.goTo(`/DeviceList/${HomeID}?q=${LIGHT}`)
        await expect(person.page.getByRole('link', { name: LIGHT, exact: true })).toBeVisible()
        await expect(person.page.getByRole('switch')).toHaveCount(0)
        await person.live()
      })

      await test.step('delete the person', async () => {
        await admin.goTo('/user/list')
        await pressInMenu(admin, name, words('screens:list.remove', { name }))
        await admin.page
          .getByRole('dialog')
          .getByRole('button', { name: words('screens:remove.ok') })
          .click()
        await expect(
          person.page.getByRole('dialog', { name: words('shell:forced.userDeleted') }),
        ).toBeVisible()
        await signInAgain.click()
        await expect(
          person.page.getByRole('status').filter({ hasText: words('auth:reason.userDeleted') }),
        ).toBeVisible()
        await enter(person, Email)
        await expect(person.page.getByRole('alert')).toHaveText(words('auth:error.wrong'))
      })
      await Promise.all([admin.leave(), person.leave()])
    })

    test('screens recover by themselves and lose no data when the gateway is killed and restarted', async ({
      browser,
    }) => {
      const { HomeID, RoomList: rooms } = await site()
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: `/DeviceList/${HomeID}?q=${LIGHT}`,
      })
      const { page, words } = person
      await person.live()
      const light = page.getByRole('switch', { name: switchName(words) })
      const before = await light.isChecked()
      await light.click()
      await expect(light).toBeChecked({ checked: !before })

      await demo.kill()
      const strip = page.locator('.connection-strip')
      await expect(strip).toContainText(words('shell:connection.now'))
      await expect(light).toHaveAttribute('aria-disabled', 'true')
      await expect(light).toHaveAttribute('title', words('shell:connection.noControl'))

      await demo.restart()
      await expect(strip).toBeEmpty({ timeout: 120_000 })
      await expect(light).toBeChecked({ checked: !before })
      await expect(light).toHaveAttribute('aria-disabled', 'false')
      await expect(page.getByText(words('devices:state.offline'), { exact: true })).toBeHidden({
        timeout: 120_000,
      })
      // Until its hub has reconnected as well, a command fails immediately.
      await expect(async () => {
        if ((await light.isChecked()) !== before) await light.click()
        await expect(light).toBeChecked({ checked: before, timeout: 5_000 })
      }).toPass({ timeout: 120_000 })
      expect((await site()).RoomList).toEqual(rooms)
      await person.leave()
    })
  })
