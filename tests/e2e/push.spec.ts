import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { alarms } from '../../contract/alarms/calls.ts'
import { personal } from '../../contract/people/personal-calls.ts'
import { push } from '../../contract/notifications/push-calls.ts'
import { BROWSER_ARGS, wholeBrowser } from '../../scripts/browser.ts'
import { type PushBrowser, startPushService } from '../support/push-service.ts'
import { addHome, foundCompany } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { startProduct } from './support/product.ts'
import { expect, test } from './support/test.ts'

const SMOKE = { PeripheralUID: 'smoke-1f', PeripheralType: '756', PeripheralName: '1F 煙霧感測器' }

/** Only a full Chromium with a profile on disk shows notifications: neither a headless one nor a private window does. */
const openProfile = (): Promise<BrowserContext> =>
  chromium.launchPersistentContext('', {
    executablePath: wholeBrowser() as string,
    ignoreDefaultArgs: ['--headless'],
    args: [...BROWSER_ARGS, '--headless=new'],
    serviceWorkers: 'allow',
  })

const oneWindow = (context: BrowserContext) => ({ newContext: async () => context }) as unknown as Browser

/** A test browser cannot reach its vendor's push service: it subscribes to ours, whatever its current subscription. */
const subscribeWith = (page: Page, { info }: PushBrowser) =>
  page.addInitScript((given) => {
    const key = 'subscribedHere'
    const bytesOf = (text: string) =>
      Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
    const subscription = () => ({
      endpoint: given.endpoint,
      options: { applicationServerKey: bytesOf(sessionStorage.getItem(key) ?? '').buffer },
      toJSON: () => given,
      unsubscribe: async () => {
        sessionStorage.removeItem(key)
        return true
      },
    })
    PushManager.prototype.getSubscription = async () =>
      (sessionStorage.getItem(key) === null ? null : subscription()) as unknown as PushSubscription
    PushManager.prototype.subscribe = async (options) => {
      const bytes = new Uint8Array(options?.applicationServerKey as ArrayBuffer)
      sessionStorage.setItem(
        key,
        btoa(String.fromCharCode(...bytes))
          .replaceAll('+', '-')
          .replaceAll('/', '_'),
      )
      return subscription() as unknown as PushSubscription
    }
  }, info)

/**
 * Dispatches a push message to the page's service worker, as its browser does, until it is shown with this body: a message to a worker that
 * is just being stopped is lost.
 */
const deliver = (person: { page: Page; cdp: CDPSession; origin: string }, data: string): Promise<void> => {
  const { title, body } = JSON.parse(data).notification
  return expect
    .poll(async () => {
      await deliverOnce(person.cdp, person.origin, data)
      return shownOn(person.page)
    })
    .toContainEqual({ title, body })
}

async function deliverOnce(cdp: CDPSession, origin: string, data: string): Promise<void> {
  const registered = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const mine = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin))
      if (mine) resolve(mine.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.disable')
  await cdp.send('ServiceWorker.enable')
  await cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
}

/** Notifications shown on this device: title, body and buttons. */
const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const shown = await registration.getNotifications()
    return shown.map(({ title, body }) => ({ title, body }))
  })

/** Presses the notification with a title, or one of its buttons. */
const press = async (page: Page, pressedTitle: string, action = '') => {
  const [worker = await page.context().waitForEvent('serviceworker')] = page.context().serviceWorkers()
  await worker.evaluate(
    async ([title, pressed]) => {
      const scope = self as unknown as {
        registration: ServiceWorkerRegistration
        dispatchEvent(event: Event): void
        NotificationEvent: new (type: string, init: object) => Event
      }
      const shown = await scope.registration.getNotifications()
      const notification = shown.find((one) => one.title === title)
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: pressed }))
    },
    [pressedTitle, action] as const,
  )
}

test.skip(wholeBrowser() === undefined, 'needs a Chromium with windows')

for (const language of ['zh-TW', 'en-US'] as const)
  test(`shows a push of an alarm, acknowledges it, opens its page, and ends at sign-out (${language})`, async ({
    data,
  }) => {
    const service = await startPushService()
    const product = await startProduct(data, { PUSH_HOSTS: service.host })
    const context = await openProfile()
    try {
      const company = await foundCompany(product)
      const HomeID = await addHome(company)
      // Push messages use the person's language.
      await company.owner(personal.updatePersonalConfig, { Language: language })
      const device = service.subscribe()
      const person = await signIn(oneWindow(context), product, language, company.email)
      const { page, words } = person
      await context.grantPermissions(['notifications'], { origin: product.url })
      await subscribeWith(page, device)
      await person.open('/ChangeNotificationSetting')
      await page.getByRole('button', { name: words('push:setting.turnOn') }).click()
      await expect(page.getByText(words('push:setting.state.on'), { exact: true })).toBeVisible()
      expect(await company.owner(push.listPushSubscription, {})).toHaveLength(1)

      await page.getByRole('button', { name: words('push:test.send') }).click()
      await expect(page.getByText(words('push:test.sent', { count: 1 }))).toBeVisible()
      expect(service.faults).toEqual([])
      const worker = { page, cdp: await page.context().newCDPSession(page), origin: product.url }
      await deliver(worker, device.messages[0]!.payload)
      expect(await shownOn(page)).toHaveLength(1)

      // Gateway alarm: a detector reports smoke.
      const { hub } = await addOwnHub(company, { HomeID, DeviceName: 'Hub', devices: [SMOKE] })
      await hub.report(SMOKE.PeripheralUID, { SmokeState: 3 })
      await expect.poll(() => device.messages.length).toBe(2)
      const { title, body } = JSON.parse(device.messages[1]!.payload).notification
      expect(title).toContain(SMOKE.PeripheralName)
      const open = async () => (await company.owner(alarms.listAlarm, { HomeID, State: 'open' })).Rows[0]
      expect((await open())?.Acknowledged).toBeNull()
      await deliver(worker, device.messages[1]!.payload)

      await press(page, title, 'acknowledge')
      await expect
        .poll(() => shownOn(page))
        .toContainEqual({ title, body: expect.stringMatching(language === 'zh-TW' ? /^已記錄/ : /^Noted/) })
      expect((await open())?.Acknowledged?.By).toBeTruthy()
      await deliver(worker, device.messages[1]!.payload)
      expect((await shownOn(page)).filter((one) => one.title === title)).toEqual([{ title, body }])
      await press(page, title, 'acknowledge')
      await expect
        .poll(() => shownOn(page), { message: 'the link is good once' })
        .toContainEqual({
          title,
          body: expect.stringMatching(language === 'zh-TW' ? /^無法記錄/ : /^Not noted/),
        })

      await press(page, title)
      await expect(page).toHaveURL(`${product.url}/Alarm/${HomeID}?tab=live&alarm=${(await open())?.AlarmID}`)
      await hub.end()
      const alarm = page.getByRole('dialog', { name: SMOKE.PeripheralName })
      await expect(alarm).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(alarm).toBeHidden()

      await page.getByRole('button', { name: words('shell:header.personal') }).click()
      await page.getByRole('menuitem', { name: words('shell:header.signOut') }).click()
      await expect(page.getByLabel(words('auth:email'), { exact: true })).toBeVisible()
      expect(await shownOn(page)).toEqual([])
      expect(await company.owner(push.listPushSubscription, {})).toEqual([])
    } finally {
      await context.close()
      await product.stop()
      await service.close()
    }
  })
