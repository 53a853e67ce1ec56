import { newEmail } from './support/company.ts'
import { connectHub, type PlainHub } from './support/hub.ts'
import { enter, homeSelector, visit } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const PASSWORD = 'first1visit'
const NEW_PASSWORD = 'second2visit'
const SITE = '新竹辦公室'

for (const language of LANGUAGES)
  test.describe.serial(language, () => {
    const email = newEmail('founder')
    const lamp = { PeripheralUID: `lamp-${language}`, PeripheralType: '516', PeripheralName: '走道燈' }
    const meter = { PeripheralUID: `meter-${language}`, PeripheralType: '514', PeripheralName: '總電表' }

    test('signs up a company and lists the password rules in a notice', async ({
      browser,
      empty: product,
    }) => {
      const person = await visit(browser, product, language)
      const { page, words } = person
      await page.getByRole('button', { name: words('auth:signIn.toSignUp') }).click()
      await expect(page).toHaveURL(/\/signUp$/)
      await page.getByLabel(words('auth:companyName')).fill('創辦精密')
      await page.getByLabel(words('auth:familyName')).fill('王')
      await page.getByLabel(words('auth:givenName')).fill('創辦人')
      await page.getByLabel(words('auth:email'), { exact: true }).fill(email)

      const password = page.getByLabel(words('auth:password'), { exact: true })
      const confirm = page.getByLabel(words('auth:confirmPassword'), { exact: true })
      const notice = page.getByRole('list', { name: words('auth:rules.title') })
      const met = notice.getByText(`(${words('auth:rules.met')})`)
      await expect(met).toHaveCount(0)
      await password.fill('ABCDEF')
      await expect(met).toHaveCount(1)
      await confirm.fill('ABCDEF')
      const send = page.getByRole('button', { name: words('auth:signUp.submit'), exact: true })
      await send.click()
      await expect(page.getByText(words('auth:error.password'))).toBeVisible()
      await password.fill(PASSWORD)
      await expect(met).toHaveCount(3)
      await send.click()
      await expect(page.getByText(words('auth:error.confirm'))).toBeVisible()
      await confirm.fill(PASSWORD)
      await send.click()
      await expect(page.getByRole('status')).toHaveText(words('auth:signUp.done'))
      await expect(page.getByLabel(words('auth:email'), { exact: true })).toHaveValue(email)
      await person.leave()
    })

    test('a company without a site creates one, adds its hub, and controls a device of any brand', async ({
      browser,
      empty: product,
    }) => {
      const person = await visit(browser, product, language)
      const { page, words } = person
      let hub: PlainHub | undefined
      await enter(person, email, PASSWORD)

      await test.step('no site yet: the first page creates one', async () => {
        await expect(page).toHaveURL(/\/CreateHome$/)
        await page.getByLabel(words('resources:home.fields.HomeName')).fill(SITE)
        await expect(page.locator('main')).toContainText('Asia/Taipei')
        await page
          .getByRole('main')
          .getByRole('button', { name: words('resources:home.create') })
          .click()
        await expect(page).toHaveURL(/\/addDevice\//i)
        await expect(homeSelector(person).locator('option:checked')).toHaveText(SITE)
      })

      const shown = (name: string) =>
        page
          .locator('dl > div')
          .filter({ has: page.getByText(words(`screens:addDevice.settings.${name}`), { exact: true }) })
          .locator('code')
          .innerText()

      await test.step('a new hub shows its credentials once', async () => {
        await page
          .getByRole('button', { name: new RegExp(`^${words('setup:hub.products.own.name')}`) })
          .click()
        await page.getByLabel(words('resources:thing.fields.DeviceName')).fill('一樓閘道器')
        await page.getByRole('button', { name: words('screens:addDevice.addHub') }).click()
        await expect(
          page.getByRole('alert').filter({ hasText: words('screens:addDevice.once') }),
        ).toBeVisible()
        await person.live()
        const settings = {
          host: await shown('host'),
          // This test's gateway does not listen on the default port.
          port: Number(new URL(product.mqttUrl).port),
          username: await shown('username'),
          password: await shown('password'),
          rootId: await shown('rootId'),
          homeId: await shown('homeId'),
        }
        hub = await connectHub(settings)
        expect(await shown('topic')).toBe(`${settings.rootId}/${settings.homeId}/status/report`)
      })

      await test.step('a device that the hub announces appears without a reload and is added', async () => {
        const steps = page.getByRole('listitem').filter({ has: page.locator('time') })
        await expect(steps.filter({ hasText: words('setup:hub.stages.signedIn') })).toBeVisible()
        await hub?.announce([lamp, meter])
        await expect(page.getByText(words('setup:hub.stages.found', { count: 2 }))).toBeVisible()
        await page.getByRole('button', { name: words('screens:addDevice.toFound') }).click()
        for (const { PeripheralName } of [lamp, meter])
          await page.getByRole('checkbox', { name: PeripheralName }).check()
        await page.getByRole('button', { name: words('screens:addDevice.next') }).click()
        await page.getByRole('button', { name: words('screens:addDevice.add', { count: 2 }) }).click()
        for (const { PeripheralName: name } of [lamp, meter])
          await expect(page.getByText(words('screens:addDevice.added', { name }))).toBeVisible()
      })

      await test.step('its reports appear, and it is switched', async () => {
        await page
          .getByRole('navigation', { name: words('shell:menu.label') })
          .getByRole('link', { name: words('shell:pages.DeviceList') })
          .click()
        await expect(page.getByText(words('devices:state.noData')).first()).toBeVisible()
        const light = page.getByRole('switch', {
          name: `${lamp.PeripheralName} ${words('devices:fields.Switch')}`,
        })
        await hub?.report(lamp.PeripheralUID, { Switch: 0 })
        await hub?.read(meter.PeripheralUID, { AccumulatePower: 1042.3187, Power: 1820.5 })
        await expect(light).not.toBeChecked()
        await expect(page.getByText(/^1,042\.32\s*kWh$/)).toBeVisible()
        await expect(page.getByText(/^1\.82\s*kW$/)).toBeVisible()

        const asked = hub?.command(lamp.PeripheralUID, 'Switch')
        await light.click()
        const command = await asked
        expect(command).toMatchObject({ PeripheralUID: lamp.PeripheralUID, Values: { Switch: 1 } })
        if (!command) return
        await hub?.acknowledge(command)
        // The acknowledgement alone confirms nothing.
        const state = page.locator('label').filter({ has: light })
        await expect(state).toHaveText(
          words('devices:command.changing', {
            from: words('devices:state.off'),
            to: words('devices:state.on'),
          }),
        )
        await expect(light).not.toBeChecked()
        await hub?.report(lamp.PeripheralUID, { Switch: 1 })
        await expect(light).toBeChecked()
        await expect(state).toHaveText(words('devices:state.on'))
      })

      await test.step('the hub goes offline: it and its devices show as offline', async () => {
        hub?.leave()
        await expect(page.getByText(words('devices:state.offline'), { exact: true })).toHaveCount(3)
      })

      await test.step('the secret is not shown again', async () => {
        await page.goBack()
        await expect(page.getByRole('heading', { name: words('screens:addDevice.title') })).toBeVisible()
        await expect(page.getByText(words('screens:addDevice.once'))).toHaveCount(0)
      })
      await hub?.end()
      await person.leave()
    })

    test('resets a forgotten password with the code from the outbox', async ({ browser, empty: product }) => {
      const person = await visit(browser, product, language)
      const { page, words } = person
      await page.getByRole('button', { name: words('auth:signIn.forgot') }).click()
      await expect(page).toHaveURL(/\/forgetPassWord$/)
      await page.getByLabel(words('auth:email'), { exact: true }).fill(email)
      await page.getByRole('button', { name: words('auth:forgot.submit') }).click()
      await expect(page.getByRole('status')).toHaveText(words('auth:forgot.kept'))

      const outbox = await page.context().newPage()
      await outbox.goto(product.outboxUrl)
      const mail = outbox.getByRole('article').filter({ hasText: email }).first()
      const code = /\b\d{6}\b/.exec(await mail.innerText())?.[0]
      await outbox.close()

      await page.getByLabel(words('auth:code')).fill(code === '000000' ? '111111' : '000000')
      await page.getByLabel(words('auth:newPassword'), { exact: true }).fill(NEW_PASSWORD)
      await page.getByLabel(words('auth:confirmPassword'), { exact: true }).fill(NEW_PASSWORD)
      const send = page.getByRole('button', { name: words('auth:reset.submit') })
      await send.click()
      await expect(page.getByRole('alert')).toHaveText(words('auth:error.codeWrong'))
      await page.getByLabel(words('auth:code')).fill(code ?? '')
      await send.click()
      await expect(page.getByRole('status')).toHaveText(words('auth:reset.done'))

      await enter(person, email, PASSWORD)
      await expect(page.getByRole('alert')).toHaveText(words('auth:error.wrong'))
      await enter(person, email, NEW_PASSWORD)
      await expect(homeSelector(person)).toBeVisible()
      await person.leave()
    })
  })
