import { type Page } from '@playwright/test'
import { DEMO_PASSWORD } from '../../scripts/demo-company.ts'
import { installNativeShell, type NativeShell, type Posted } from '../support/native-shell.ts'
import { homeSelector, signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES, wordsOf } from './support/words.ts'

interface Shelled {
  nativeShell: NativeShell
}
const posted = (page: Page): Promise<Posted[]> =>
  page.evaluate(() => (globalThis as unknown as Shelled).nativeShell.posted)
const say = (page: Page, message: object) =>
  page.evaluate((said) => (globalThis as unknown as Shelled).nativeShell.send(said), message)
/** Response of the page to a message with this id. */
const answerTo = (page: Page, id: number) =>
  expect
    .poll(async () => (await posted(page)).find((message) => message.id === id), { message: `answer ${id}` })
    .toBeTruthy()
    .then(async () => (await posted(page)).find((message) => message.id === id) as Posted)

for (const system of ['ios', 'android'] as const)
  test(`in a native app on ${system} the page signs in, navigates and signs out on request`, async ({
    browser,
    demo,
  }) => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    await context.addInitScript(installNativeShell, { system, delay: 20 })
    const page = await context.newPage()
    await page.goto(demo.url)
    await expect.poll(async () => (await posted(page))[0]?.type).toBe('hello')

    await say(page, { id: 1, type: 'requestTokens' })
    expect((await answerTo(page, 1)).result).toBeNull()
    const { IdToken, AccessToken } = await demo.api.authenticate(ACCOUNTS.owner, DEMO_PASSWORD)
    await say(page, { id: 2, type: 'language', payload: { Language: 'en-US' } })
    await say(page, { id: 3, type: 'token', payload: { IdToken, AccessToken } })
    const person = { page, words: wordsOf('en-US') } as Parameters<typeof homeSelector>[0]
    await expect(homeSelector(person)).toBeVisible()
    await say(page, { id: 4, type: 'requestTokens' })
    expect((await answerTo(page, 4)).result).toEqual({ IdToken, AccessToken })

    await page.evaluate(
      (message) => (globalThis as unknown as Shelled).nativeShell.sendFrom('https://other.example', message),
      { id: 5, type: 'logoutPush' },
    )
    await say(page, { id: 6, type: 'openNotification', payload: { Path: '/HomeList' } })
    expect((await answerTo(page, 6)).success).toBe(true)
    await expect(page).toHaveURL(/\/HomeList$/)
    await say(page, { id: 7, type: 'openNotification', payload: { Path: '//other.example/HomeList' } })
    expect((await answerTo(page, 7)).error).toEqual({ Code: 'notOurs' })
    expect((await posted(page)).some(({ id }) => id === 5)).toBe(false)

    await say(page, { id: 8, type: 'logoutPush' })
    await answerTo(page, 8)
    await expect(page.getByLabel(wordsOf('en-US')('auth:email'), { exact: true })).toBeVisible()
    await context.close()
  })

test('ignores a frame of another origin in the page', async ({ browser, demo }) => {
  // The page forbids foreign frames: this simulates one that got in anyway.
  const context = await browser.newContext({ bypassCSP: true })
  await context.addInitScript(installNativeShell, { system: 'ios' as const, delay: 0 })
  await context.route('https://other.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<script>parent.postMessage(JSON.stringify({ id: 9, type: 'requestLanguage', payload: {} }), '*')</script>`,
    }),
  )
  const page = await context.newPage()
  await page.goto(demo.url)
  await expect.poll(async () => (await posted(page))[0]?.type).toBe('hello')
  const origin = await page.evaluate(
    () =>
      new Promise((resolve) => {
        addEventListener('message', (event) => {
          if (event.origin !== location.origin) resolve(event.origin)
        })
        const frame = document.createElement('iframe')
        frame.src = 'https://other.example/frame'
        document.body.append(frame)
      }),
  )
  expect(origin).toBe('https://other.example')
  await say(page, { id: 10, type: 'requestLanguage' })
  expect((await answerTo(page, 10)).success).toBe(true)
  expect((await posted(page)).filter(({ id }) => id === 9)).toEqual([])
  await context.close()
})

test('serves the manifest, its icons and the offline page with their content types', async ({
  request,
  demo,
}) => {
  const get = async (path: string) => {
    const response = await request.get(new URL(path, demo.url).href)
    expect(response.status(), path).toBe(200)
    return response
  }
  const html = await (await get('/')).text()
  expect(html).toContain('rel="apple-touch-icon" href="/icons/apple-touch-180.png"')
  const answer = await get('/manifest.webmanifest')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as {
    icons: { src: string; sizes: string; type: string; purpose: string }[]
    shortcuts: { url: string }[]
  }
  // Browser requirements for an installable page.
  expect(manifest).toMatchObject({ id: '/', start_url: '/', display: 'standalone' })
  const pictures = manifest.icons.filter(({ type }) => type === 'image/png')
  expect(pictures.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of [...pictures, { src: '/icons/apple-touch-180.png', sizes: '180x180' }]) {
    const icon = await get(src)
    expect(icon.headers()['content-type']).toBe('image/png')
    // The first chunk of a PNG contains width and height.
    const bytes = await icon.body()
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    expect(bytes.length).toBeLessThan(8 * 1024)
  }
  const offline = await get('/offline.html')
  expect(offline.headers()['content-type']).toContain('text/html')
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(['/Dashboard', '/Alarm?tab=live'])
})

test("meets the browser's criteria for installation", async ({ context, demo }) => {
  const page = await context.newPage()
  await page.goto(demo.url)
  const devtools = await context.newCDPSession(page)
  const { url, errors } = await devtools.send('Page.getAppManifest')
  expect([new URL(url).pathname, errors]).toEqual(['/manifest.webmanifest', []])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // A headless browser, or one without storage, cannot install anything.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

for (const language of LANGUAGES)
  test(`shows the offline page with its time without a connection, and the dashboard once it is back (${language})`, async ({
    browser,
    demo,
    request,
  }) => {
    expect((await request.get(new URL('/sw.js', demo.url).href)).ok()).toBe(true)
    const person = await signIn(browser, demo, language, ACCOUNTS.owner, { serviceWorkers: 'allow' })
    const { page } = person
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    const before = Date.now()
    await person.open('/HomeList')
    await person.live()
    await page.context().setOffline(true)
    await page.goto(new URL('/Dashboard', demo.url).href)
    await expect(page.getByRole('heading', { name: '目前無法連上儀表板' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'The dashboard cannot be reached' })).toBeVisible()
    const since = await page.locator('time').first().getAttribute('datetime')
    expect(Date.parse(since ?? '')).toBeGreaterThanOrEqual(before - 60_000)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: '再試一次' }).click()
    await expect(homeSelector(person)).toBeVisible()
    await person.leave()
  })
