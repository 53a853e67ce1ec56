import { addHome } from './support/company.ts'
import type { PlainHub } from './support/hub.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** A lamp that does what it is asked, each time. */
function obeys(hub: PlainHub, uid: string): void {
  void hub.command(uid, 'Switch').then(async (command) => {
    obeys(hub, uid)
    await hub.acknowledge(command)
    await hub.report(uid, command.Values)
  })
}

for (const language of LANGUAGES)
  test(`${language}: lamps become a group, how they stand becomes a scene, which is run and undone`, async ({
    browser,
    company,
  }) => {
    const lamps = [1, 2].map((i) => ({
      PeripheralUID: `lamp-${language}-${i}`,
      PeripheralType: '516',
      PeripheralName: `Lamp ${i}`,
    }))
    const HomeID = await addHome(company)
    const { hub } = await addOwnHub(company, { HomeID, DeviceName: `acts-${language}`, devices: lamps })
    for (const { PeripheralUID } of lamps) {
      await hub.report(PeripheralUID, { Switch: 1 })
      obeys(hub, PeripheralUID)
    }
    const { page, words, go, live, leave } = await signIn(browser, company.product, language, company.email)
    await go(`/GroupListing/${HomeID}`)
    await live()
    const main = page.getByRole('main')
    const button = (name: string) => main.getByRole('button', { name })

    await test.step('the group shows what its lamps are like, and switches them as one', async () => {
      await button(words('resources:group.create')).first().click()
      await main.getByRole('textbox', { name: words('resources:group.fields.GroupName') }).fill('Lamps')
      for (const { PeripheralName } of lamps)
        await main.getByRole('checkbox', { name: PeripheralName }).check()
      await button(words('screens:save')).click()
      await expect(main.getByText(words('automation:group.allOn', { count: 2 }))).toBeVisible()
      await main.getByRole('switch').click()
      await expect(main.getByText(words('automation:group.allOff', { count: 2 }))).toBeVisible()
    })

    await test.step('a scene is made of how the lamps stand', async () => {
      await go(`/SceneList/${HomeID}`)
      await button(words('resources:scene.create')).first().click()
      await main.getByRole('textbox', { name: words('resources:scene.fields.SceneName') }).fill('Dark')
      await button(words('automation:capture.button')).click()
      const dialog = page.getByRole('dialog')
      for (const { PeripheralName } of lamps)
        await dialog.getByRole('checkbox', { name: PeripheralName }).check()
      await dialog.getByRole('button', { name: words('automation:capture.ok', { count: 2 }) }).click()
      await expect(main.getByText('Lamp 1')).toBeVisible()
      await button(words('screens:save')).click()
      await expect(main.getByText('Dark')).toBeVisible()
    })

    await test.step('the scene has been running once its lamps say so', async () => {
      for (const { PeripheralUID } of lamps) await hub.report(PeripheralUID, { Switch: 1 })
      await button(words('automation:scene.runOf', { name: 'Dark' })).click()
      await expect(page.getByText(words('automation:run.done'), { exact: true })).toBeVisible()
      await expect(main.getByText(words('automation:run.states.done'))).toBeVisible()
    })

    await test.step('it is undone, and the lamps are on as before', async () => {
      await button(words('automation:run.undo')).click()
      await go(`/GroupListing/${HomeID}`)
      await expect(main.getByText(words('automation:group.allOn', { count: 2 }))).toBeVisible()
    })
    await hub.end()
    await leave()
  })
