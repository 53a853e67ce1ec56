import { startCameraServer } from '../gateway/features/cameras/camera-server.ts'
import { addHome } from './support/company.ts'
import { recordFilm, streamFilm } from './support/film-stream.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const SECONDS = 6

const signs = (password: string) => `Basic ${Buffer.from(`viewer:${password}`).toString('base64')}`

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('adds a camera by its address, plays it through the gateway, edits it and removes it', async ({
      browser,
      company,
    }) => {
      const HomeID = await addHome(company)
      const camera = await startCameraServer()
      streamFilm(camera, await recordFilm(browser, SECONDS), SECONDS)
      const person = await signIn(browser, company.product, language, company.email, { ownBrowser: true })
      const { page, words } = person
      const name = `大門 ${language}`
      const hosts = new Set<string>()
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      const address = page.getByLabel(words('devices:camera.streamUrl'))
      const state = (of: string) => page.getByText(words(`devices:camera.states.${of}`), { exact: true })

      await test.step('reject an address that is not a stream at its field', async () => {
        await person.goTo(`/addDevice/${HomeID}?way=camera`)
        await page.getByLabel(words('resources:peripheral.fields.PeripheralName'), { exact: true }).fill(name)
        await address.fill('rtsp://192.168.1.20/live')
        await page.getByRole('button', { name: words('screens:addDevice.addCamera') }).click()
        await expect(page.getByText(words('errors:fields.streamUrl'))).toBeVisible()
      })

      await test.step('the picture comes from the gateway, which signs in to the camera', async () => {
        await address.fill(`${camera.url}/live.m3u8`)
        await page.getByLabel(words('devices:camera.userName')).fill('viewer')
        await page.getByLabel(new RegExp(`^${words('devices:camera.password')}`)).fill('s3cret')
        await page.getByRole('button', { name: words('screens:addDevice.addCamera') }).click()
        await page
          .getByRole('alert')
          .filter({ hasText: words('screens:addDevice.added', { name }) })
          .getByRole('link')
          .click()
        await expect(state('live')).toBeVisible()
        await expect(page.getByText(words('devices:freshness.offline'))).toHaveCount(0)
        const width = () => page.locator('video').evaluate((video) => (video as HTMLVideoElement).videoWidth)
        expect(await width()).toBe(320)
        expect(camera.asked.map(({ path }) => path)).toEqual(
          expect.arrayContaining(['/live.m3u8', '/head.mp4', '/part.m4s']),
        )
        expect(new Set(camera.asked.map(({ authorization }) => authorization))).toEqual(
          new Set([signs('s3cret')]),
        )
        expect([...hosts].filter((host) => host === new URL(camera.url).host)).toEqual([])
      })

      await test.step('show a failure without the password, at an address that does not answer', async () => {
        await page.getByRole('button', { name: words('devices:camera.source') }).click()
        await address.fill(`${camera.url}/gone.m3u8`)
        await page.getByLabel(words('devices:camera.forgetPassword')).check()
        await page
          .locator('form')
          .filter({ has: address })
          .getByRole('button', { name: words('screens:save') })
          .click()
        await expect(
          page.getByRole('alert').filter({ hasText: words('devices:camera.faults.notFound') }),
        ).toBeVisible()
        expect(camera.asked.at(-1)).toEqual({ path: '/gone.m3u8', authorization: signs('') })
      })

      await test.step('show the picture again at the correct address', async () => {
        await page.getByRole('button', { name: words('devices:camera.source') }).click()
        await address.fill(`${camera.url}/live.m3u8`)
        await page
          .locator('form')
          .filter({ has: address })
          .getByRole('button', { name: words('screens:save') })
          .click()
        // Images play only while in view.
        await expect(state('connecting').or(state('live'))).toBeVisible()
        await page.locator('video').evaluate((video) => video.scrollIntoView({ block: 'center' }))
        await expect(state('live')).toBeVisible()
      })

      await test.step('a removed camera is no longer listed', async () => {
        await page.getByRole('button', { name: words('devices:remove') }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: words('screens:remove.ok') })
          .click()
        await expect(page).toHaveURL(new RegExp(`/DeviceList/${HomeID}`))
        await expect(page.getByRole('link', { name })).toHaveCount(0)
      })
      await person.leave()
      await camera.close()
    })

    test('a remote sends learned commands under their configured names', async ({ browser, company }) => {
      const HomeID = await addHome(company)
      const uid = `remote-${language}`
      const { hub } = await addOwnHub(company, {
        HomeID,
        DeviceName: uid,
        devices: [{ PeripheralUID: uid, PeripheralType: '760', PeripheralName: uid }],
      })
      const IRContainers = [
        { ContMID: 'tv-on', ContDID: 'tv', ContMName: 'TV on' },
        { ContMID: 'tv-off', ContDID: 'tv', ContMName: 'TV off' },
      ]
      await hub.report(uid, { IRContainers })
      const person = await signIn(browser, company.product, language, company.email, {
        at: `/DeviceInfo/${HomeID}/${uid}`,
      })
      const { page, words } = person
      await person.live()

      await page.getByRole('button', { name: words('devices:ir.rename', { name: 'TV on' }) }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words('devices:ir.name')).fill('開電視')
      await dialog.getByRole('button', { name: words('screens:save') }).click()
      await expect(dialog).toBeHidden()

      const asked = hub.command(uid, 'SendIR')
      await page.getByRole('button', { name: '開電視', exact: true }).click()
      const command = await asked
      const SendIR = { ContMID: 'tv-on', ContDID: 'tv' }
      expect(command).toMatchObject({ PeripheralUID: uid, Values: { SendIR } })
      await expect(page.getByText(words('devices:ir.sent'))).toBeVisible()
      await hub.acknowledge(command)
      await hub.report(uid, { IRContainers, SendIR })
      const sent = page
        .locator('section', { has: page.getByRole('heading', { name: words('devices:commands.title') }) })
        // The device's own section contains it and also lists the settings.
        .last()
        .getByRole('listitem')
        .filter({
          hasText: words('devices:commands.set', { field: words('devices:fields.SendIR'), value: '開電視' }),
        })
      await expect(sent).toContainText(words('devices:commands.states.confirmed'))

      hub.leave()
      await expect(page.getByText(words('devices:freshness.offline'))).toBeVisible()
      await page.getByRole('button', { name: 'TV off', exact: true }).click()
      await expect(page.getByText(words('devices:ir.failed'))).toBeVisible()
      await hub.end()
      await person.leave()
    })

    test('a label links to the page of its device and prints alone', async ({ browser, company }) => {
      const HomeID = await addHome(company)
      const uid = `label-${language}`
      const { hub } = await addOwnHub(company, {
        HomeID,
        DeviceName: uid,
        devices: [{ PeripheralUID: uid, PeripheralType: '516', PeripheralName: `燈 ${language}` }],
      })
      const person = await signIn(browser, company.product, language, company.email, {
        at: `/DeviceInfo/${HomeID}/${uid}`,
      })
      const { page, words } = person
      await page.getByRole('button', { name: words('devices:label.show') }).click()
      const code = page.getByRole('link', {
        name: words('devices:label.code', { name: `燈 ${language}` }),
      })
      await expect(code).toBeVisible()
      await page.emulateMedia({ media: 'print' })
      await expect(code).toBeVisible()
      await expect(page.getByRole('button', { name: words('devices:label.print'), exact: true })).toBeHidden()
      await expect(page.getByRole('navigation').first()).toBeHidden()
      const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)
      expect(pages).toHaveLength(1)
      await page.emulateMedia({ media: null })
      const scanned = await person.page.context().newPage()
      await scanned.goto((await code.getAttribute('href')) ?? '')
      await expect(scanned.getByRole('heading', { name: `燈 ${language}`, level: 1 })).toBeVisible()
      await hub.end()
      await person.leave()
    })
  })
