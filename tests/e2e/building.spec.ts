import { home as homeResource } from '../../contract/resources/home.ts'
import { peripheral } from '../../contract/resources/peripheral.ts'
import { signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

test('the lights of a room are turned off on a phone until they are confirmed, and back (zh-TW)', async ({
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
  await person.go(`/Building/${HomeID}`)
  await person.live()
  const { page, words } = person
  await page.getByRole('button', { name: new RegExp(`^${room.RoomName}`) }).click()
  await page.getByRole('button', { name: words('building:lightsOff', { room: room.RoomName }) }).click()
  const said = page.getByRole('dialog').getByRole('status')
  await expect(said).toHaveText(/已送出 (\d+) · 已確認 \1$/, { timeout: 30_000 })
  await page.getByRole('button', { name: words('automation:run.undo') }).click()
  await expect(said).toContainText(words('automation:run.undo'))
  await person.leave()
})
