import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import { composePayload } from '../../gateway/features/push/compose.ts'
import { push } from '../../contract/procedures/push.ts'
import { BROWSER_ARGS, installedBrowser } from '../../scripts/browser.ts'
import { type PushBrowser, startPushService } from '../support/push-service.ts'
import { addHome, foundCompany } from './support/company.ts'
import { signIn } from './support/person.ts'
import { startProduct } from './support/product.ts'
import { expect, test } from './support/test.ts'

const ALARM = '偵測到煙霧'

/** Only a whole Chromium with a profile on the disk shows notifications: neither the one without windows, nor a private window. */
const openProfile = (): Promise<BrowserContext> =>
  chromium.launchPersistentContext('', {
    executablePath: installedBrowser() as string,
    ignoreDefaultArgs: ['--headless'],
    args: [...BROWSER_ARGS, '--headless=new'],
    serviceWorkers: 'allow',
  })

const oneWindow = (context: BrowserContext) => ({ newContext: async () => context }) as unknown as Browser

/** A browser of the tests cannot reach its maker's push service: it subscribes with ours, whatever it is subscribed to. */
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

/** Hands the service worker of the page a message, as its browser does when the push service has one. */
async function deliver(cdp: CDPSession, origin: string, data: string): Promise<void> {
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

/** What is shown on this device: title, body and buttons. */
const shownOn = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const shown = await registration.getNotifications()
    return shown.map(({ title, body }) => ({ title, body }))
  })

/** Presses the notification of an alarm, or one of its buttons. */
const press = async (page: Page, action = '') => {
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
    [ALARM, action] as const,
  )
}

test.skip(installedBrowser()?.includes('shell') === true, 'needs a whole Chromium')

for (const language of ['zh-TW', 'en-US'] as const)
  test(`a push is turned on, tested, shown, pressed, and ends with the sign-out (${language})`, async ({
    data,
  }) => {
    const service = await startPushService()
    const product = await startProduct(data, { PUSH_HOSTS: service.host })
    const context = await openProfile()
    try {
      const company = await foundCompany(product)
      await addHome(company)
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
      const cdp = await page.context().newCDPSession(page)
      await deliver(cdp, product.url, device.messages[0]!.payload)
      await expect.poll(() => shownOn(page)).toHaveLength(1)

      const alarm = composePayload(
        {
          id: '00000000-0000-4000-8000-000000000001',
          title: ALARM,
          body: '1F 東側',
          path: '/CompanyProfile?from=push',
          topic: 'test',
          notificationId: null,
          category: 'alarm',
          severity: 'critical',
          homeId: null,
          alarmId: null,
          acknowledgeToken: 'no-such-link',
          language,
          at: Date.now(),
        },
        { tenant: 't', publicUrl: undefined, apiKey: 'unknown' },
      )
      await deliver(cdp, product.url, alarm)
      await expect.poll(() => shownOn(page)).toContainEqual({ title: ALARM, body: '1F 東側' })

      await press(page, 'acknowledge')
      await expect
        .poll(() => shownOn(page))
        .toContainEqual({
          title: ALARM,
          body: expect.stringMatching(language === 'zh-TW' ? /無法|尚未/ : /^Not noted/),
        })

      await press(page)
      await expect(page).toHaveURL(`${product.url}/CompanyProfile?from=push`)

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
