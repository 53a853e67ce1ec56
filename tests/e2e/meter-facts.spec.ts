import { meterData } from '../../contract/energy/meter-data-calls.ts'
import { meterFacts } from '../../contract/meters/fact-calls.ts'
import { room } from '../../contract/homes/room.ts'
import { dayOf, formatDay, startOfDay } from '../../contract/time/periods.ts'
import { formatDate } from '../../contract/time/format-time.ts'
import { addHome, ZONE } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

for (const language of LANGUAGES)
  test(`${language}: assigns the roles of a site and moves a meter in three ways without changing the past`, async ({
    browser,
    company,
  }) => {
    test.slow()
    const { product, owner, email } = company
    const HomeID = await addHome(company)
    const [grid, sun, air] = ['Grid', 'Solar', 'Air'].map((name) => `${name}-${language}`) as [
      string,
      string,
      string,
    ]
    const { RoomID: hall } = await owner(room.operations.create, { HomeID, RoomName: 'Hall' })
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: `hub-${language}`,
      devices: [grid, sun, air].map((uid) => ({
        PeripheralUID: uid,
        PeripheralType: '514',
        PeripheralName: uid,
      })),
    })
    const today = dayOf(Date.now(), ZONE)
    for (const [uid, kWh] of [
      [grid, 24],
      [sun, 12],
      [air, 6],
    ] as const)
      for (let day = today - 3; day <= today; day++)
        await hub.read(uid, {
          Timestamp: startOfDay(day, ZONE),
          AccumulatePower: 100 + (day - today + 3) * kWh,
        })
    const inHall = async (day: number) => {
      const range = { From: startOfDay(day, ZONE), To: startOfDay(day + 1, ZONE) }
      const { Series } = await owner(meterData.getEnergySeries, {
        HomeID,
        ...range,
        Resolution: 'day',
        By: 'room',
      })
      return Math.round(Series.find(({ Key }) => Key === String(hall))?.Points[0]?.kWh ?? 0)
    }
    const person = await signIn(browser, product, language, email, { at: `/meters/${HomeID}` })
    const { page, words } = person
    const dialog = page.getByRole('dialog')
    const save = () => dialog.getByRole('button', { name: words('screens:save'), exact: true }).click()
    const openMenu = async (name: string, item: string) => {
      await page.getByRole('button', { name: words('meters:moreOf', { name }) }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }

    await test.step('propose roles by name, try them on yesterday and save them together', async () => {
      await page.getByRole('button', { name: words('balance:wizard.open') }).click()
      await expect(dialog.getByText(words('balance:wizard.preview'), { exact: true })).toBeVisible()
      await save()
      await expect(dialog).toBeHidden()
      const facts = await owner(meterFacts.listMeterFact, { HomeID })
      const roles = facts.filter(({ Fact }) => Fact === 'role').map(({ MeterID, Value }) => [MeterID, Value])
      expect(Object.fromEntries(roles)).toMatchObject({ [grid]: 'gridImport', [sun]: 'generation' })
      await expect(page.getByText(words('balance:roles.generation'), { exact: true })).toBeVisible()
    })

    const moveTo = async (way: 'today' | 'date' | 'always', date?: string) => {
      await openMenu(air, words('meters:room.choose'))
      await dialog.getByRole('combobox', { name: words('meters:room.label') }).fill('Hall')
      await page.keyboard.press('Enter')
      await dialog.getByText(words(`meters:move.${way}`), { exact: true }).click()
      if (date !== undefined) {
        await dialog.getByLabel(words('meters:move.firstDay')).fill(date)
        await page.keyboard.press('Enter')
      }
      await save()
      await expect(dialog).toBeHidden()
    }
    const days = [today - 2, today - 1]

    await test.step('from today: recorded energy keeps its room', async () => {
      await moveTo('today')
      expect(await Promise.all(days.map(inHall))).toEqual([0, 0])
    })

    await test.step('from a date: that day is in the new room, the day before is not', async () => {
      await moveTo('date', formatDay(today - 1))
      expect(await Promise.all(days.map(inHall))).toEqual([0, 6])
    })

    await test.step('the timeline lists both moves and undoes the earlier one', async () => {
      await openMenu(air, words('meters:facts.open'))
      const rooms = dialog.getByRole('region', { name: words('meters:facts.names.room') })
      await expect(rooms.getByRole('listitem')).toHaveCount(3)
      await rooms
        .getByRole('button', {
          name: words('meters:facts.from', { date: formatDate(formatDay(today - 1), language) }),
        })
        .click()
      await page
        .locator('.ant-modal-confirm')
        .getByRole('button', { name: words('screens:remove.ok'), exact: true })
        .click()
      await expect(rooms.getByRole('listitem')).toHaveCount(2)
      expect(await Promise.all(days.map(inHall))).toEqual([0, 0])
      await dialog.getByRole('button', { name: words('meters:facts.undo'), exact: true }).click()
      await expect(rooms.getByRole('listitem')).toHaveCount(3)
      await page.getByRole('button', { name: words('screens:close'), exact: true }).click()
      await expect(dialog).toBeHidden()
    })

    await test.step('always: every day is in the new room', async () => {
      await moveTo('always')
      expect(await Promise.all(days.map(inHall))).toEqual([6, 6])
    })
  })
