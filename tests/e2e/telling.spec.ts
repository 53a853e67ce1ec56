import { notifications } from '../../contract/notifications/calls.ts'
import { notificationChannel } from '../../contract/notifications/notification-channel.ts'
import { findings } from './support/axe.ts'
import { addHome } from './support/company.ts'
import { pressInMenu, signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** Reserved for examples: it never resolves. */
const NOWHERE = 'https://nobody.invalid/flow'

for (const language of LANGUAGES)
  test(`${language}: adds and tests a channel`, async ({ browser, company }) => {
    await addHome(company)
    const person = await signIn(browser, company.product, language, company.email, {
      at: '/NotificationChannels',
    })
    const { page, words } = person
    const listed = () => company.owner(notificationChannel.operations.list, {})
    await page
      .getByRole('button', { name: words('resources:notificationChannel.create') })
      .first()
      .click()
    const form = page.getByRole('dialog')
    await form.getByLabel(words('resources:notificationChannel.fields.ChannelName')).fill('Duty room')
    await form.getByText(words('channels:kinds.teams'), { exact: true }).click()
    await form.getByLabel(words('channels:reach.teamsAddress')).fill('http://10.0.0.1/flow')
    await form.getByRole('button', { name: words('screens:save') }).click()
    await expect(form.getByText(words('errors:fields.address'))).toBeVisible()
    expect(await listed()).toEqual([])
    await form.getByLabel(words('channels:reach.teamsAddress')).fill(NOWHERE)
    await form.getByRole('button', { name: words('screens:save') }).click()
    await expect(form).toHaveCount(0)
    expect(await listed()).toMatchObject([{ ChannelName: 'Duty room', Kind: 'teams', Least: 'critical' }])
    expect(await findings(page)).toEqual([])

    await pressInMenu(person, 'Duty room', words('channels:test.press', { name: 'Duty room' }))
    const reason = words('channels:errors.unreachable')
    await expect(page.getByText(words('channels:test.failed', { reason }))).toBeVisible()
    await person.leave()
  })

for (const language of LANGUAGES)
  test(`${language}: writes, confirms and reads a broadcast in the history on a phone`, async ({
    browser,
    company,
  }) => {
    await addHome(company)
    const person = await signIn(browser, company.product, language, company.email, {
      ...PHONE,
      at: '/CompanyProfile',
    })
    const { page, words } = person
    await page.getByRole('button', { name: words('push:broadcast.open') }).tap()
    const dialog = page.getByRole('dialog', { name: words('push:broadcast.open') })
    const send = { name: words('push:broadcast.send'), exact: true }
    await expect(dialog.getByRole('button', send)).toBeDisabled()
    await dialog.getByLabel(words('push:broadcast.subject')).fill('<b>Power cut</b>')
    await dialog.getByLabel(words('push:broadcast.text')).fill('Saturday 09:00')
    await dialog.getByRole('radio', { name: words('screens:severities.warning') }).check()
    expect(await findings(page)).toEqual([])
    await dialog.getByRole('button', send).tap()
    await page
      .getByRole('dialog')
      .filter({ hasText: words('push:broadcast.askAll') })
      .getByRole('button', send)
      .tap()
    await expect(page.getByText(words('push:broadcast.done', { count: 1 }))).toBeVisible()
    await expect(dialog).toHaveCount(0)
    await expect
      .poll(async () => (await company.owner(notifications.listNotification, {})).Rows)
      .toMatchObject([{ Kind: 'broadcast', Severity: 'warning', ReadAt: null }])

    await page.getByRole('button', { name: words('shell:header.bellCount', { count: 1 }) }).tap()
    const newest = page.getByRole('region', { name: words('inbox:panel.newest') })
    await expect(newest.getByText('<b>Power cut</b>')).toBeVisible()
    await expect(newest.getByText('Saturday 09:00')).toBeVisible()
    expect(await findings(page)).toEqual([])
    await person.leave()
  })
