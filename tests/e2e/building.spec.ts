import sharp from 'sharp'
import { floor } from '../../contract/homes/floor.ts'
import { home as homeResource } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

test('turns the lights of a room off on a phone, confirms it, and turns them on again', async ({
  browser,
  demo,
}) => {
  const [home] = await demo.owner(homeResource.operations.list, {})
  const HomeID = home?.HomeID ?? ''
  const { Peripherals } = await demo.owner(peripheral.operations.list, { HomeID })
  const room = home?.RoomList.find(({ RoomID }) =>
    Peripherals.some((one) => one.RoomID === RoomID && one.PeripheralType === '534'),
  )
  if (!room) throw new Error('No room of the demo has lights')
  const person = await signIn(browser, demo, 'zh-TW', ACCOUNTS.owner, { ...PHONE, ownBrowser: true })
  await person.goTo(`/Building/${HomeID}?floor=all`)
  await person.live()
  const { page, words } = person
  await page.getByRole('button', { name: new RegExp(`^${room.RoomName}`) }).click()
  await page.getByRole('button', { name: words('building:lightsOff', { room: room.RoomName }) }).click()
  const said = page.getByRole('dialog').getByRole('status')
  await expect(said).toHaveText(/已送出 (\d+) · 已確認 \1$/)
  await page.getByRole('button', { name: words('automation:run.undo') }).click()
  await expect(said).toContainText(words('automation:run.undo'))
  await person.leave()
})

for (const language of ['zh-TW', 'en-US'] as const)
  test(`draws a room on a plan and turns its lights off there from a phone (${language})`, async ({
    browser,
    demo,
  }) => {
    const FloorName = `9F ${language}`
    const homes = await demo.owner(homeResource.operations.list, {})
    const { HomeID, RoomList } = homes[0] as (typeof homes)[number]
    const { Peripherals } = await demo.owner(peripheral.operations.list, { HomeID })
    // A light that the other language's run does not use: a room is on one floor.
    const lit = RoomList.filter(({ RoomID }) =>
      Peripherals.some((one) => one.RoomID === RoomID && one.PeripheralType === '534'),
    )
    const room = lit[language === 'zh-TW' ? 0 : 1]
    if (!room) throw new Error('The demo has too few rooms with lights')
    const paper = await sharp({ create: { width: 1600, height: 1000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()

    const desk = await signIn(browser, demo, language, ACCOUNTS.owner, {
      viewport: { width: 1440, height: 1000 },
    })
    await desk.goTo(`/Building/${HomeID}`)
    const { page, words } = desk
    await page.getByRole('button', { name: words('resources:floor.create') }).click()
    await page.getByLabel(words('resources:floor.fields.FloorName')).fill(FloorName)
    await page.getByRole('button', { name: words('building:addFloor') }).click()
    await page
      .getByLabel(words('floorEditor:upload.upload'))
      .setInputFiles({ name: 'plan.png', mimeType: 'image/png', buffer: paper })
    await expect(
      page.getByRole('img', { name: words('floorEditor:planOf', { floor: FloorName }) }),
    ).toBeVisible()
    await page.getByRole('button', { name: room.RoomName, exact: true }).click()
    await page.getByRole('button', { name: words('floorEditor:tools.rectangle') }).click()
    const canvas = await page.getByRole('group', { name: words('floorEditor:canvas') }).boundingBox()
    if (!canvas) throw new Error('The plan is not drawn')
    await page.mouse.move(canvas.x + 100, canvas.y + 80)
    await page.mouse.down()
    await page.mouse.move(canvas.x + 420, canvas.y + 300, { steps: 5 })
    await page.mouse.up()
    await page.getByRole('button', { name: words('screens:save') }).click()
    await expect(page.getByText(words('screens:updated'))).toBeVisible()
    await desk.leave()
    const drawn = (await demo.owner(floor.operations.list, { HomeID })).find(
      (one) => one.FloorName === FloorName,
    )
    expect(drawn?.Shapes).toMatchObject([{ RoomID: room.RoomID }])

    const phone = await signIn(browser, demo, language, ACCOUNTS.owner, { ...PHONE, ownBrowser: true })
    await phone.goTo(`/Building/${HomeID}?floor=${drawn?.FloorID}`)
    await phone.live()
    await phone.page
      .getByRole('group', { name: phone.words('building:roomsOf', { floor: FloorName }) })
      .getByRole('button', { name: new RegExp(`^${room.RoomName}`) })
      .click()
    await phone.page
      .getByRole('button', { name: phone.words('building:lightsOff', { room: room.RoomName }) })
      .click()
    await expect(phone.page.getByRole('dialog').getByRole('status')).toHaveText(/(\d+)\D+\1\D*$/, {
      timeout: 60_000,
    })
    await phone.page.getByRole('button', { name: phone.words('automation:run.undo') }).click()
    await phone.leave()
    await demo.owner(floor.operations.remove, { HomeID, FloorID: drawn?.FloorID ?? 0 })
  })
